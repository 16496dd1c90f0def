// Writes the CSV trace of Fermata (../README.md) from what NVBit knows of instructions and from the
// rows of the GPU. Plain C++: a test feeds it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "row.cuh"

namespace fermata::nvbit {

struct Operand {
  enum class Kind { Register, Predicate, Address, Number, Other };
  Kind kind = Kind::Other;
  std::vector<unsigned> registers;  ///< numbers of the scoreboard: scoreboardNumber()
  std::int64_t value = 0;           ///< of a Number
};

/// Numbers of the scoreboard: R0 to R254, then UR0 to UR62, P0 to P6 and UP0 to UP6.
enum Bank : unsigned { kGeneral = 0, kUniform = 256, kPredicate = 320, kUniformPredicate = 328 };
constexpr unsigned kScoreboard = 336;

struct Instruction {
  std::string opcode;  ///< with its modifiers: LDS.U.128
  std::string text;    ///< whole instruction, with control information
  std::string file;
  unsigned line = 0;
  std::vector<unsigned> guard;  ///< scoreboard number of the guarding predicate
  std::vector<Operand> operands;
};

struct Launch {
  std::string kernel;
  std::vector<unsigned> functions;  ///< the kernel, then those that it may call: addFunction()
  std::uint64_t blocks = 1;
  unsigned threads = 32, registers = 0, shared = 0, architecture = 0;
  std::uint64_t sharedBase = 0, localBase = 0;  ///< windows of generic addresses
};

class TraceWriter {
 public:
  /// `opcodes`: path of sass_opcodes.toml.
  TraceWriter(const std::string& path, const std::string& opcodes);
  ~TraceWriter();

  /// Returns the number of the function's first instruction; others follow it.
  unsigned addFunction(std::vector<Instruction> instructions);
  void copied(std::uint64_t address, std::uint64_t bytes);
  void begin(const Launch& launch);
  void add(const FermataRow& row);
  void end();
  /// Ends the file. Returns false if it could not be written.
  bool finish();

 private:
  struct Opcode {
    std::string kind, role, space;
    unsigned writes = 1;
    std::vector<unsigned> reads;
  };
  struct Known {
    std::string kind, role, space;
    unsigned bytes = 0, matrices = 0;
    bool arrives = false;
    std::string columns;  ///< of its row in the trace
  };
  struct Block {
    std::uint64_t number = 0;            ///< by the first row
    std::vector<std::uint32_t> running;  ///< lanes of each warp that have not exited
  };
  const Opcode& find(const std::string& opcode);
  Known describe(const Instruction& one, unsigned architecture);
  void useProgram();
  Block& start(std::uint64_t block);
  void writeRow(const Block& block, const FermataRow& row, const Known& known, std::uint32_t lanes,
                const char* space);
  void putAddresses(const FermataRow& row, unsigned list, std::uint32_t lanes,
                    const std::string& space, unsigned bytes, const Block& block);

  std::FILE* file_;
  std::map<std::string, Opcode> opcodes_;
  std::map<unsigned, std::vector<Instruction>> functions_;  ///< by first number
  unsigned instructions_ = 0;
  std::map<std::vector<unsigned>, unsigned> programs_;  ///< by functions
  std::map<unsigned, Known> known_;                     ///< by number of the instruction
  Launch launch_;
  std::map<unsigned, unsigned> places_;  ///< PC of each function's first instruction
  std::map<std::uint64_t, Block> blocks_;
  std::uint64_t started_ = 0;
  std::uint64_t rows_ = 0;
};

}  // namespace fermata::nvbit
