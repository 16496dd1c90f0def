// clusterlaunchcontrol: a CTA asks for the work of a cluster that has not started, which then never
// starts. The answer is there at once.
//
// An answer has 16 bytes: bit 0 says whether there is a cluster, the upper three words are the
// place of its first CTA in the grid.
#include <algorithm>
#include <array>
#include <cstring>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/models/vocabulary/cluster_answers.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/mbarrier.h>
#include <fermata/stimuli/ptx/wide_registers.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kAnswerBytes = 16;
constexpr std::string_view kPlaces[] = {"get_first_ctaid::x", "get_first_ctaid::y",
                                        "get_first_ctaid::z"};

void countAnswer(const Warp& warp, const Instruction& i, unsigned lane, std::uint64_t address) {
  const Window window = sharedWindowAt(warp, i, lane, address);
  const std::uint64_t offset = address - window.base;
  std::uint64_t word = 0;
  if (offset % 8 != 0 || offset + 8 > window.bytes)
    failAtAddress(warp, i, lane, FaultKind::Address, address,
                  "no mbarrier at address {:#x} of shared memory", address);
  readLane(window, address, lane, 8, reinterpret_cast<std::uint8_t*>(&word));
  MBarrier barrier(word);
  if (!barrier.valid() || !barrier.complete(kAnswerBytes))
    failAt(warp, i, lane, "no mbarrier there that takes 16 bytes; expected one");
  word = barrier.word();
  writeLane(window, address, lane, 8, reinterpret_cast<const std::uint8_t*>(&word));
}

/// Takes a cluster that has not begun. Returns the answer.
std::array<std::uint32_t, kAnswerBytes / 4> takeCluster(const Machine& machine) {
  const std::uint64_t cluster = machine.takeCluster ? machine.takeCluster() : Executor::kNoCluster;
  if (cluster == Executor::kNoCluster) return {};
  const Dim3 first = ctaIndex(machine.launch.grid, machine.cluster, cluster * machine.clusterCtas);
  return {1, first.x, first.y, first.z};
}

/// Writes the answer and counts its bytes at an mbarrier, in this CTA or all of the cluster. a,
/// offset: place of the answer; b, tensor.sharedOffset: of the mbarrier.
void executeTryCancel(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  out.space = MemorySpace::Shared;
  out.hasData = false;
  for (const unsigned lane : lanesIn(mask)) {
    const auto at = static_cast<std::uint32_t>(laneValue(warp, i.a, i.wideBase, lane) +
                                               static_cast<std::uint64_t>(i.offset));
    const auto barrier =
        static_cast<std::uint32_t>(laneValue(warp, i.b, i.wideData, lane)) + i.tensor.sharedOffset;
    out.address[lane] = at;
    laneWindow(warp, i, lane, out);
    const auto words = takeCluster(*warp.machine);
    std::uint8_t answer[kAnswerBytes];
    std::memcpy(answer, words.data(), sizeof answer);
    const unsigned ctas = i.tensor.multicasts ? warp.machine->clusterCtas : 1;
    setAnswerBarrier(out, lane,
                     ctas == 1 ? barrier : multicastAddress(offsetIn(barrier), (1U << ctas) - 1));
    for (unsigned rank = 0; rank < ctas; ++rank) {
      const std::uint64_t to = ctas == 1 ? at : addressIn(warp, at, rank);
      writeLane(sharedWindowAt(warp, i, lane, to), to, lane, kAnswerBytes, answer);
      countAnswer(warp, i, lane, ctas == 1 ? barrier : addressIn(warp, barrier, rank));
    }
  }
}

/// Rows a, b: the halves of an answer.
void executeIsCanceled(Warp& warp, const Instruction& i, LaneMask mask) {
  writePredicate(
      warp, i.pd,
      lanesWhere(mask,
                 [&](unsigned lane) { return (rowOf<std::uint64_t>(warp, i.a)[lane] & 1U) != 0; }),
      mask);
}

/// Rows vector[0..elements): places from dimension tensor.form on.
void executeFirstCta(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t lower = rowOf<std::uint64_t>(warp, i.a)[lane];
    const std::uint64_t upper = rowOf<std::uint64_t>(warp, i.b)[lane];
    const std::uint64_t words[] = {lower >> 32, upper, upper >> 32, 0};
    for (unsigned k = 0; k < i.elements; ++k)
      rowOf<std::uint32_t>(warp, i.vector[k])[lane] =
          static_cast<std::uint32_t>(words[i.tensor.form + k]);
  }
}

void decodeTryCancel(Decoding& d) {
  const bool shared = d.take("shared::cta");
  if (!d.take("async") || !d.take("mbarrier::complete_tx::bytes"))
    d.unsupported("expected .async.mbarrier::complete_tx::bytes");
  TensorOperands fields{};
  fields.multicasts = d.take("multicast::cluster::all");
  d.take("b128");
  d.finishModifiers();
  d.expectOperands(2);
  const std::int64_t window = shared ? 0 : static_cast<std::int64_t>(kSharedWindow);
  d.address(d.addressOperand(1), MemorySpace::Shared);
  d.i.b = d.i.a;
  d.i.wideData = d.i.wideBase;
  fields.sharedOffset = static_cast<std::uint32_t>(d.i.offset - window);
  d.address(d.addressOperand(0), MemorySpace::Shared);
  d.i.offset -= window;
  d.i.tensor = fields;
  d.i.handler = &executeTryCancel;
  d.i.operation = MemoryOperation::Store;
  d.i.bytesPerLane = kAnswerBytes;
  d.arrives = true;
  d.builder().code().takesClusters = true;
  d.emit(InstructionClass::Memory);
}

/// Takes the halves of the answer, operand 1.
void takeAnswer(Decoding& d) {
  const Operand& answer = d.operand(1);
  if (answer.kind != Operand::Kind::Register ||
      d.frame().function->registers[answer.index].type != Type::B128)
    d.fail(answer.at, "expected a register of type .b128");
  d.i.a = d.source(halfOf(answer, 0), Type::B64);
  d.i.b = d.source(halfOf(answer, 1), Type::B64);
}

void decodeQueryCancel(Decoding& d) {
  const bool asks = d.take("is_canceled"), all = d.take("get_first_ctaid");
  TensorOperands fields{};
  bool one = false;
  for (std::size_t k = 0; k < std::size(kPlaces); ++k) {
    if (!d.take(kPlaces[k])) continue;
    one = true;
    fields.form = static_cast<std::uint8_t>(k);
  }
  const bool typed = asks ? d.take("pred") : d.take("b32") && (one || (all && d.take("v4")));
  if (!typed || !d.take("b128"))
    d.unsupported("expected .is_canceled.pred.b128 or .get_first_ctaid.v4.b32.b128");
  d.finishModifiers();
  d.expectOperands(2);
  takeAnswer(d);
  if (asks) {
    d.i.pd = d.predicateDestination(d.operand(0));
    d.i.handler = &executeIsCanceled;
    d.emit(InstructionClass::Integer);
    return;
  }
  const auto places = Decoding::elementsOf(d.operand(0));
  if (places.size() != (one ? 1U : 4U))
    d.fail(d.operand(0).at, "{} registers; expected {}", places.size(), one ? 1 : 4);
  for (std::size_t k = 0; k < places.size(); ++k)
    d.i.vector[k] = d.destination(*places[k], Type::B32);
  d.i.elements = static_cast<std::uint8_t>(places.size());
  d.i.tensor = fields;
  d.i.handler = &executeFirstCta;
  d.emit(InstructionClass::Integer);
}

}  // namespace

void decodeClusterLaunch(Decoding& d) {
  if (d.take("try_cancel")) return decodeTryCancel(d);
  if (d.take("query_cancel")) return decodeQueryCancel(d);
  d.unsupported("expected .try_cancel or .query_cancel");
}

}  // namespace fermata::ptx
