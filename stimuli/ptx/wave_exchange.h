// Rounds in which the halves of a wave64 tell each other their values (wave64.cpp).
#pragma once

#include <fermata/stimuli/ptx/decoding.h>
#include <fermata/stimuli/ptx/module.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

inline unsigned halfOf(const Warp& warp) {
  return warp.indexInCta % 2;
}
WaveExchange& exchangeOf(Warp& warp);

/// Lets a half come to the open round, and waits for the other one. The caller writes what the half
/// tells. Throws InputError if the other half has come by another instruction.
WaveExchange::Round& arriveInRound(Warp& warp, const Instruction& i, LaneMask mask);
/// Ends what arriveInRound() began: the half has told its values.
void endArrival(Warp& warp, const WaveExchange::Round& round);
/// Returns the round that the warp has waited in, which is over.
const WaveExchange::Round& endedRound(Warp& warp);

/// Returns whether a lane of the wave takes part.
inline bool takesPart(const WaveExchange::Round& round, unsigned lane) {
  return (round.lanes[lane / kWarpLanes] >> lane % kWarpLanes & 1) != 0;
}

/// Decodes wave64.mfma behind these words.
void decodeWaveProduct(Decoding& d);
/// Returns whether the kernel has products of a wave64.
bool hasWaveProducts(const Kernel& kernel);

}  // namespace fermata::ptx
