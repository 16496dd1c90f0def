// How a platform is put together. Whoever derives from it puts modules, memories and blocks of his
// own in.
#pragma once

#include <fermata/models/rtl/block_catalog.h>
#include <fermata/models/rtl/block_memory.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <memory>

namespace fermata::platforms {

class Connector {
 public:
  virtual ~Connector() = default;

  /// Two modules of the path; a third may come between them.
  virtual void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) { from.bind(to); }
  virtual void joinLine(LineInitiatorSocket& from, LineTargetSocket& to) { from.bind(to); }
  /// A memory of one's own behind the L2, in the place of Dram: binds it and returns true.
  virtual bool bindMemory(LineInitiatorSocket&) { return false; }
  /// A memory of RTL behind the address generation unit of a multiprocessor, in the place of
  /// crossbar and scratchpad: what it returns is bound there, its signals are written, and its
  /// loads are verified; null: none. Throws BadInput for a platform that it cannot stand in.
  virtual std::unique_ptr<rtl::BlockMemory> blockMemory(const rtl::BlockMemory::Parameters&) {
    return nullptr;
  }

  /// Blocks of RTL, for rtl.* of each multiprocessor. Each throws BadInput where there is none.
  virtual std::unique_ptr<rtl::MapBlock> mapBlock(const indexing::Indexer& mapping) {
    return rtl::makeMapBlock(mapping);
  }
  virtual std::unique_ptr<rtl::PassBlock> passBlock(std::uint32_t banks) {
    return rtl::makePassBlock(banks);
  }
  virtual std::unique_ptr<rtl::ScratchpadBlock> scratchpadBlock(std::uint32_t banks,
                                                                std::uint32_t rows) {
    return rtl::makeScratchpadBlock(banks, rows);
  }
  virtual std::unique_ptr<rtl::LockBlock> lockBlock(std::uint32_t locks) {
    return rtl::makeLockBlock(locks);
  }
};

}  // namespace fermata::platforms
