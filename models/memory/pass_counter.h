// Counts the passes of one try after the other, by the rules of a machine: lane groups, kinds of
// atomics, halves of a wave64. The crossbar counts so in a run, and `fermata search` without time.
#pragma once

#include <fermata/models/memory/atomic_policy.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/memory/wavefronts.h>

#include <memory>

namespace fermata {

class PassCounter {
 public:
  struct Atomics {
    Chosen<AtomicPolicy> policy;
    AtomicTable table;  ///< used by policies that serve forms
  };

  /// `joins`: the halves of a wave64 meet at the `banks` banks.
  PassCounter(ConflictResolver resolver, const Atomics& atomics, const PolicyValues& values,
              std::uint32_t banks, bool joins);

  ConflictResolver& resolver() { return resolver_; }
  const ConflictResolver& resolver() const { return resolver_; }

  /// Sets what ConflictResolver::resolve sets. Returns the cycles that the result takes beyond
  /// those of a load with as many passes.
  Cycle resolve(WarpAccess& access);
  /// Corrects the try that was resolved last if the other half of its wave64 has come before.
  void join(WarpAccess& access);
  /// True if lanes of the access on one word merge.
  bool merges(const WarpAccess& access) const {
    return !isAtomic(access) || atomics_->merges(access);
  }
  /// Passes for each word, or each lane where lanes do not merge, of the fullest bank.
  unsigned passesEach(const WarpAccess& access) const {
    return isAtomic(access) ? atomics_->passesEach(access) : 1;
  }

 private:
  static bool isAtomic(const WarpAccess& access) {
    return access.instruction.operation == MemoryOperation::Atomic;
  }

  ConflictResolver resolver_;
  std::unique_ptr<AtomicPolicy> atomics_;
  std::unique_ptr<Wavefronts> wavefronts_;  ///< null: no halves meet
};

}  // namespace fermata
