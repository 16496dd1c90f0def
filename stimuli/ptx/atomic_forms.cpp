// Finds atomics whose result nothing reads.
#include <fermata/stimuli/ptx/kernel_decoder.h>

#include <algorithm>

namespace fermata::ptx {

// Compilers write atom where the program has atomicAdd(), and leave it to ptxas to see that nothing
// reads the result: ptxas then makes red of it. An arrival at an mbarrier counts even if its result
// is read.
void markUnread(KernelCode& code) {
  const auto isAtomic = [](const StaticInstruction& one) {
    return one.operation == MemoryOperation::Atomic;
  };
  if (std::none_of(code.statics.begin(), code.statics.end(), isAtomic)) return;
  std::vector<bool> read(code.slots.size(), false);
  for (const StaticInstruction& one : code.statics) {
    for (unsigned k = 0; k < one.readCount; ++k) read[one.reads[k]] = true;
  }
  for (const auto& [pc, registers] : code.accumulators) {
    for (const RegisterId id : registers) read[id] = true;
  }
  for (StaticInstruction& one : code.statics) {
    if (!isAtomic(one)) continue;
    one.unread = std::none_of(one.writes.begin(), one.writes.begin() + one.writeCount,
                              [&](RegisterId id) { return read[id]; });
    const bool arrives = one.bytesPerLane == 8;
    if (one.form == AtomicForm::Count && !one.unread && !arrives) one.form = AtomicForm::Plain;
  }
}

}  // namespace fermata::ptx
