// How atomics on shared memory pass the crossbar. A policy is a file in policies/ and a line in the
// table of atomic_policy.cpp.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/memory/conflict.h>

#include <memory>

namespace fermata {

/// Resolves conflicts of atomics. Each crossbar has its own instance.
class AtomicPolicy {
 public:
  virtual ~AtomicPolicy() = default;
  /// Resolves a try of an atomic in the place of `conflicts`: sets what ConflictResolver::resolve
  /// sets.
  virtual void resolve(WarpAccess& access, ConflictResolver& conflicts) = 0;
  /// True if atomics are loops of locked reads and writes, with a lock unit behind the crossbar.
  virtual bool locks() const { return false; }
};

/// A policy is chosen by the function that makes it: one of those below, or a user's own.
using MakeAtomicPolicy = std::unique_ptr<AtomicPolicy> (*)();

/// Gives an atomic the passes of a load: lanes on one word merge (the rule of GPGPU-Sim's Fermi
/// model). This hides the cost of atomics: 32 lanes that add to one word take one pass.
std::unique_ptr<AtomicPolicy> makeAtomicLoad();
/// Models banks with units that update (Maxwell and later): no lanes merge, and each lane takes its
/// bank for one pass.
std::unique_ptr<AtomicPolicy> makeAtomicNative();
/// Expects no atomic of the model's own: each is a loop of reads and writes with a lock unit behind
/// the crossbar (core/lock_loop.h, memory/lock_unit.h). One of a foreign workload has the passes of
/// a load.
std::unique_ptr<AtomicPolicy> makeAtomicLocked();

template <>
struct ChoiceTable<MakeAtomicPolicy> {
  static const std::vector<NamedChoice<MakeAtomicPolicy>>& table();
};

}  // namespace fermata
