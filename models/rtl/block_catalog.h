// Makes the blocks of RTL in models/rtl/*.sv, simulated by Verilator, behind the interfaces of the
// model's own blocks. A build without Verilator has none.
#pragma once

#include <fermata/models/rtl/lock_block.h>
#include <fermata/models/rtl/map_block.h>
#include <fermata/models/rtl/pass_block.h>
#include <fermata/models/rtl/scratchpad_block.h>

#include <memory>

namespace fermata::rtl {

/// Returns the block that computes a mapping. Throws BadInput if there is none: for ami of other
/// moduli than 31, 33 to 63 and powers of two, or with corner=all-ones; for mod, perm, xor, bits,
/// pairs, fixed-xor and add of 1 bank or more than 128; for all other families; or in a build
/// without Verilator.
/// `ami M form=array` is the array adder of the paper, other forms the cheaper one (ami_divmod.sv).
std::unique_ptr<MapBlock> makeMapBlock(const indexing::Indexer& mapping);

// The factories below throw BadInput for sizes that no block has, which the message names, or in a
// build without Verilator. The bank and row, or the lock, of an asking lane must be within the
// size.

/// Returns pass_arbiter.sv: 1 to 128 banks, rows of 32 bits.
std::unique_ptr<PassBlock> makePassBlock(std::uint32_t banks);
/// Returns banked_scratchpad.sv: 1 to 128 banks of 1 to 2048 rows, all words 0.
std::unique_ptr<ScratchpadBlock> makeScratchpadBlock(std::uint32_t banks, std::uint32_t rows);
/// Returns lock_unit.sv: 1 to 4096 locks, none taken.
std::unique_ptr<LockBlock> makeLockBlock(std::uint32_t locks);

}  // namespace fermata::rtl
