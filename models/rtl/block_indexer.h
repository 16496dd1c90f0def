// A block of RTL as the mapping of a memory: what takes an Indexer has its banks and rows from it.
#pragma once

#include <fermata/models/rtl/lockstep.h>
#include <fermata/models/rtl/map_block.h>

#include <memory>

namespace fermata::rtl {

/// `model` is the mapping that the block is to be: its shape, text and cost are those of both.
class BlockIndexer : public indexing::Indexer {
 public:
  BlockIndexer(std::shared_ptr<const indexing::Indexer> model, std::unique_ptr<MapBlock> block,
               Now now);

  indexing::Location location(std::uint32_t word) const override;
  /// Throws LockstepDifference where the block names a bank or a row that the memory has not, and
  /// RtlEnded where its RTL ends the run.
  void locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const override;
  std::string text() const override { return model_->text(); }
  indexing::Cost cost() const override { return model_->cost(); }

 protected:
  const indexing::Indexer& model() const { return *model_; }
  Cycle now() const { return now_(); }

 private:
  std::shared_ptr<const indexing::Indexer> model_;
  std::unique_ptr<MapBlock> block_;  ///< a signal's value is no part of what a mapping is
  Now now_;
};

/// Throws LockstepDifference at the first word for which the block says something else than the
/// model.
class LockstepIndexer final : public BlockIndexer {
 public:
  using BlockIndexer::BlockIndexer;
  void locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const override;
};

}  // namespace fermata::rtl
