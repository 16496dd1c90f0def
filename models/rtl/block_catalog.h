// Blocks of RTL, simulated by Verilator: what models/rtl/*.sv describe, behind the interfaces that
// the model's own blocks have. A build that found no Verilator has none.
#pragma once

#include <fermata/models/rtl/map_block.h>

#include <memory>

namespace fermata::rtl {

/// The block that computes a mapping. Throws BadInput when there is none: for ami of other moduli
/// than 31, 33 to 63 and powers of two, or with corner=all-ones; for mod, perm, xor, bits, pairs,
/// fixed-xor and add of 1 bank or more than 128; for all other families; or in a build without
/// Verilator.
/// `ami M form=array` is the array adder of the paper, other forms the cheaper one (ami_divmod.sv).
std::unique_ptr<MapBlock> makeMapBlock(const indexing::Indexer& mapping);

}  // namespace fermata::rtl
