// Finds where the paths of a branch meet again (post-dominators), which loops may wait, and lines
// near instructions to which compilers gave line 0 because they moved or merged them: the load of a
// three-tap stencil that two paths share, for instance.
#include <algorithm>
#include <optional>
#include <vector>

#include <fermata/stimuli/ptx/basic_blocks.h>
#include <fermata/stimuli/ptx/handlers.h>

namespace fermata::ptx {
namespace {

bool isBarrier(Handler handler) {
  return handler == &executeBarrier || handler == &executeBarrierReduction;
}

/// True if any called function contains a barrier.
bool calledBarrier(const KernelCode& code) {
  const auto& all = code.instructions;
  return std::any_of(all.begin() + code.entryEnd, all.end(),
                     [](const Instruction& one) { return isBarrier(one.handler); });
}

/// Returns, by block, whether a barrier is in the block or may come after it.
std::vector<bool> leadToBarrier(const KernelCode& code, CodeRange range,
                                const BasicBlocks& blocks) {
  std::vector<bool> leads(blocks.first.size(), false);
  std::vector<std::uint32_t> found;
  const auto add = [&](std::uint32_t block) {
    if (leads[block]) return;
    leads[block] = true;
    found.push_back(block);
  };
  const bool ofCalled = calledBarrier(code);
  for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
    const Handler handler = code.instructions[pc].handler;
    if (isBarrier(handler) || (handler == &executeCall && ofCalled))
      add(blocks.ofPc[pc - range.first]);
  }
  while (!found.empty()) {
    const std::uint32_t block = found.back();
    found.pop_back();
    for (const std::uint32_t from : blocks.before[block]) add(from);
  }
  return leads;
}

bool observes(const Instruction& i) {
  return i.observes || i.fence || i.handler == &executeCall ||
         (i.space != MemorySpace::None && i.operation == MemoryOperation::Atomic);
}

bool storesForOthers(const Instruction& i) {
  return i.space != MemorySpace::None && i.space != MemorySpace::Local &&
         i.operation == MemoryOperation::Store;
}

/// Returns the blocks of the loop that a branch from block `last` back to block `header` closes.
std::vector<std::uint32_t> loopBlocks(const BasicBlocks& blocks, std::uint32_t header,
                                      std::uint32_t last) {
  std::vector<bool> seen(blocks.first.size(), false);
  std::vector<std::uint32_t> found = {header};
  seen[header] = true;
  const auto add = [&](std::uint32_t block) {
    if (seen[block]) return;
    seen[block] = true;
    found.push_back(block);
  };
  add(last);
  for (std::size_t k = 1; k < found.size(); ++k) {
    for (const std::uint32_t from : blocks.before[found[k]]) add(from);
  }
  return found;
}

enum class Waiting { Never, Maybe, Only };

/// Tells whether a loop may wait for other threads, which needs a read of what they may change. The
/// loop does nothing but wait if it stores nothing for others and always reads the same address.
Waiting waitingOf(const KernelCode& code, const BasicBlocks& blocks,
                  const std::vector<std::uint32_t>& loop) {
  std::vector<bool> written(code.slots.size(), false);
  std::vector<RegisterId> read;
  bool mayWait = false, only = true;
  for (const std::uint32_t block : loop) {
    for (std::uint32_t pc = blocks.first[block]; pc < blocks.first[block + 1]; ++pc) {
      const Instruction& i = code.instructions[pc];
      const StaticInstruction& known = code.statics[pc];
      only = only && !storesForOthers(i) && i.handler != &executeCall;
      for (unsigned k = 0; k < known.writeCount; ++k) written[known.writes[k]] = true;
      if (!observes(i)) continue;
      mayWait = true;
      read.insert(read.end(), known.reads.begin(), known.reads.begin() + known.readCount);
    }
  }
  only = only && std::none_of(read.begin(), read.end(), [&](RegisterId id) { return written[id]; });
  return !mayWait ? Waiting::Never : only ? Waiting::Only : Waiting::Maybe;
}

/// Gives branches back to the beginning of a loop that may wait a handler of their own.
void findWaitingLoops(KernelCode& code, CodeRange range, const BasicBlocks& blocks) {
  const auto all = code.instructions.begin();
  if (std::none_of(all + range.first, all + range.end, observes)) return;
  for (std::uint32_t block = 0; block + 1 < blocks.first.size(); ++block) {
    Instruction& i = code.instructions[blocks.first[block + 1] - 1];
    if (i.handler != &executeBranch || i.branch.target >= blocks.first[block + 1]) continue;
    const std::uint32_t header = blocks.ofPc[i.branch.target - range.first];
    const Waiting waiting = waitingOf(code, blocks, loopBlocks(blocks, header, block));
    if (waiting == Waiting::Never) continue;
    i.handler = &executeWaitingBranch;
    i.branch.onlyWaits = waiting == Waiting::Only;
  }
}

constexpr std::uint32_t kNoPc = 0xffffffffU;

/// True if the instruction has a source line by .loc. Lines of the PTX file are not near lines of a
/// source.
bool hasSourceLine(const KernelCode& code, const CodeText& text) {
  return text.line != 0 && text.file != code.fileName;
}

}  // namespace

bool leadsToExit(const KernelCode& code, std::uint32_t pc) {
  for (std::size_t step = 0; step < code.instructions.size(); ++step) {
    const Instruction& i = code.instructions[pc];
    if (i.guard.number != kTruePredicate) return false;
    if (i.handler == &executeExit) return true;
    if (isBranch(i)) {
      pc = i.branch.target;
    } else if (i.handler == &executeNothing || i.handler == &executeFence) {
      ++pc;
    } else {
      return false;
    }
  }
  return false;
}

bool isBranch(const Instruction& instruction) {
  return instruction.handler == &executeBranch || instruction.handler == &executeWaitingBranch;
}

bool endsBlock(const Instruction& instruction) {
  const Handler handler = instruction.handler;
  return isBranch(instruction) || handler == &executeExit || handler == &executeIndexedBranch;
}

std::vector<std::uint32_t> successors(const KernelCode& code, std::uint32_t pc, std::uint32_t end) {
  const Instruction& i = code.instructions[pc];
  const bool always = i.guard.number == kTruePredicate;
  std::vector<std::uint32_t> list;
  if (isBranch(i)) list.push_back(i.branch.target);
  if (i.handler == &executeIndexedBranch) list = code.branchTargets[i.branch.target];
  if (i.handler == &executeExit) list.push_back(end);
  if (list.empty() || !always) list.push_back(pc + 1);
  return list;
}

void findReconvergence(KernelCode& code, CodeRange range) {
  const BasicBlocks blocks = basicBlocks(code, range);
  const std::vector<std::uint32_t> dominator = immediateDominators(blocks.exit(), blocks.before);
  const std::vector<bool> barrier = leadToBarrier(code, range, blocks);
  const std::uint32_t exit = blocks.exit();
  const auto blockOf = [&](std::uint32_t pc) { return blocks.ofPc[pc - range.first]; };
  for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
    Instruction& i = code.instructions[pc];
    if (!isBranch(i) && i.handler != &executeIndexedBranch) continue;
    const std::uint32_t join = dominator[blockOf(pc)];
    i.branch.reconverge = join == kNoBlock || join == exit ? kNoReconvergence : blocks.first[join];
    // `if (..) { ..; return; }` before a barrier: its lanes go first, so that they have exited.
    const bool part =
        i.branch.reconverge == kNoReconvergence || leadsToExit(code, i.branch.reconverge);
    if (part && i.handler == &executeIndexedBranch) {
      code.leadsToBarrier.resize(code.instructions.size() + 1, false);
      for (const std::uint32_t target : code.branchTargets[i.branch.target])
        code.leadsToBarrier[target] = barrier[blockOf(target)];
      i.branch.fallThroughFirst = true;
    }
    if (!isBranch(i)) continue;
    i.branch.fallThroughFirst =
        part && barrier[blockOf(i.branch.target)] && !barrier[blockOf(pc + 1)];
  }
  findWaitingLoops(code, range, blocks);
}

void findNearLines(KernelCode& code, CodeRange range) {
  const auto first = code.texts.begin() + range.first;
  const auto end = code.texts.begin() + range.end;
  if (std::none_of(first, end, [](const CodeText& text) { return text.line == 0; })) return;
  const BasicBlocks blocks = basicBlocks(code, range);
  const std::vector<std::uint32_t> dominator = immediateDominators(0, blocks.next);
  std::vector<std::uint32_t> last(blocks.first.size(), kNoPc);  // by block: last PC with a line
  for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
    if (hasSourceLine(code, code.texts[pc])) last[blocks.ofPc[pc - range.first]] = pc;
  }
  std::vector<std::optional<std::uint32_t>> found(blocks.first.size());  // by block: before()
  std::vector<std::uint32_t> way;
  // Returns the last PC with a line in the blocks that dominate this one.
  const auto before = [&](std::uint32_t block) {
    way.clear();
    while (!found[block]) {
      const std::uint32_t above = dominator[block];
      if (block == 0 || above == kNoBlock) {
        found[block] = kNoPc;
      } else if (last[above] != kNoPc) {
        found[block] = last[above];
      } else {
        way.push_back(block);
        block = above;
      }
    }
    for (const std::uint32_t passed : way) found[passed] = found[block];
    return *found[block];
  };
  for (std::uint32_t block = 0; block < blocks.exit(); ++block) {
    std::uint32_t near = before(block);
    for (std::uint32_t pc = blocks.first[block]; pc < blocks.first[block + 1]; ++pc) {
      CodeText& text = code.texts[pc];
      if (hasSourceLine(code, text)) near = pc;
      if (text.line != 0 || near == kNoPc) continue;
      text.file = code.texts[near].file;
      text.nearLine = code.texts[near].line;
    }
  }
}

}  // namespace fermata::ptx
