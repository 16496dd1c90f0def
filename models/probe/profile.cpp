#include <fermata/models/probe/profile.h>

#include <array>

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

namespace {

const char* name(InstructionClass instructionClass) {
  static constexpr std::array<const char*, kInstructionClasses> kNames{
      "integer", "float", "special", "double",   "branch",  "barrier",
      "memory",  "exit",  "tensor",  "division", "multiply"};
  return kNames[static_cast<unsigned>(instructionClass)];
}

}  // namespace

const Figures<PcProfile::Entry>& PcProfile::figures() {
  static const Figures<Entry> all{
      {"class", "",
       "class of the instruction: integer, float, special, double, branch, barrier, memory, exit, "
       "tensor, division or multiply",
       [](const Entry& e) { return name(e.instructionClass); }},
      {"executions", "warp instructions", "times that a warp executed the instruction",
       &Entry::executions},
      {"thread_executions", "thread instructions", "active lanes of the executions, summed",
       &Entry::threadExecutions},
      {"passes_histogram", "",
       "shared accesses by their number of passes: pairs passes:accesses, separated by semicolons",
       [](const Entry& e) { return e.passes.text(); }},
      {"mean_passes", "passes/access",
       "mean passes of a shared access; empty when nothing was accessed",
       [](const Entry& e) { return e.passes.mean(); }},
      {"max_passes", "passes/access",
       "largest number of passes of a shared access; 0 when nothing was accessed",
       [](const Entry& e) { return e.passes.most(); }},
      {"wavefronts", "passes",
       "passes of the shared accesses, as Nsight Compute's L1 Wavefronts Shared",
       [](const Entry& e) { return e.passes.passes(); }},
      {"wavefronts_ideal", "passes",
       "passes of the shared accesses without any conflict: one per lane group that asks "
       "(crossbar.groups_32, groups_64, groups_128), plus crossbar.extra_passes_128",
       [](const Entry& e) { return e.passes.passes() - e.passes.conflictCycles(); }},
      {"wavefronts_excessive", "passes",
       "wavefronts - wavefronts_ideal: conflict cycles of the shared accesses",
       [](const Entry& e) { return e.passes.conflictCycles(); }},
      {"stall_cycles", "issue-slot cycles",
       "issue slots that the scheduler lost just before it issued the instruction", &Entry::lost}};
  return all;
}

void PcProfile::Entry::add(const Entry& other) {
  if (other.executions != 0 && other.latest >= latest) {
    instructionClass = other.instructionClass;
    latest = other.latest;
  }
  executions += other.executions;
  threadExecutions += other.threadExecutions;
  lost += other.lost;
  passes.add(other.passes);
}

void PcProfile::add(const PcProfile& other) {
  for (std::uint32_t program = 0; program < other.entries_.size(); ++program) {
    const std::vector<Entry>& more = other.entries_[program];
    prepare(program, static_cast<std::uint32_t>(more.size()));
    for (std::size_t pc = 0; pc < more.size(); ++pc) entries_[program][pc].add(more[pc]);
  }
}

void PcProfile::prepare(std::uint32_t program, std::uint32_t instructions) {
  if (entries_.size() <= program) entries_.resize(program + 1);
  if (entries_[program].size() < instructions) entries_[program].resize(instructions);
}

void PcProfile::issued(const IssueEvent& event) {
  Entry& entry = entries_[event.grid.program][event.instruction.pc];
  if (event.cycle >= entry.latest) {  // with epochs a multiprocessor may have issued it later
    entry.instructionClass = event.instruction.instructionClass;
    entry.latest = event.cycle;
  }
  ++entry.executions;
  entry.threadExecutions += laneCount(event.active);
  entry.lost += event.lost;
}

void PcProfile::sharedAccess(const WarpAccess& access) {
  entries_[access.program][access.instruction.pc].passes.add(access.allPasses,
                                                             access.allFreePasses);
}

const Figures<BankHistogram::Bank>& BankHistogram::figures() {
  static const Figures<Bank> all{
      {"reads", "words", "words read from the bank; lanes that share a word count once",
       &Bank::reads},
      {"writes", "words", "words written to the bank", &Bank::writes},
      {"atomics", "words", "words of the bank updated by atomics", &Bank::atomics},
      {"accesses", "words", "reads + writes + atomics", &Bank::accesses}};
  return all;
}

std::uint64_t BankHistogram::Bank::*BankHistogram::counter(MemoryOperation operation) {
  switch (operation) {
    case MemoryOperation::Load:
      return &Bank::reads;
    case MemoryOperation::Store:
      return &Bank::writes;
    case MemoryOperation::Atomic:
      break;
  }
  return &Bank::atomics;
}

void BankHistogram::sharedTry(const WarpAccess& access) {
  const auto counts = counter(access.instruction.operation);
  if (access.bankSet != 0) return addAlike(access.bankSet, counts);
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (LaneMask lanes = access.leaders[k]; lanes != 0; lanes &= lanes - 1)
      ++(banks_[access.bank[k][static_cast<unsigned>(__builtin_ctz(lanes))]].*counts);
  }
}

// Counts the try with others of the same banks: most kernels mostly ask for a few sets of banks.
void BankHistogram::addAlike(std::uint64_t banks, std::uint64_t Bank::*counts) {
  SameBanks& same = same_[(banks ^ banks >> 16 ^ banks >> 8) % kSameBanks];
  if (same.banks != banks) {
    spread(same, banks_);
    same = SameBanks{banks, {}};
  }
  ++(same.tries.*counts);
}

void BankHistogram::spread(const SameBanks& same, std::vector<Bank>& banks) {
  for (std::uint64_t rest = same.banks; rest != 0; rest &= rest - 1) {
    banks[static_cast<unsigned>(__builtin_ctzll(rest))].add(same.tries);
  }
}

void BankHistogram::add(const BankHistogram& other) {
  const std::vector<Bank> more = other.banks();
  for (std::size_t bank = 0; bank < more.size(); ++bank) banks_[bank].add(more[bank]);
}

std::vector<BankHistogram::Bank> BankHistogram::banks() const {
  std::vector<Bank> all = banks_;
  for (const SameBanks& same : same_) spread(same, all);
  return all;
}

}  // namespace fermata
