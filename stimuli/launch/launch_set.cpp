#include <fermata/stimuli/launch/launch_set.h>

#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/machine_code.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace fermata::launch {

InstructionText textOf(const ptx::Kernel& kernel, MachineLevel code, std::uint32_t pc) {
  const ptx::MachineCode* const machine =
      code == MachineLevel::Sass ? &kernel.machineCode() : nullptr;
  const ptx::CodeText& text =
      machine != nullptr ? machine->code->texts[machine->pcOf.at(pc)] : kernel.text(pc);
  return {text.opcode, text.file, text.line, text.nearLine};
}

LaunchSet::LaunchSet(ptx::Executor& executor, std::vector<SetMember> members, Programs programs)
    : executor_(executor),
      members_(std::move(members)),
      running_(members_.size()),
      over_(members_.size()),
      instructions_(members_.size()) {
  numberPrograms(programs);
  for (const SetMember& member : members_)
    set_.members.push_back({member.grid, member.priority, member.after, member.early});
}

void LaunchSet::numberPrograms(Programs programs) {
  std::unordered_map<const ptx::Kernel*, unsigned> first;
  for (unsigned number = 0; number < members_.size(); ++number) {
    SetMember& member = members_[number];
    if (programs == Programs::Launches) {
      member.grid.program = number;
      const auto [found, isFirst] = first.emplace(member.launch.kernel, number);
      if (!isFirst && !member.work) member.grid.codeOf = found->second;
    }
    if (memberOf_.size() <= member.grid.program) memberOf_.resize(member.grid.program + 1);
    memberOf_[member.grid.program] = number;
  }
}

LaunchSet::~LaunchSet() = default;

void LaunchSet::setWarpSlots(unsigned slots) {
  at_.assign(slots, nullptr);
}

std::uint64_t LaunchSet::totalCtas() const {
  return std::accumulate(
      members_.begin(), members_.end(), std::uint64_t{0},
      [](std::uint64_t sum, const SetMember& member) { return sum + member.grid.ctas; });
}

// Grids that run one after another are asked for each.
bool LaunchSet::runApart(unsigned multiprocessors, unsigned slots) {
  if (begun_) return running_[present_]->runApart(multiprocessors, slots);
  const bool may = std::all_of(members_.begin(), members_.end(), [&](const SetMember& member) {
    return member.work || executor_.mayRunApart(*member.launch.kernel);
  });
  multiprocessors_ = may ? multiprocessors : 0;
  slotsOfEach_ = slots;
  return may;
}

void LaunchSet::exchange() {
  for (const auto& one : running_) {
    if (one != nullptr) one->exchange();
  }
}

std::unique_ptr<ptx::Executor> LaunchSet::spare() {
  if (unused_.empty()) {
    const auto slots = std::max(static_cast<unsigned>(at_.size()), executor_.warpSlots());
    return std::make_unique<ptx::Executor>(executor_, slots);
  }
  std::unique_ptr<ptx::Executor> last = std::move(unused_.back());
  unused_.pop_back();
  return last;
}

void LaunchSet::beginMember(unsigned member) {
  const SetMember& what = members_[member];
  if (what.work) return what.work();
  running_[member] = spare();
  ptx::Executor& executor = *running_[member];
  executor.begin(what.launch);
  if (multiprocessors_ != 0) (void)executor.runApart(multiprocessors_, slotsOfEach_);
  executor.setModel(model_);
  setAwaits(member);
}

/// Lets a member that runs wait for others that it follows early, while one is not over.
void LaunchSet::setAwaits(unsigned member) {
  const std::vector<unsigned>& early = members_[member].early;
  running_[member]->setAwaitsGrids(
      std::any_of(early.begin(), early.end(), [&](unsigned one) { return !over_[one]; }));
}

bool LaunchSet::letsBegin(unsigned member) {
  return running_[member]->signalledCtas() == members_[member].grid.ctas;
}

void LaunchSet::startCtaOf(unsigned member, std::uint64_t cta, unsigned firstSlot) {
  ptx::Executor& executor = *running_[member];
  std::fill_n(at_.begin() + firstSlot, executor.warpsPerCta(), &executor);
  executor.startCta(cta, firstSlot);
}

void LaunchSet::endMember(unsigned member) {
  over_[member] = true;
  for (unsigned later = member + 1; later < members_.size(); ++later) {
    if (running_[later] != nullptr && !members_[later].early.empty()) setAwaits(later);
  }
  if (running_[member] == nullptr) return;
  instructions_[member] = running_[member]->instructionsExecuted();
  unused_.push_back(std::move(running_[member]));
}

const Grid* LaunchSet::nextGrid() {
  if (std::exchange(begun_, false)) endMember(present_);
  for (; next_ < members_.size(); ++next_) {
    beginMember(next_);
    if (members_[next_].work) continue;
    present_ = next_++;
    begun_ = true;
    return &set_.grid(present_);
  }
  return nullptr;
}

InstructionText LaunchSet::instructionText(unsigned program, std::uint32_t pc) const {
  return textOf(*ofProgram(program).launch.kernel, executor_.code(), pc);
}

}  // namespace fermata::launch
