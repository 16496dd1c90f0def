// How atomics on shared memory pass the crossbar. A policy is a file in policies/ and an entry in
// the table of atomic_policy.cpp.
#pragma once

#include <fermata/models/memory/conflict.h>
#include <fermata/models/vocabulary/atomic_table.h>
#include <fermata/models/vocabulary/policy.h>

namespace fermata {

/// Resolves conflicts of atomics. Each crossbar has its own instance.
class AtomicPolicy {
 public:
  struct Needs {
    /// Atomics are loops of locked reads and writes, with a lock unit behind the crossbar.
    bool locks = false;
    /// Atomics of two warps can be served together, as loads are.
    bool joins = false;
    /// Atomics are served by their forms, as an AtomicTable says.
    bool forms = false;
  };

  virtual ~AtomicPolicy() = default;
  /// Sets the table of a policy that serves forms. Called before any access.
  virtual void setTable(const AtomicTable&) {}
  /// Resolves a try of an atomic in the place of `conflicts`: sets what ConflictResolver::resolve
  /// sets. Returns the cycles that the result takes beyond those of a load with as many passes. By
  /// default an atomic has the passes and the latency of a load.
  virtual Cycle resolve(WarpAccess& access, ConflictResolver& conflicts) {
    conflicts.resolve(access);
    return 0;
  }
  /// True if lanes of the access on one word merge.
  virtual bool merges(const WarpAccess&) const { return true; }
  /// Passes for each word, or each lane where lanes do not merge, of the fullest bank.
  virtual unsigned passesEach(const WarpAccess&) const { return 1; }
};

template <>
const std::vector<const Descriptor<AtomicPolicy>*>& Descriptor<AtomicPolicy>::table();

}  // namespace fermata
