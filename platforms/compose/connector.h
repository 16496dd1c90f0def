// Puts a platform together. Derive from it to put in modules, memories and blocks of your own.
#pragma once

#include <fermata/models/rtl/block_catalog.h>
#include <fermata/models/rtl/block_memory.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <memory>

namespace fermata::platforms {

/// Order of numbers in which the multiprocessors are built. No figure depends on it.
enum class BuildOrder { Rising, Falling };

class Connector {
 public:
  virtual ~Connector() = default;

  /// Join two neighbouring modules of a path; an override may put a third between them.
  virtual void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) { from.bind(to); }
  virtual void joinLine(LineInitiatorSocket& from, LineTargetSocket& to) { from.bind(to); }
  /// Binds a memory of your own behind the L2 in the place of Dram, and returns true.
  virtual bool bindMemory(LineInitiatorSocket&) { return false; }
  /// Returns a memory of RTL to stand behind the address generation unit of a multiprocessor, in
  /// the place of crossbar and scratchpad; null: none. The caller binds it, writes its signals and
  /// verifies its loads. Throws BadInput for a platform that it cannot stand in.
  virtual std::unique_ptr<rtl::BlockMemory> blockMemory(const rtl::BlockMemory::Parameters&) {
    return nullptr;
  }

  /// Make blocks of RTL, for rtl.* of each multiprocessor. Each throws BadInput if there is none.
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
