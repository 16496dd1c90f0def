// The shared accesses of a study's workload, and what a mapping makes of them.
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
  indexing::Shape lockShape;  ///< its words over its locks
  std::unique_ptr<search::ConflictCount> count;

  /// Sum over the access sets of count times (degree - 1), an estimate where they are a sample; an
  /// empty text: word mod banks.
  std::uint64_t conflicts(const std::string& mapping) const;
};

/// Runs the workload without timing, with the parameters that it is trained on, on the platform and
/// with the parameters that the variant sets. Throws InputError.
StudyAccesses studyAccesses(const StudyWorkload& workload, const StudyVariant& variant = {});

}  // namespace fermata::platforms
