// The data arrays of an L1: banks, with the words of a line side by side from its frame on (Diamond
// et al., Arbitrary Modulus Indexing, MICRO 2014, sections IV and VII.D).
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/memory/l1_events.h>
#include <fermata/models/memory/l1_parameters.h>
#include <fermata/models/memory/l1_tags.h>
#include <fermata/models/memory/l1_try.h>

#include <memory>

namespace fermata {

class L1Banks {
 public:
  /// `indexer`: maps the shape.bytes / 4 words of the cache. Everything referred to must outlive
  /// the banks.
  L1Banks(const L1CacheParameters& parameters, std::shared_ptr<const indexing::Indexer> indexer,
          const CacheArray& array, const L1Tags& tags, const L1Events& events);

  /// Passes the lanes that hit through the banks, and sets when outcome and data are there. Returns
  /// the lanes that lose their bank.
  LaneMask pass(L1Try& t);
  bool leavesLanes() const { return data_->leavesLanes(); }
  const indexing::Indexer& indexer() const { return *indexer_; }

 private:
  void placeWords(L1Try& t);

  const L1CacheParameters& parameters_;
  std::shared_ptr<const indexing::Indexer> indexer_;
  const CacheArray& array_;
  const L1Tags& tags_;
  const L1Events& events_;
  std::shared_ptr<DataArray> data_;
  ConflictResolver resolver_;
  ConflictPolicy& policy_;
};

}  // namespace fermata
