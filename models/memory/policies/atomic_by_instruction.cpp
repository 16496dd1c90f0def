// Serves each form of atomics as the platform's table says (vocabulary/atomic_table.h). Example, an
// H100, P lanes of a warp on one word:
//
//   red.add of the constant 1   1 pass: lanes on one word merge
//   other integer operations    P passes
//   compare and swap            2 P passes
//
// A loop reaches the crossbar as its loads and swaps (core/spin_loop.h). A foreign workload gives
// no form: its atomics are plain.
#include <fermata/models/memory/atomic_policy.h>
#include <fermata/models/memory/policies/atomic_lanes.h>

namespace fermata {

namespace {

class AtomicByInstruction final : public AtomicPolicy {
 public:
  void setTable(const AtomicTable& table) override { table_ = table; }

  Cycle resolve(WarpAccess& access, ConflictResolver& conflicts) override {
    const AtomicForm form = formOf(access);
    if (table_.merged.has(form)) {
      conflicts.resolve(access);
      return table_.latency;
    }
    lanes_.resolve(access, conflicts);
    if (!swaps(form)) return table_.latency;
    access.passes *= table_.swapPasses;
    access.freePasses *= table_.swapPasses;
    for (unsigned g = 0; g < access.groups; ++g)
      access.groupPasses[g] = static_cast<std::uint8_t>(access.groupPasses[g] * table_.swapPasses);
    return table_.swapLatency + (form == AtomicForm::Spin ? table_.testLatency : 0);
  }
  bool merges(const WarpAccess& access) const override { return table_.merged.has(formOf(access)); }
  unsigned passesEach(const WarpAccess& access) const override {
    return !merges(access) && swaps(formOf(access)) ? table_.swapPasses : 1;
  }

 private:
  static bool swaps(AtomicForm form) {
    return form == AtomicForm::Swap || form == AtomicForm::Spin;
  }
  static AtomicForm formOf(const WarpAccess& access) {
    return access.issuedInstruction == nullptr ? AtomicForm::Plain : access.issuedInstruction->form;
  }

  AtomicTable table_;
  AtomicLanes lanes_;
};

}  // namespace

extern const Descriptor<AtomicPolicy> kAtomicByInstruction{
    "by-instruction", makePolicy<AtomicPolicy, AtomicByInstruction>, {false, true, true}};

}  // namespace fermata
