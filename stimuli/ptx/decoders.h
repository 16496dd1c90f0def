// Decoders of instructions (decode_*.cpp). The table in instructions.cpp says which decodes what.
#pragma once

#include <optional>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {

/// Emits an instruction of class Integer that changes nothing.
void emitNothing(Decoding& d);
/// Decode cp.async.mbarrier, and emit an arrival at the mbarrier that `barrier` names. The arrival
/// takes effect after the warp's earlier copies.
void decodeCopyArrival(Decoding& d);
void emitArrival(Decoding& d, const Operand& barrier);

/// Decodes by a row of the table of forms. `type` has been taken.
void decodeRegular(Decoding& d, Type type);

/// Takes .rn, .rz, .rm or .rp; returns nothing if none is there.
std::optional<Rounding> takeDirection(Decoding& d);
/// Returns the type under which to take a register that may be wider than the instruction's type;
/// `narrowest` for types of one byte.
Type heldType(Decoding& d, const Operand& operand, Type type, Type narrowest);

using Decoder = void(Decoding& d);
Decoder decodeActiveMask, decodeAdvice, decodeAtomic, decodeBarrier, decodeBranch, decodeCp,
    decodeCvt, decodeCvta, decodeDependentGrids, decodeDotProduct, decodeElect, decodeEvent,
    decodeFence, decodeFloat8, decodeGather, decodeIndexedBranch, decodeIsSpace, decodeLoad,
    decodeMapAddress, decodeMatch, decodeMatrixMemory, decodeMBarrier, decodeMma, decodeMov,
    decodePolicy, decodePrefetch, decodeQuery, decodeRedux, decodeRegisterCount, decodeReturn,
    decodeSet, decodeSetp, decodeShuffle, decodeSleep, decodeStore, decodeSurface, decodeTexture,
    decodeToTf32, decodeTrap, decodeVideo, decodeVote, decodeWgmma, decodeWideAccess,
    decodeWideAtomic, decodeWideMove, decodeWmmaAccess, decodeWmmaProduct;

}  // namespace fermata::ptx
