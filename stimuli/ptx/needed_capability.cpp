#include <fermata/stimuli/ptx/needed_capability.h>

#include <algorithm>

#include <fermata/stimuli/ptx/executor_state.h>
#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::ptx {
namespace {

/// From PTX ISA 8.8, "Target ISA Notes" of each instruction. The first row that fits counts. What
/// the model carries out with units that every platform has (cp.async, ldmatrix) is not here:
/// layouts may be tried on older machines.
constexpr CapabilityNeed kNeeds[] = {
    {"mma", ".kind::", 120, 0, "sm_120"},
    {"mma", ".e4m3", 89, 0, "sm_89, sm_90 or sm_120"},
    {"mma", ".e5m2", 89, 0, "sm_89, sm_90 or sm_120"},
    {"mma", "m16n8k4.row.col.f64", 90, 0, "sm_90"},
    {"mma", "m16n8k8.row.col.f64", 90, 0, "sm_90"},
    {"mma", "m16n8k16.row.col.f64", 90, 0, "sm_90"},
    {"mma", ".f64", 80, 0, "sm_80"},
    {"mma.sp", "", 80, 0, "sm_80"},
    {"mma", ".bf16", 80, 0, "sm_80"},
    {"mma", ".tf32", 80, 0, "sm_80"},
    {"mma", ".m16n8k16", 80, 0, "sm_80"},
    {"mma", ".m16n8k32", 80, 0, "sm_80"},
    {"mma", ".m16n8k64", 80, 0, "sm_80"},
    {"mma", ".m16n8k128", 80, 0, "sm_80"},
    {"mma", ".m16n8k256", 80, 0, "sm_80"},
    {"mma", ".m16n8k8", 75, 0, "sm_75"},
    {"mma", ".m8n8k16", 75, 0, "sm_75"},
    {"mma", ".m8n8k32", 75, 0, "sm_75"},
    {"mma", ".m8n8k128", 75, 0, "sm_75"},
    {"mma", "", 70, 0, "sm_70"},
    {"wgmma", "", 90, 90, "sm_90"},
    {"tcgen05.ld.red", "", 103, 109, "sm_100 set to 10.3"},
    {"tcgen05", "", 100, 109, "sm_100"},
    {"clusterlaunchcontrol", "", 100, 0, "sm_100 or sm_120"},
    {"cp.async.bulk", "", 90, 0, "sm_90"},
    {"cp.reduce.async.bulk", "", 90, 0, "sm_90"},
    {"st.bulk", "", 100, 0, "sm_100 or sm_120"},
    {"st.async", "", 90, 0, "sm_90"},
    {"red.async", "", 90, 0, "sm_90"},
    {"barrier.cluster", "", 90, 0, "sm_90"},
    {"mapa", "", 90, 0, "sm_90"},
    {"stmatrix", "", 90, 0, "sm_90"},
};

bool isLacking(const CapabilityNeed& need, unsigned capability) {
  return capability < need.least || (need.most != 0 && capability > need.most);
}

std::string numberText(unsigned tenths) {
  return fmt::format("{}.{}", tenths / 10, tenths % 10);
}

std::string rangeText(const CapabilityNeed& need) {
  if (need.most == 0) return numberText(need.least);
  if (need.most == need.least) return numberText(need.least) + " and no later one";
  return fmt::format("{} to {}", numberText(need.least), numberText(need.most));
}

/// Refuses to execute.
void executeLacking(Warp& warp, const Instruction& i, LaneMask mask) {
  const KernelCode& code = *warp.machine->code;
  const std::string& opcode =
      code.texts[static_cast<std::size_t>(&i - code.instructions.data())].opcode;
  const CapabilityNeed& need = *capabilityNeed(opcode);
  failAt(
      warp, i, firstLane(mask),
      "needs compute capability {}; the platform has {}; expected one that has it, such as {} (or "
      "--set device.capability={})",
      rangeText(need), numberText(warp.machine->options.capability), need.platforms,
      numberText(need.least));
}

}  // namespace

const CapabilityNeed* capabilityNeed(std::string_view opcode) {
  const auto fits = [&](const CapabilityNeed& need) {
    const std::size_t end = need.start.size();
    return opcode.substr(0, end) == need.start && (opcode.size() == end || opcode[end] == '.') &&
           opcode.find(need.part) != std::string_view::npos;
  };
  const auto* const found = std::find_if(std::begin(kNeeds), std::end(kNeeds), fits);
  return found == std::end(kNeeds) ? nullptr : found;
}

void noteCapabilities(KernelCode& code) {
  for (const CodeText& text : code.texts) {
    const CapabilityNeed* const need = capabilityNeed(text.opcode);
    if (need == nullptr) continue;
    code.leastCapability = std::max(code.leastCapability, need->least);
    if (need->most != 0 && (code.lastCapability == 0 || need->most < code.lastCapability))
      code.lastCapability = need->most;
  }
}

std::unique_ptr<KernelCode> refusingWhatLacks(const KernelCode& code, unsigned capability) {
  constexpr unsigned kFirst = 70;
  const bool late = code.lastCapability != 0 && capability > code.lastCapability;
  if (capability < kFirst || (capability >= code.leastCapability && !late)) return nullptr;
  std::unique_ptr<KernelCode> made;
  for (std::size_t pc = 0; pc < code.instructions.size(); ++pc) {
    const CapabilityNeed* const need = capabilityNeed(code.texts[pc].opcode);
    if (need == nullptr || !isLacking(*need, capability)) continue;
    if (made == nullptr) made = std::make_unique<KernelCode>(code);
    made->instructions[pc].handler = &executeLacking;
  }
  return made;
}

}  // namespace fermata::ptx
