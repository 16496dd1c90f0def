// How atomics on shared memory pass the crossbar. A policy is a file in policies/ and an entry in
// the table of atomic_policy.cpp.
#pragma once

#include <fermata/models/memory/conflict.h>
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
  };

  virtual ~AtomicPolicy() = default;
  /// Resolves a try of an atomic in the place of `conflicts`: sets what ConflictResolver::resolve
  /// sets. By default an atomic has the passes of a load.
  virtual void resolve(WarpAccess& access, ConflictResolver& conflicts) {
    conflicts.resolve(access);
  }
};

template <>
const std::vector<const Descriptor<AtomicPolicy>*>& Descriptor<AtomicPolicy>::table();

}  // namespace fermata
