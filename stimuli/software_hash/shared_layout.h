// Lays out the shared variables of every entry, and grows their windows as the hash requires.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/software_hash/software_hash.h>

namespace fermata::software_hash {

/// The shared window of an entry.
struct Window {
  const ptx::Function* entry = nullptr;
  std::uint64_t staticBytes = 0;
  std::uint64_t usedBytes = 0;  ///< end of what the kernel knows, without the growth
  bool dynamic = false;         ///< the launch adds bytes behind the static ones
  std::unordered_map<const ptx::Variable*, std::uint32_t> offsets;
};

/// Lays the windows out and grows them. If the hash takes a word beyond the static bytes of a
/// window without dynamic memory, the variable at its end gets more elements. Dynamic memory is
/// left to the launch to grow.
class SharedLayout {
 public:
  /// Changes the sizes of variables of `ast`. Throws InputError if a window would not fit.
  SharedLayout(ptx::Ast& ast, const SoftwareHash& hash);

  const std::vector<Window>& windows() const { return windows_; }
  /// Returns the static bytes before the growth, by entry.
  const std::map<const ptx::Function*, std::uint64_t>& before() const { return before_; }
  /// Returns the variables that have grown, with the bytes they had. Variable::bytes holds the new
  /// size, a multiple of 4 elements.
  const std::map<const ptx::Variable*, std::uint64_t>& grown() const { return grown_; }
  /// Returns the offset of a variable if it is the same in every entry that reaches the function.
  std::optional<std::uint32_t> offset(const ptx::Function& function,
                                      const ptx::Variable& variable) const;

 private:
  void layOut();
  bool grow();
  void findCallees();

  ptx::Ast& ast_;
  const SoftwareHash& hash_;
  std::vector<Window> windows_;
  std::map<const ptx::Function*, std::uint64_t> before_;
  std::map<const ptx::Variable*, std::uint64_t> grown_;
  /// Windows (by index) of the entries that reach a function.
  std::map<const ptx::Function*, std::set<std::size_t>> reachedBy_;
};

}  // namespace fermata::software_hash
