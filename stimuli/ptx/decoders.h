// Decoders of instructions (decode_*.cpp). The table in instructions.cpp says which decodes what.
#pragma once

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {

/// Modifiers of setp and set.
struct Comparison {
  Compare compare = Compare::Eq;
  bool unsignedOnly = false;
  Combine combine = Combine::None;
  bool flush = false;
};
Comparison takeComparison(Decoding& d);

/// Emits an instruction of class Integer that changes nothing.
void emitNothing(Decoding& d);
/// Decode cp.async.mbarrier, and emit an arrival at the mbarrier that `barrier` names. The arrival
/// takes effect after the warp's earlier copies.
void decodeCopyArrival(Decoding& d);
void emitArrival(Decoding& d, const Operand& barrier);

/// Decodes by a row of the table of forms. `type` has been taken.
void decodeRegular(Decoding& d, Type type);

void decodeActiveMask(Decoding& d);
void decodeAdvice(Decoding& d);
void decodeAtomic(Decoding& d);
void decodeBarrier(Decoding& d);
void decodeBranch(Decoding& d);
void decodeCarry(Decoding& d);
void decodeCp(Decoding& d);
void decodeCvt(Decoding& d);
void decodeCvta(Decoding& d);
void decodeDependentGrids(Decoding& d);
void decodeDotProduct(Decoding& d);
void decodeElect(Decoding& d);
void decodeEvent(Decoding& d);
void decodeFence(Decoding& d);
void decodeFloat8(Decoding& d);
void decodeGather(Decoding& d);
void decodeHalf(Decoding& d);
void decodeHalfCvt(Decoding& d);
void decodeHalfSet(Decoding& d);
void decodeHalfSetp(Decoding& d);
void decodeIndexedBranch(Decoding& d);
void decodeIsSpace(Decoding& d);
void decodeLoad(Decoding& d);
void decodeMapAddress(Decoding& d);
void decodeMatch(Decoding& d);
void decodeMatrixMemory(Decoding& d);
void decodeMBarrier(Decoding& d);
void decodeMma(Decoding& d);
void decodeMov(Decoding& d);
void decodePolicy(Decoding& d);
void decodePrefetch(Decoding& d);
void decodeQuery(Decoding& d);
void decodeRedux(Decoding& d);
void decodeRegisterCount(Decoding& d);
void decodeReturn(Decoding& d);
void decodeSet(Decoding& d);
void decodeSetp(Decoding& d);
void decodeShuffle(Decoding& d);
void decodeSlct(Decoding& d);
void decodeSleep(Decoding& d);
void decodeStore(Decoding& d);
void decodeSurface(Decoding& d);
void decodeTestp(Decoding& d);
void decodeTexture(Decoding& d);
void decodeToTf32(Decoding& d);
void decodeTrap(Decoding& d);
void decodeVideo(Decoding& d);
void decodeVote(Decoding& d);
void decodeWgmma(Decoding& d);
void decodeWideAccess(Decoding& d);
void decodeWideAtomic(Decoding& d);
void decodeWideMove(Decoding& d);
void decodeWmmaAccess(Decoding& d);
void decodeWmmaProduct(Decoding& d);

}  // namespace fermata::ptx
