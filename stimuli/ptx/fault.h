// Kinds of errors that a running kernel makes.
#pragma once

#include <cstdint>

#include <fermata/stimuli/input_error.h>

namespace fermata::ptx {

enum class FaultKind : std::uint8_t {
  Address,     ///< outside of all memory
  Misaligned,  ///< an address that is no multiple of the access's bytes
  Assertion,   ///< __assertfail
  Budget,      ///< ExecutorOptions::instructionBudget is used up
  Other,
};

/// Error after which the launch cannot go on; the text names kernel, CTA, warp, lane and
/// instruction.
class Fault : public InputError {
 public:
  Fault(FaultKind kind, const SourceLocation& where, const std::string& what)
      : InputError(where, what), kind_(kind) {}
  FaultKind kind() const { return kind_; }

 private:
  FaultKind kind_;
};

}  // namespace fermata::ptx
