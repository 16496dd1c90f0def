// The registers that the operands of an instruction are in the machine.
#include <algorithm>

#include <fermata/stimuli/ptx/machine_lowering.h>

namespace fermata::ptx {
namespace {

void addRead(const Folding& folding, StaticInstruction& one, RegisterId id, unsigned depth) {
  constexpr unsigned kDeepest = 16;
  if (folding.replaced[id] && depth < kDeepest) {
    for (const RegisterId instead : folding.readsInstead[id])
      addRead(folding, one, instead, depth + 1);
    return;
  }
  const RegisterId same = folding.same[id];
  const auto end = one.reads.begin() + one.readCount;
  if (one.readCount < StaticInstruction::kMaxReads &&
      std::find(one.reads.begin(), end, same) == end)
    one.reads[one.readCount++] = same;
}

/// Adds the operands of the accesses that an instruction stands for.
void addJoined(const KernelCode& code, const Folding& folding, const JoinedAccess& joined,
               StaticInstruction& one) {
  one.bytesPerLane = joined.bytes;
  for (const std::uint32_t pc : joined.others) {
    const StaticInstruction& other = code.statics[pc];
    for (unsigned k = 0; k < other.readCount; ++k) addRead(folding, one, other.reads[k], 0);
    for (unsigned k = 0; k < other.writeCount; ++k)
      one.writes[one.writeCount++] = folding.same[other.writes[k]];
  }
}

}  // namespace

StaticInstruction machineOperands(const KernelCode& code, const Folding& folding,
                                  std::uint32_t pc) {
  const StaticInstruction& known = code.statics[pc];
  StaticInstruction one = known;
  one.readCount = 0;
  for (unsigned k = 0; k < known.readCount; ++k) addRead(folding, one, known.reads[k], 0);
  for (unsigned k = 0; k < one.writeCount; ++k) one.writes[k] = folding.same[one.writes[k]];
  const auto joined = folding.joined.find(pc);
  if (joined != folding.joined.end()) addJoined(code, folding, joined->second, one);
  return one;
}

}  // namespace fermata::ptx
