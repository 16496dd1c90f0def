// Shared by the decoders of tcgen05. Each `decodeTensor...` takes what follows the operation's
// name.
#pragma once

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>

namespace fermata::ptx {

/// Takes .cta_group::1 or .cta_group::2. Returns true for the latter, pairs of CTAs.
bool takeCtaGroup(Decoding& d);
/// Takes the address [base + offset] in tensor memory of operand k into i.a and i.offset.
void takeTensorAddress(Decoding& d, std::size_t k);
/// Returns the row of an address in tensor memory. Throws InputError if it has an offset.
Row plainTensorAddress(Decoding& d, std::size_t k);
/// Emits an access of the warp to tensor memory, which moves `columns` registers of each lane.
void emitTensorAccess(Decoding& d, unsigned columns);
/// StaticInstruction::tensorWork of what the tensor unit does by itself.
inline constexpr std::uint16_t kProductOfShared = 1;  ///< a product, both factors in shared memory
inline constexpr std::uint16_t kProductOfTensor = 2;  ///< a product, a in tensor memory
inline constexpr std::uint16_t kCopyToTensor = 3;     ///< a copy; an arrival
inline constexpr std::uint16_t kSparseOfShared = 4;   ///< kProductOfShared with a sparse a
inline constexpr std::uint16_t kSparseOfTensor = 5;
/// Emits what the tensor unit does by itself, reading shared memory in pieces.
void emitTensorWork(Decoding& d, std::uint16_t work);

Decoder decodeTensorAllocate, decodeTensorFree, decodeTensorRelinquish, decodeTensorLoad,
    decodeTensorStore, decodeTensorWait, decodeTensorCopyIn, decodeTensorShift, decodeTensorProduct,
    decodeTensorCommit;

}  // namespace fermata::ptx
