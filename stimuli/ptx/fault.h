// Kinds of errors that a running kernel makes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <fermata/stimuli/input_error.h>

namespace fermata::ptx {

enum class FaultKind : std::uint8_t {
  Address,     ///< outside of all memory
  Misaligned,  ///< an address that is no multiple of the access's bytes
  Assertion,   ///< __assertfail
  Budget,      ///< ExecutorOptions::instructionBudget is used up
  Other,
};

/// Thread and source line of a fault.
struct FaultPlace {
  std::string kernel;
  std::array<std::int64_t, 3> cta{};     ///< index of the CTA in the grid
  std::int64_t warp = 0;                 ///< index in the CTA
  std::int64_t lane = -1;                ///< -1: the whole warp
  std::optional<std::uint64_t> address;  ///< first byte of the access; empty: not about an access
  std::string file;                      ///< source file, if the kernel has line numbers
  std::size_t line = 0;                  ///< 0: no line is known
};

/// Error after which the launch cannot go on; the text names kernel, CTA, warp, lane and
/// instruction.
class Fault : public InputError {
 public:
  Fault(FaultKind kind, const SourceLocation& where, const std::string& what)
      : InputError(where, what), kind_(kind) {}
  Fault(FaultKind kind, const SourceLocation& where, const std::string& what, FaultPlace place)
      : InputError(where, what), kind_(kind), place_(std::move(place)) {}
  FaultKind kind() const { return kind_; }
  const FaultPlace& place() const { return place_; }

 private:
  FaultKind kind_;
  FaultPlace place_;
};

}  // namespace fermata::ptx
