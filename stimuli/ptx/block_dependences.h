// The instructions of a block, and which must come before which: for load_schedule.h.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/ptx/kernel_decoder.h>
#include <fermata/stimuli/ptx/load_schedule.h>

namespace fermata::ptx {

/// Registers of an entry that instructions use without telling the scoreboard.
struct HiddenRegisters {
  explicit HiddenRegisters(const KernelCode& code);

  std::unordered_map<Row, RegisterId> owners;  ///< by row
  /// Sums of products of warp groups, and data of accesses to tensor memory.
  std::vector<RegisterId> accumulators;
};

struct Edge {
  std::uint32_t to = 0;
  unsigned latency = 0;  ///< 0: that of the instruction
  bool operand = false;  ///< `to` reads what the instruction writes
};

struct Node {
  ScheduledPart place;
  const StaticInstruction* machine = nullptr;  ///< null: costs nothing
  bool computes = true;                        ///< does what PTX says
  /// No access to memory passes it: a barrier, a fence, an access that may be to any space.
  bool wall = false;
  unsigned walls = 0;  ///< before it
};

class Dependences {
 public:
  Dependences(const KernelCode& code, const MachineParts& parts, const HiddenRegisters& hidden,
              CodeRange range);

  std::vector<Node> nodes;               ///< in the order of PTX
  std::vector<std::vector<Edge>> after;  ///< by node
  std::vector<unsigned> waits;           ///< by node: nodes that must come first

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Users {
    std::uint32_t writer = kNone;
    unsigned latency = 0;                ///< of the writer; 0: its own
    std::vector<std::uint32_t> readers;  ///< since the last write
  };
  using Registers = std::unordered_map<RegisterId, Users>;
  struct Accesses {
    std::uint32_t store = kNone;
    std::vector<std::uint32_t> loads;  ///< since the last store
  };

  void edge(std::uint32_t from, std::uint32_t to, unsigned latency = 0, bool operand = false);
  void add(std::uint32_t k);
  void addRegisters(std::uint32_t k, const StaticInstruction& one, Registers& all);
  void read(std::uint32_t k, Users& users);
  void write(std::uint32_t k, Users& users);
  void addAccumulators(std::uint32_t k, std::uint32_t pc);
  void addRows(std::uint32_t k, const StaticInstruction& one, Instruction i);
  void addMemory(std::uint32_t k, const StaticInstruction& one, const Instruction& i);

  const KernelCode& code_;
  const HiddenRegisters& hidden_;
  Registers ofMachine_, ofPtx_;
  std::unordered_map<Row, Users> rows_;  ///< those that belong to no register
  std::array<Accesses, 8> accesses_;     ///< by MemorySpace
  std::uint32_t wall_ = kNone, memoryWall_ = kNone;
  unsigned walls_ = 0;                          ///< of memory
  std::vector<std::uint32_t> sinceMemoryWall_;  ///< accesses
};

}  // namespace fermata::ptx
