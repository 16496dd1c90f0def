// Decoders of instructions. The table in instructions.cpp says which decodes what.
#pragma once

#include <optional>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {

// Shared by decoders of memory instructions (decode_memory.cpp).

/// Takes hints and memory-model qualifiers. They change nothing here, since one SM executes in
/// order; `observes` notes those that read what others may change.
void takeQualifiers(Decoding& d);
/// Takes the state space; Generic if none is named.
MemorySpace takeSpace(Decoding& d);
/// Takes the state space of an atomic: shared, global or generic.
MemorySpace takeAtomicSpace(Decoding& d);
/// Takes .v2 or .v4; returns 1 if neither is there.
unsigned takeElements(Decoding& d);

/// Decodes a red with `further` operands behind its own. Returns the bytes of a lane.
unsigned decodeReductionAnd(Decoding& d, std::size_t further);

/// Emits an instruction of class Integer that changes nothing.
void emitNothing(Decoding& d);
/// Decode cp.async.mbarrier, and emit an arrival at the mbarrier that operand `barrier` names. The
/// arrival takes effect after the warp's earlier copies, as `step` says.
void decodeCopyArrival(Decoding& d);
void emitArrival(Decoding& d, std::size_t barrier, CopyStep step);
/// Emits the count of `bytes` bytes per lane at the mbarrier that operand `barrier` names.
void emitBytes(Decoding& d, std::size_t barrier, unsigned bytes);
/// Decode cp.async.bulk and cp.reduce.async.bulk (bulk_copies.cpp).
void decodeBulkCopy(Decoding& d);
void decodeBulkReduction(Decoding& d);

/// Decodes a mov of %is_explicit_cluster (clusters.cpp).
void moveExplicitCluster(Decoding& d);

/// Decodes by a row of the table of forms. `type` has been taken.
void decodeRegular(Decoding& d, Type type);

/// Takes .rn, .rz, .rm or .rp; returns nothing if none is there.
std::optional<Rounding> takeDirection(Decoding& d);
/// Returns the type under which to take a register that may be wider than the instruction's type;
/// for types of one byte `narrowest`, or the type of a register of one byte.
Type heldType(Decoding& d, const Operand& operand, Type type, Type narrowest);

using Decoder = void(Decoding& d);
Decoder decodeAdvice, decodeAnd, decodeAsyncStore, decodeAtomic, decodeBarrier, decodeBlockStore,
    decodeBranch, decodeClusterLaunch, decodeCp, decodeCvt, decodeCvta, decodeDependentGrids,
    decodeDotProduct, decodeElect, decodeEvent, decodeExtreme, decodeFence, decodeFloat8,
    decodeFloatReduction, decodeGather, decodeIndexedBranch, decodeIsSpace, decodeLoad,
    decodeMBarrier, decodeMapAddress, decodeMulticastAccess, decodeMatrixMemory, decodeMma,
    decodeMov, decodeMoveMatrix, decodePackIntegers, decodePolicy, decodePrefetch, decodeQuery,
    decodeRankOf, decodeRegisterCount, decodeReturn, decodeScaledProduct, decodeSet, decodeSetp,
    decodeSleep, decodeSmallFloat, decodeStore, decodeSurface, decodeTensorMap, decodeTexture,
    decodeTcgen05, decodeToTf32, decodeTrap, decodeVideo, decodeWave64, decodeWgmma,
    decodeWideAccess, decodeWideAtomic, decodeWideMove, decodeWmmaAccess, decodeWmmaProduct;

}  // namespace fermata::ptx
