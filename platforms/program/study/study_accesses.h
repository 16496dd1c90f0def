// The shared accesses of a study's workload, and their conflicts under a mapping.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/search/conflict_count.h>
#include <fermata/platforms/program/search/access_collection.h>
#include <fermata/platforms/program/study/study.h>

namespace fermata::platforms {

struct StudyAccesses {
  Collected collected;
  indexing::Shape shape;      ///< of the platform's scratchpad
  indexing::Shape lockShape;  ///< words of the scratchpad over its locks
  unsigned windowBits = 32;   ///< address bits within the window of every kernel's CTA
  std::unique_ptr<search::ConflictCount> count;

  /// Returns the sum over the access sets of count * (degree - 1); an estimate if they are a
  /// sample. Empty text: word mod banks.
  std::uint64_t conflicts(const std::string& mapping) const;
};

/// Runs the workload without timing, on its platform, with its parameters for the search and those
/// that the variant sets. Throws InputError.
StudyAccesses studyAccesses(const StudyWorkload& workload, const StudyVariant& variant = {});

}  // namespace fermata::platforms
