// Decides where a function computes the hashes of its addresses, and computes as few as a compiler
// would for `hash(address)` written before every shared access.
//
// - Neighbours: if c has only bits that are never set in a, hash(a + c) = hash(a) ^ hash(c). The
//   constant goes into the access if none of its bits can be set in hash(a), and costs one XOR
//   otherwise. Multiples of SoftwareHash::passingUnit() always go into the access.
// - Reuse: a hash serves every access that its computation dominates, while the register holds the
//   same value.
// - Loops: a hash that does not change in a loop is computed before the loop.
// - Order: hashes that the next accesses of a block need are computed together, level by level, so
//   that their latencies overlap: a warp issues its instructions in order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/software_hash/address_emitter.h>
#include <fermata/stimuli/software_hash/control_flow.h>
#include <fermata/stimuli/software_hash/known_bits.h>

namespace fermata::software_hash {

/// Instructions to insert before a statement (its guard included), or behind it.
struct Insertion {
  std::size_t statement = 0;
  bool behind = false;
  std::vector<std::string> instructions;
};

/// Visit the statements in the order of the text: startStatement(), then address() for its access
/// if it has one, then written() for each register that it writes. Call insertions() at the end.
class AddressPlan {
 public:
  /// `scopes` holds, by statement, the innermost braces around it. A computation stays in the scope
  /// of its access, where the register's name means the same.
  AddressPlan(const ptx::Function& function, const SoftwareHash& hash, AddressEmitter& emitter,
              std::vector<KnownBits> bits, std::vector<std::uint32_t> scopes);

  void startStatement(std::size_t statement);
  /// Returns the hashed address of `base` + `offset`, in the form that stands in the brackets.
  std::string address(const AddressRegister& base, std::int64_t offset);
  void written(std::uint32_t reg);

  std::vector<Insertion> insertions();

 private:
  /// Key of a computation of hash(base + kept) ^ flipped.
  using Key = std::tuple<std::uint32_t, std::int64_t, std::uint32_t>;
  struct Computation {
    std::string result;
    std::vector<std::string> instructions;
    std::uint32_t block = 0;
    std::size_t statement = 0;  ///< inserted before this statement, or behind it
    bool behind = false;
    std::size_t earliest = 0;  ///< first statement that it could stand before
    bool flips = false;        ///< needs the result of another computation
    std::size_t order = 0;
  };

  void findFixed(const ptx::Function& function);
  bool isBefore(std::size_t definition, std::size_t use) const;
  void forget(std::vector<Computation>& computations);
  std::int64_t keptPart(const AddressRegister& base, std::int64_t offset) const;
  const Computation* known(const Key& key) const;
  std::string require(const AddressRegister& base, std::int64_t kept, std::uint32_t flipped);
  void place(Computation& computation, std::uint32_t reg) const;
  void groupOf(std::vector<Computation*>& waiting, std::vector<Insertion>& out) const;

  const SoftwareHash& hash_;
  AddressEmitter& emitter_;
  ControlFlow flow_;
  std::vector<KnownBits> bits_;
  std::vector<std::uint32_t> scopes_;
  /// True, by register, if one statement writes it and dominates every address with it, or if none
  /// writes it (a parameter). The register's value is then that of the last pass through its
  /// definition, and its hash is valid wherever the hash's computation dominates.
  std::vector<bool> fixed_;
  std::vector<std::uint32_t> definition_;  ///< block of that statement; parameter: the first
  std::vector<std::size_t> lastWrite_;     ///< last visited statement that writes it, + 1; 0: none
  std::vector<bool> starts_;               ///< control may come to the statement from a branch
  std::map<Key, std::vector<Computation>> known_;
  std::vector<Computation> forgotten_;
  std::size_t statement_ = 0;
  std::size_t count_ = 0;
};

}  // namespace fermata::software_hash
