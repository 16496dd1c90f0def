// wave64.ballot, .shfl and .push: operations over the 64 lanes of a wave64, whose halves are two
// warps. PTX has none of them: our HIP headers write them. Each is two instructions: a half tells
// its values and waits at the barrier of its wave64; then it reads what both have told. A half that
// does not come (it has exited, or waits at a barrier) has no lanes that take part.
#include <fermata/models/vocabulary/barrier_unit.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/kernel_decoder.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/warp.h>
#include <fermata/stimuli/ptx/wave_exchange.h>

namespace fermata::ptx {
namespace {

using Round = WaveExchange::Round;

/// Opens the next round. Both halves have read what its place held: a round ends when they have
/// come.
void openNext(WaveExchange& exchange) {
  ++exchange.number;
  exchange.rounds[exchange.number % 2] = Round{};
}

}  // namespace

WaveExchange& exchangeOf(Warp& warp) {
  std::vector<WaveExchange>& waves = warp.cta->waves;
  if (waves.empty()) waves.resize(BarrierUnit::kWaves);
  return waves[warp.indexInCta / 2];
}

Round& arriveInRound(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  WaveExchange& exchange = exchangeOf(warp);
  const unsigned half = halfOf(warp);
  Round& round = exchange.rounds[exchange.number % 2];
  if (!round.here[1 - half]) {
    round.pc = out.pc;
  } else if (round.pc != out.pc) {
    failAt(
        warp, i, firstLane(mask),
        "the halves of a wave64 are at different operations over its lanes; expected both at one");
  }
  round.here[half] = true;
  round.lanes[half] = mask;
  warp.waveRound = exchange.number;
  out.barrier = static_cast<std::uint16_t>(BarrierUnit::kBarriers + warp.indexInCta / 2);
  out.barrierThreads = WaveExchange::kLanes;
  out.barrierWaits = true;
  return round;
}

void endArrival(Warp& warp, const Round& round) {
  if (round.here[1 - halfOf(warp)]) openNext(exchangeOf(warp));
}

const Round& endedRound(Warp& warp) {
  WaveExchange& exchange = exchangeOf(warp);
  if (exchange.number == warp.waveRound) openNext(exchange);  // the other half has not come
  return exchange.rounds[warp.waveRound % 2];
}

namespace {

void executeWaveArrival(Warp& warp, const Instruction& i, LaneMask mask) {
  Round& round = arriveInRound(warp, i, mask);
  const unsigned base = halfOf(warp) * kWarpLanes;
  const std::uint32_t* value = rowOf<std::uint32_t>(warp, i.a);
  const std::uint32_t* where = rowOf<std::uint32_t>(warp, i.b);
  for (const unsigned lane : lanesIn(mask)) {
    round.value[base + lane] = value[lane];
    round.where[base + lane] = where[lane] % WaveExchange::kLanes;
  }
  endArrival(warp, round);
}

void executeWaveBallot(Warp& warp, const Instruction& i, LaneMask mask) {
  const Round& round = endedRound(warp);
  std::uint64_t ballot = 0;
  for (unsigned lane = 0; lane < WaveExchange::kLanes; ++lane)
    if (takesPart(round, lane) && round.value[lane] != 0) ballot |= std::uint64_t{1} << lane;
  for (const unsigned lane : lanesIn(mask)) rowOf<std::uint64_t>(warp, i.d)[lane] = ballot;
}

void executeWaveShuffle(Warp& warp, const Instruction& i, LaneMask mask) {
  const Round& round = endedRound(warp);
  const unsigned base = halfOf(warp) * kWarpLanes;
  for (const unsigned lane : lanesIn(mask)) {
    const unsigned source = round.where[base + lane];
    rowOf<std::uint32_t>(warp, i.d)[lane] = takesPart(round, source) ? round.value[source] : 0;
  }
}

void executeWavePush(Warp& warp, const Instruction& i, LaneMask mask) {
  const Round& round = endedRound(warp);
  std::array<std::uint32_t, WaveExchange::kLanes> pushed{};
  for (unsigned lane = 0; lane < WaveExchange::kLanes; ++lane)
    if (takesPart(round, lane)) pushed[round.where[lane]] = round.value[lane];
  const unsigned base = halfOf(warp) * kWarpLanes;
  for (const unsigned lane : lanesIn(mask))
    rowOf<std::uint32_t>(warp, i.d)[lane] = pushed[base + lane];
}

}  // namespace

void decodeWave64(Decoding& d) {
  const std::string_view what = d.takeOneOf({"ballot", "shfl", "push", "mfma"});
  if (what.empty()) d.unsupported("expected .ballot, .shfl, .push or .mfma");
  if (what == "mfma") return decodeWaveProduct(d);
  const bool isBallot = what == "ballot";
  const Type wanted = isBallot ? Type::B64 : Type::B32;
  if (d.takeType() != wanted) d.unsupported();
  d.finishModifiers();
  d.expectOperands(isBallot ? 2 : 3);
  d.i.handler = &executeWaveArrival;
  d.i.a = d.source(1, Type::B32);
  d.i.b = isBallot ? d.builder().constant(0, false) : d.source(2, Type::B32);
  d.emit(InstructionClass::Barrier);
  d.i.handler = isBallot         ? &executeWaveBallot
                : what == "shfl" ? &executeWaveShuffle
                                 : &executeWavePush;
  d.takeRows({wanted});
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
