// Post-dominators: where the paths of a branch meet again (Cooper, Harvey and Kennedy's iteration
// on the reversed graph of basic blocks).
#include <algorithm>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/kernel_decoder.h>

namespace fermata::ptx {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

struct Blocks {
  std::vector<std::uint32_t> first;  ///< first PC of a block; the last block is the exit
  std::vector<std::uint32_t> ofPc;   ///< block of a PC, counted from the first of the range
  std::vector<std::vector<std::uint32_t>> next, before;
};

Blocks findBlocks(const KernelCode& code, CodeRange range) {
  const std::uint32_t count = range.end - range.first;
  std::vector<bool> leader(count + 1, false);
  leader[0] = leader[count] = true;
  for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
    if (!endsBlock(code.instructions[pc])) continue;
    leader[pc + 1 - range.first] = true;
    for (const std::uint32_t to : successors(code, pc, range.end)) leader[to - range.first] = true;
  }
  Blocks blocks;
  blocks.ofPc.resize(count + 1);
  for (std::uint32_t at = 0; at <= count; ++at) {
    if (leader[at]) blocks.first.push_back(range.first + at);
    blocks.ofPc[at] = static_cast<std::uint32_t>(blocks.first.size() - 1);
  }
  const std::size_t size = blocks.first.size();
  blocks.next.resize(size);
  blocks.before.resize(size);
  for (std::uint32_t block = 0; block + 1 < size; ++block) {
    for (const std::uint32_t to : successors(code, blocks.first[block + 1] - 1, range.end)) {
      blocks.next[block].push_back(blocks.ofPc[to - range.first]);
      blocks.before[blocks.ofPc[to - range.first]].push_back(block);
    }
  }
  return blocks;
}

/// Post-order of the reversed graph from the exit.
std::vector<std::uint32_t> reversedPostOrder(const Blocks& blocks) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(blocks.first.size(), false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  const auto exit = static_cast<std::uint32_t>(blocks.first.size() - 1);
  stack.emplace_back(exit, 0);
  seen[exit] = true;
  while (!stack.empty()) {
    const std::uint32_t block = stack.back().first;
    if (stack.back().second == blocks.before[block].size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const std::uint32_t from = blocks.before[block][stack.back().second++];
    if (seen[from]) continue;
    seen[from] = true;
    stack.emplace_back(from, 0);
  }
  return order;
}

std::vector<std::uint32_t> immediatePostDominators(const Blocks& blocks) {
  const std::vector<std::uint32_t> order = reversedPostOrder(blocks);
  std::vector<std::uint32_t> number(blocks.first.size(), kNone);
  for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = k;
  std::vector<std::uint32_t> dominator(blocks.first.size(), kNone);
  const std::uint32_t exit = order.back();
  dominator[exit] = exit;
  const auto intersect = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = dominator[a];
      while (number[b] < number[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin() + 1; it < order.rend(); ++it) {
      std::uint32_t best = kNone;
      for (const std::uint32_t to : blocks.next[*it]) {
        if (dominator[to] == kNone) continue;
        best = best == kNone ? to : intersect(to, best);
      }
      if (best != kNone && dominator[*it] != best) {
        dominator[*it] = best;
        changed = true;
      }
    }
  }
  return dominator;
}

bool isBarrier(Handler handler) {
  return handler == &executeBarrier || handler == &executeBarrierReduction;
}

/// Has any of the functions that are called a barrier?
bool calledBarrier(const KernelCode& code) {
  const auto& all = code.instructions;
  return std::any_of(all.begin() + code.entryEnd, all.end(),
                     [](const Instruction& one) { return isBarrier(one.handler); });
}

/// By block: a barrier is in it or may come after it.
std::vector<bool> leadToBarrier(const KernelCode& code, CodeRange range, const Blocks& blocks) {
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

/// Blocks of the loop that a branch from block `last` back to block `header` closes.
std::vector<std::uint32_t> loopBlocks(const Blocks& blocks, std::uint32_t header,
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

/// A loop that reads what other threads may change may wait for them. It does nothing else where it
/// stores nothing and always reads the same.
Waiting waitingOf(const KernelCode& code, const Blocks& blocks,
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

/// Branches back to the beginning of a loop that may wait get a handler of their own.
void findWaitingLoops(KernelCode& code, CodeRange range, const Blocks& blocks) {
  const auto all = code.instructions.begin();
  if (std::none_of(all + range.first, all + range.end, observes)) return;
  for (std::uint32_t block = 0; block + 1 < blocks.first.size(); ++block) {
    Instruction& i = code.instructions[blocks.first[block + 1] - 1];
    if (i.handler != &executeBranch || i.target >= blocks.first[block + 1]) continue;
    const std::uint32_t header = blocks.ofPc[i.target - range.first];
    const Waiting waiting = waitingOf(code, blocks, loopBlocks(blocks, header, block));
    if (waiting == Waiting::Never) continue;
    i.handler = &executeWaitingBranch;
    i.mode = waiting == Waiting::Only ? 1 : 0;
  }
}

}  // namespace

bool leadsToExit(const KernelCode& code, std::uint32_t pc) {
  for (std::size_t step = 0; step < code.instructions.size(); ++step) {
    const Instruction& i = code.instructions[pc];
    if (i.guard.number != kTruePredicate) return false;
    if (i.handler == &executeExit) return true;
    if (i.handler == &executeBranch) {
      pc = i.target;
    } else if (i.handler == &executeNothing) {
      ++pc;
    } else {
      return false;
    }
  }
  return false;
}

bool endsBlock(const Instruction& instruction) {
  const Handler handler = instruction.handler;
  return handler == &executeBranch || handler == &executeExit || handler == &executeIndexedBranch;
}

std::vector<std::uint32_t> successors(const KernelCode& code, std::uint32_t pc, std::uint32_t end) {
  const Instruction& i = code.instructions[pc];
  const bool always = i.guard.number == kTruePredicate;
  std::vector<std::uint32_t> list;
  if (i.handler == &executeBranch) list.push_back(i.target);
  if (i.handler == &executeIndexedBranch) list = code.branchTargets[i.target];
  if (i.handler == &executeExit) list.push_back(end);
  if (list.empty() || !always) list.push_back(pc + 1);
  return list;
}

void findReconvergence(KernelCode& code, CodeRange range) {
  const Blocks blocks = findBlocks(code, range);
  const std::vector<std::uint32_t> dominator = immediatePostDominators(blocks);
  const std::vector<bool> barrier = leadToBarrier(code, range, blocks);
  const auto exit = static_cast<std::uint32_t>(blocks.first.size() - 1);
  const auto blockOf = [&](std::uint32_t pc) { return blocks.ofPc[pc - range.first]; };
  for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
    Instruction& i = code.instructions[pc];
    if (i.handler != &executeBranch && i.handler != &executeIndexedBranch) continue;
    const std::uint32_t join = dominator[blockOf(pc)];
    i.reconverge = join == kNone || join == exit ? kNoReconvergence : blocks.first[join];
    // `if (..) { ..; return; }` before a barrier: those lanes go first, and have exited then.
    const bool part = i.reconverge == kNoReconvergence || leadsToExit(code, i.reconverge);
    if (part && i.handler == &executeIndexedBranch) {
      code.leadsToBarrier.resize(code.instructions.size() + 1, false);
      for (const std::uint32_t target : code.branchTargets[i.target])
        code.leadsToBarrier[target] = barrier[blockOf(target)];
      i.flags |= kFallThroughFirst;
    }
    if (i.handler != &executeBranch) continue;
    if (part && barrier[blockOf(i.target)] && !barrier[blockOf(pc + 1)])
      i.flags |= kFallThroughFirst;
  }
  findWaitingLoops(code, range, blocks);
}

}  // namespace fermata::ptx
