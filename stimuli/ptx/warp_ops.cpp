// elect, bar.warp.sync, and rows of vote, shfl, activemask, match and redux: over the lanes of a
// warp.
#include <iterator>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/float_extremes.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>
#include <fermata/stimuli/ptx/warp_splits.h>

namespace fermata::ptx {
namespace {

/// True if members that `row` names are in other splits, and this split now waits for them.
bool waitsForMembers(Warp& warp, const Instruction& i, Row row, LaneMask mask) {
  if (warp.splits.empty()) return false;
  const std::uint32_t* named = rowOf<std::uint32_t>(warp, row);
  LaneMask members = 0;
  for (const unsigned lane : lanesIn(mask)) members |= named[lane];
  return lanesOfOtherSplits(warp, members) != 0 && waitsForOthers(warp, i);
}

/// Calls act(lanes) for each group of lanes that execute now and name the same members (`row`); in
/// a warp divided into tiles each tile names its own. Throws InputError if a lane executes but is
/// not a member. Members that do not execute (exited, or on another path) are left out; members in
/// another split are waited for.
template <class Act>
void forEachGroup(Warp& warp, const Instruction& i, Row row, LaneMask mask, Act act) {
  if (waitsForMembers(warp, i, row, mask)) return;
  const std::uint32_t* named = rowOf<std::uint32_t>(warp, row);
  while (mask != 0) {
    const LaneMask members = named[firstLane(mask)];
    const LaneMask group = lanesWhere(mask, [&](unsigned lane) { return named[lane] == members; });
    if ((group & ~members) != 0) {
      failAt(warp, i, firstLane(group & ~members),
             "the lane executes but is not in the member mask {:#x}", members);
    }
    act(group);
    mask &= ~group;
  }
}

void writeAll(const Warp& warp, Row row, LaneMask mask, std::uint32_t value) {
  std::uint32_t* d = rowOf<std::uint32_t>(warp, row);
  for (const unsigned lane : lanesIn(mask)) d[lane] = value;
}

template <bool Masked, class Act>
void eachGroup(Warp& warp, const Instruction& i, Row row, LaneMask mask, Act act) {
  if constexpr (Masked) return forEachGroup(warp, i, row, mask, act);
  act(mask);
}

enum class Vote { All, Any, Uniform, Ballot };
/// p: source; pd, or d for a ballot; b: member mask.
template <Vote V, bool Masked>
void executeVote(Warp& warp, const Instruction& i, LaneMask mask) {
  eachGroup<Masked>(warp, i, i.b, mask, [&](LaneMask voters) {
    const LaneMask yes = predicateValue(warp, i.p) & voters;
    if (V == Vote::Ballot) return writeAll(warp, i.d, voters, yes);
    const bool all = yes == voters, any = yes != 0;
    const bool result = V == Vote::All ? all : V == Vote::Any ? any : all || !any;
    writePredicate(warp, i.pd, result ? kAllLanes : 0, voters);
  });
}

// Segments are the mask in c[12:8], clamp is in c[4:0] (PTX ISA, shfl). A lane whose source is out
// of range keeps its own value. A lane whose source does not take part gets 0, which PTX leaves
// open: public reductions add values from lanes that do not take part.
enum class Shuffle { Up, Down, Butterfly, Index };
template <Shuffle S>
void shuffle(const Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint32_t* a = rowOf<std::uint32_t>(warp, i.a);
  const std::uint32_t* b = rowOf<std::uint32_t>(warp, i.b);
  const std::uint32_t* c = rowOf<std::uint32_t>(warp, i.c);
  std::uint32_t result[kWarpLanes] = {};
  LaneMask inRange = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t segments = (c[lane] >> 8) & 31U;
    const std::uint32_t clamp = c[lane] & 31U;
    const int last = static_cast<int>((lane & segments) | (clamp & ~segments));
    const int delta = static_cast<int>(b[lane] & 31U);
    const int self = static_cast<int>(lane);
    const int indexed = static_cast<int>((lane & segments) | (b[lane] & 31U & ~segments));
    const int source = S == Shuffle::Up          ? self - delta
                       : S == Shuffle::Down      ? self + delta
                       : S == Shuffle::Butterfly ? self ^ delta
                                                 : indexed;
    const bool valid = S == Shuffle::Up ? source >= last : source <= last;
    const bool takesPart = !valid || laneOn(mask, static_cast<unsigned>(source));
    result[lane] = takesPart ? a[valid ? source : self] : 0;
    inRange |= valid ? LaneMask{1} << lane : 0U;
  }
  std::uint32_t* d = rowOf<std::uint32_t>(warp, i.d);
  for (const unsigned lane : lanesIn(mask)) d[lane] = result[lane];
  writePredicate(warp, i.pd, inRange, mask);
}
/// a: value; b: lane or delta; c: clamp and segments; d, pd; vector[0]: member mask.
template <Shuffle S, bool Masked>
void executeShuffle(Warp& warp, const Instruction& i, LaneMask mask) {
  eachGroup<Masked>(warp, i, i.vector[0], mask,
                    [&](LaneMask group) { shuffle<S>(warp, i, group); });
}

template <bool All, bool Wide>
void match(const Warp& warp, const Instruction& i, LaneMask mask) {
  LaneMask equal[kWarpLanes] = {};
  bool all = true;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t mine = laneValue(warp, i.a, Wide, lane);
    equal[lane] =
        lanesWhere(mask, [&](unsigned other) { return laneValue(warp, i.a, Wide, other) == mine; });
    all = all && equal[lane] == mask;
  }
  if (All) {
    writeAll(warp, i.d, mask, all ? mask : 0);
    return writePredicate(warp, i.pd, all ? kAllLanes : 0, mask);
  }
  for (const unsigned lane : lanesIn(mask)) rowOf<std::uint32_t>(warp, i.d)[lane] = equal[lane];
}
/// a: value; b: member mask; d, pd.
template <bool All, bool Wide>
void executeMatch(Warp& warp, const Instruction& i, LaneMask mask) {
  forEachGroup(warp, i, i.b, mask, [&](LaneMask group) { match<All, Wide>(warp, i, group); });
}

/// a: value; b: member mask; d.
template <class T, class Op>
void executeReduce(Warp& warp, const Instruction& i, LaneMask mask) {
  forEachGroup(warp, i, i.b, mask, [&](LaneMask group) {
    const std::uint32_t* a = rowOf<std::uint32_t>(warp, i.a);
    std::uint32_t total = a[firstLane(group)];
    for (const unsigned lane : lanesIn(group & (group - 1))) {
      total = static_cast<std::uint32_t>(
          operationOf<Op>()(static_cast<T>(total), static_cast<T>(a[lane])));
    }
    writeAll(warp, i.d, group, total);
  });
}

void executeActiveMask(Warp& warp, const Instruction& i, LaneMask mask) {
  writeAll(warp, i.d, mask, mask);
}

template <Handler Execute, TypeSet Types>
Handler handlerFor(Type type, std::uint8_t flags) {
  return contains(Types, type) && flags == 0 ? Execute : nullptr;
}
constexpr TypeSet kB32 = setOf(Type::B32);
constexpr TypeSet kB64 = setOf(Type::B64);
constexpr TypeSet kPredicate = setOf(Type::Pred);
constexpr TypeSet kWords = kB32 | setOf(Type::U32, Type::S32, Type::F32, Type::F16x2, Type::Bf16x2);
using Kind = OperandKind;

template <Vote V, bool Masked = false>
constexpr Form vote(std::string_view opcode) {
  return {opcode,
          {Kind::Same, Kind::Predicate, Masked ? Kind::B32 : Kind::None},
          &handlerFor < &executeVote<V, Masked>,
          V == Vote::Ballot ? kB32 : kPredicate > };
}
template <Shuffle S, bool Masked = false>
constexpr Form shfl(std::string_view opcode) {
  return {opcode,
          {Kind::SamePair, Kind::Same, Kind::B32, Kind::B32, Masked ? Kind::B32 : Kind::None},
          &handlerFor<&executeShuffle<S, Masked>, kWords>};
}
template <bool All>
Handler matchFor(Type type, std::uint8_t flags) {
  return type == Type::B64 ? handlerFor<&executeMatch<All, true>, kB64>(type, flags)
                           : handlerFor<&executeMatch<All, false>, kB32>(type, flags);
}
template <class Op>
Handler sumFor(Type type, std::uint8_t flags) {
  return type == Type::S32
             ? handlerFor<&executeReduce<std::int32_t, Op>, setOf(Type::S32)>(type, flags)
             : handlerFor<&executeReduce<std::uint32_t, Op>, setOf(Type::U32)>(type, flags);
}
template <class Op>
constexpr Form sums(std::string_view opcode, Op) {
  return {opcode, {Kind::Same, Kind::Same, Kind::B32}, &sumFor<Op>};
}
template <class Op>
constexpr Form bits(std::string_view opcode, Op) {
  return {opcode,
          {Kind::Same, Kind::Same, Kind::B32},
          &handlerFor<&executeReduce<std::uint32_t, Op>, kB32>};
}

constexpr Form kForms[] = {
    vote<Vote::All>("vote.all"),
    vote<Vote::Any>("vote.any"),
    vote<Vote::Uniform>("vote.uni"),
    vote<Vote::Ballot>("vote.ballot"),
    vote<Vote::All, true>("vote.sync.all"),
    vote<Vote::Any, true>("vote.sync.any"),
    vote<Vote::Uniform, true>("vote.sync.uni"),
    vote<Vote::Ballot, true>("vote.sync.ballot"),
    shfl<Shuffle::Up>("shfl.up"),
    shfl<Shuffle::Down>("shfl.down"),
    shfl<Shuffle::Butterfly>("shfl.bfly"),
    shfl<Shuffle::Index>("shfl.idx"),
    shfl<Shuffle::Up, true>("shfl.sync.up"),
    shfl<Shuffle::Down, true>("shfl.sync.down"),
    shfl<Shuffle::Butterfly, true>("shfl.sync.bfly"),
    shfl<Shuffle::Index, true>("shfl.sync.idx"),
    {"activemask", {Kind::Same}, &handlerFor<&executeActiveMask, kB32>},
    {"match.any.sync", {Kind::B32, Kind::Same, Kind::B32}, &matchFor<false>},
    {"match.all.sync", {Kind::B32Pair, Kind::Same, Kind::B32}, &matchFor<true>},
    sums("redux.sync.add",
         [](auto a, auto b) {
           return static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b);
         }),
    sums("redux.sync.min", [](auto a, auto b) { return a < b ? a : b; }),
    sums("redux.sync.max", [](auto a, auto b) { return a < b ? b : a; }),
    bits("redux.sync.and", [](auto a, auto b) { return a & b; }),
    bits("redux.sync.or", [](auto a, auto b) { return a | b; }),
    bits("redux.sync.xor", [](auto a, auto b) { return a ^ b; }),
};

/// a: value; b: member mask; d; floatFlags.
void executeReduceFloat(Warp& warp, const Instruction& i, LaneMask mask) {
  forEachGroup(warp, i, i.b, mask, [&](LaneMask group) {
    const std::uint32_t* a = rowOf<std::uint32_t>(warp, i.a);
    float total = preparedFloat(i.floatFlags, a[firstLane(group)]);
    for (const unsigned lane : lanesIn(group & (group - 1)))
      total = extremeOf(i.floatFlags, total, preparedFloat(i.floatFlags, a[lane]));
    writeAll(warp, i.d, group, canonicalBits(total));
  });
}

/// a: member mask; d: the lowest lane of the group; pd: true in that lane.
void executeElect(Warp& warp, const Instruction& i, LaneMask mask) {
  forEachGroup(warp, i, i.a, mask, [&](LaneMask group) {
    writeAll(warp, i.d, group, firstLane(group));
    writePredicate(warp, i.pd, LaneMask{1} << firstLane(group), group);
  });
}

}  // namespace

const Form* warpForm(std::size_t k) {
  return k < std::size(kForms) ? &kForms[k] : nullptr;
}

void executeWarpSync(Warp& warp, const Instruction& i, LaneMask mask) {
  forEachGroup(warp, i, i.a, mask, [](LaneMask) {});
}

void decodeFloatReduction(Decoding& d) {
  const std::string_view operation = d.takeOneOf({"min", "max"});
  if (!d.take("sync") || operation.empty()) d.unsupported("expected .sync.min or .sync.max");
  d.i.floatFlags = takeExtreme(d, operation == "max");
  d.takeType();
  d.finish(&executeReduceFloat, {Type::F32, Type::F32, Type::B32});
}

void decodeElect(Decoding& d) {
  if (!d.take("sync")) d.unsupported("expected .sync");
  d.finishModifiers();
  d.expectOperands(2);
  if (d.operand(0).kind != Operand::Kind::Pair)
    d.fail(d.operand(0).at, "expected a lane and a predicate such as %r1|%p1");
  d.i.handler = &executeElect;
  d.takeRows({Type::B32, Type::B32}, true);
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
