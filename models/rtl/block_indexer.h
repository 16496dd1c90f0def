// A block of RTL as the mapping of a memory: users of an Indexer get the block's banks and rows.
#pragma once

#include <fermata/models/rtl/lockstep.h>
#include <fermata/models/rtl/map_block.h>

#include <memory>

namespace fermata::rtl {

/// `model` is the mapping that the block implements; it gives shape, text and cost.
class BlockIndexer : public indexing::Indexer {
 public:
  BlockIndexer(std::shared_ptr<const indexing::Indexer> model, std::unique_ptr<MapBlock> block,
               Now now);

  indexing::Location location(std::uint32_t word) const override;
  /// Throws LockstepDifference if the block names a bank or a row that the memory does not have,
  /// and RtlEnded if its RTL ends the run.
  void locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const override;
  std::string text() const override { return model_->text(); }
  indexing::Cost cost() const override { return model_->cost(); }
  std::string bankInC(const std::string& word) const override { return model_->bankInC(word); }

 protected:
  const indexing::Indexer& model() const { return *model_; }
  Cycle now() const { return now_(); }

 private:
  std::shared_ptr<const indexing::Indexer> model_;
  /// Driven by const members: signals are no part of a mapping's state.
  std::unique_ptr<MapBlock> block_;
  Now now_;
};

/// Compares the block with the model. Throws LockstepDifference at the first word for which their
/// answers differ.
class LockstepIndexer final : public BlockIndexer {
 public:
  using BlockIndexer::BlockIndexer;
  void locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const override;
};

}  // namespace fermata::rtl
