// The way of instructions from memory into an SM, as its core sees it.
#pragma once

#include <fermata/models/vocabulary/cycle.h>

#include <cstdint>

namespace fermata {

/// A line of instructions or constants, or a part of it.
struct InstructionLine {
  std::uint64_t address = 0;  ///< of its first byte; a multiple of the bytes of a line
  std::uint32_t program = 0;  ///< Grid::program and, there, the instruction that it is fetched for
  std::uint32_t pc = 0;
  std::uint32_t part = 0;  ///< of `parts` equal ones
  std::uint32_t parts = 1;
};

class InstructionMemory {
 public:
  class Client {
   public:
    virtual ~Client() = default;
    /// Takes the line, or part of a line, at `address`, in the cycle `now` in which it is there.
    /// Each fetch is answered once, never within the call of fetch().
    virtual void fetched(std::uint64_t address, Cycle now) = 0;
  };

  virtual ~InstructionMemory() = default;
  /// Asks for a line, or a part of it, in cycle `now`.
  virtual void fetch(const InstructionLine& line, Cycle now) = 0;
  /// Sets who takes the lines. Call it before the first fetch.
  virtual void setClient(Client& client) = 0;
};

}  // namespace fermata
