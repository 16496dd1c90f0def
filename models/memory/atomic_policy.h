// How atomics on shared memory pass the crossbar. A policy is a file in policies/ and a line in the
// table of atomic_policy.cpp.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/memory/conflict.h>

#include <memory>

namespace fermata {

/// One instance a crossbar.
class AtomicPolicy {
 public:
  virtual ~AtomicPolicy() = default;
  /// Resolves a try of an atomic in the place of `conflicts`: sets what ConflictResolver::resolve
  /// sets.
  virtual void resolve(WarpAccess& access, ConflictResolver& conflicts) = 0;
};

/// A policy is chosen by the function that makes it: the one below, or a user's own.
using MakeAtomicPolicy = std::unique_ptr<AtomicPolicy> (*)();

/// With the passes of a load; lanes on one word merge (the rule of GPGPU-Sim's Fermi model). It
/// hides what atomics cost: 32 lanes that add to one word take one pass.
std::unique_ptr<AtomicPolicy> makeAtomicLoad();

template <>
struct ChoiceTable<MakeAtomicPolicy> {
  static const std::vector<NamedChoice<MakeAtomicPolicy>>& table();
};

}  // namespace fermata
