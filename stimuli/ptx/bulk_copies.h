// Copies of whole blocks and boxes (cp.async.bulk, cp.async.bulk.tensor and their reductions), cut
// into pieces of at most 32 chunks of 16 bytes. Each execution begins one piece, an access of as
// many lanes; an engine carries the pieces out.
#pragma once

#include <cstdint>

#include <fermata/stimuli/ptx/decoding.h>
#include <fermata/stimuli/ptx/tensor_map.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

/// A chunk of 16 bytes in shared memory, and the bytes of it that global memory has.
struct BulkChunk {
  TensorBox::Chunk global;
  std::uint32_t shared = 0;
  bool flipped = false;  ///< its halves change places in shared memory
};

/// Facts that all chunks of one lane's copy share.
struct BulkShape {
  std::uint32_t chunks = 0;
  std::uint64_t fill = 0;                       ///< element outside of the tensor
  std::uint8_t chunkBytes = TensorBox::kChunk;  ///< that an mbarrier counts for a chunk
  std::uint8_t elementBytes = 16;
  bool rounds = false;                 ///< floats of the tensor become those of tf32Rounded()
  StoreLog::Update combine = nullptr;  ///< a reduction
  std::uint16_t ctas = 0;              ///< as PendingCopy::ctas
};

// The kinds of copies, by where they begin and end.
void beginIn(Warp& warp, const Instruction& i, LaneMask lanes, const BulkShape& shape,
             const std::array<BulkChunk, kWarpLanes>& chunks);
void beginAcross(Warp& warp, const Instruction& i, LaneMask lanes, const BulkShape& shape,
                 const std::array<BulkChunk, kWarpLanes>& chunks);
void beginOut(Warp& warp, const Instruction& i, LaneMask lanes, const BulkShape& shape,
              const std::array<BulkChunk, kWarpLanes>& chunks);

/// Begins the next piece of the first lane's copy; chunkOf(k) returns its chunk k. The warp
/// executes the instruction again until all lanes' copies have begun.
template <class ChunkOf>
void executePiece(Warp& warp, const Instruction& i, LaneMask mask, const BulkShape& shape,
                  ChunkOf chunkOf) {
  std::uint32_t& done = warp.copies.bulkDone;
  const std::uint32_t count = std::min(shape.chunks - done, std::uint32_t{kWarpLanes});
  warp.copies.bulkBytes[firstLane(mask)] = shape.chunks * shape.chunkBytes;
  warp.copies.bulkCtas[firstLane(mask)] = shape.ctas;
  std::array<BulkChunk, kWarpLanes> chunks;
  for (std::uint32_t k = 0; k < count; ++k) chunks[k] = chunkOf(done + k);
  done += count;
  if (done == shape.chunks) {
    done = 0;
    mask &= mask - 1;
  }
  const LaneMask lanes = count == 0 ? 0 : kAllLanes >> (kWarpLanes - count);
  warp.machine->out->active = lanes;
  const auto begin = i.copyStep == CopyStep::BulkOut  ? beginOut
                     : i.space == MemorySpace::Global ? beginIn
                                                      : beginAcross;
  if (lanes != 0) begin(warp, i, lanes, shape, chunks);
  if (mask != 0) executeAgain(warp, i, mask);
}

/// Returns the CTAs to which a lane's copy goes, as PendingCopy::ctas. Throws InputError if the
/// cluster does not have them all.
std::uint16_t ctasOf(const Warp& warp, const Instruction& i, unsigned lane);
/// Puts a piece of a copy at its target.
void landBulk(Warp& warp, PendingCopy& copy);
/// True if all bytes of the lanes of a piece are stored as they are, at multiples of 16.
bool isWhole(const PendingCopy& copy);

/// Emits the instructions of a copy whose fields are set: the copy and, unless it is of a group,
/// the count of its bytes at the mbarrier of operand `barrier`.
/// `pairs`: the mbarrier is that of the pair of CTAs (.cta_group::2).
void emitBulk(Decoding& d, std::size_t barrier, bool pairs = false);
/// Handlers of the count of a copy's bytes at its mbarrier.
void executeCompletion(Warp& warp, const Instruction& i, LaneMask mask);
void executePairCompletion(Warp& warp, const Instruction& i, LaneMask mask);
/// Takes the CTAs of a multicast from operand k.
void takeCtas(Decoding& d, std::size_t k, bool multicasts);
/// Takes an address in shared memory.
void takeSharedEnd(Decoding& d, std::size_t k);
/// Takes the operation of a reduction.
AtomicOp takeReduction(Decoding& d);
/// Returns what combines elements. Throws InputError if there is no such reduction.
StoreLog::Update combinationOf(const Warp& warp, const Instruction& i, unsigned lane, Type type);

/// Decode copies with a tensor map (tensor_copies.cpp); `.tensor` has been taken.
void decodeTensorCopy(Decoding& d);
void decodeTensorReduction(Decoding& d);
void decodeTensorPrefetch(Decoding& d);

}  // namespace fermata::ptx
