// A memory of RTL behind the address generation unit, in the place of crossbar and scratchpad
// together: lanes ask it for words, it says in each cycle which it takes, and answers each lane
// when it is ready. What derives from BlockMemory is the adapter of one block, and drives its pins.
//
// What is asked of it: edge(), a rising edge of the block's clock. The base does the rest: it keeps
// cycles, offers the accesses of warps in the order in which they come, each until its last lane
// has been taken, gathers the answers by their tags, compares them with what the executor saw, and
// speaks the protocol. The block has edges only while something is under way in it.
//
// Cycle by cycle: a request that arrives in cycle c is at the block's inputs in cycle c; the edge
// that ends c takes the lanes for which the block is ready; an answer that is valid behind that
// edge is there in cycle c + 1. So n words that take n cycles of a block with one cycle of latency
// are answered in cycle c + n, and the next access is offered in cycle c + n.
//
// Since accesses come in order and nothing that comes later can change how an access is taken, the
// block is given the edges of an access until it is taken when the access is sent: the core hears
// at once for how long the path is held. Edges while only answers are due come in their cycles.
#pragma once

#include <fermata/models/probe/probe.h>
#include <fermata/models/rtl/ended.h>
#include <fermata/models/rtl/map_block.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/late_target.h>
#include <fermata/models/transaction/scratchpad_shape.h>

#include <string>
#include <vector>

namespace fermata::rtl {

/// The lanes that are offered to a block, all of them with words of 32 bits.
struct MemoryRequest {
  LaneMask valid = 0;  ///< asked for and not taken so far; of the other lanes nothing is read
  bool write = false;  ///< all of them; otherwise all read
  unsigned tag = 0;    ///< of all of them, below Behaviour::tags
  Lanes word{};        ///< number of the word in the memory, from 0
  Lanes bank{};        ///< where the platform's mapping has it, for blocks that are told
  Lanes row{};
  Lanes data{};                                   ///< of those that write
  std::array<std::uint8_t, kWarpLanes> enable{};  ///< bit b: byte b is written
};

/// The lanes that answer.
struct MemoryResponse {
  LaneMask valid = 0;
  std::array<std::uint8_t, kWarpLanes> tag{};  ///< that the lane was taken with
  Lanes data{};                                ///< of those that read
  /// With Behaviour::tellsPasses: passes of its banks for the lanes of an earlier or this edge; 0:
  /// nothing is told.
  std::uint32_t passes = 0;
};

class BlockMemory : public LateWarpTarget {
 public:
  /// What stands around it; a platform fills it in.
  struct Parameters {
    Clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    ScratchpadShape shape;
    std::uint32_t rows = 384;        ///< of a bank of the mapping
    std::string mapping = "mod 32";  ///< which gives bank and row
    Cycle latency = 0;               ///< from the block's answer to the registers
    Probe* probe = nullptr;          ///< may be null
  };
  /// What the block does.
  struct Behaviour {
    /// 1 to 256: how many may be under way at a time. A word of all lanes of an access has one.
    unsigned tags = 1;
    bool answersStores = false;  ///< a lane that writes is answered, as one that reads
    /// Lanes of an access that ask for one word are one access of its bank: counted and priced so.
    /// False: each of them is one. Where it is true, all lanes of a load that ask for a word are
    /// taken with one edge; a block that leaves one of them is an SC_REPORT_ERROR.
    bool mergesEqualWords = true;
    /// For each edge that takes lanes, in their order, the block tells MemoryResponse::passes once,
    /// with this edge or a later one. The path is held until then. False: such an edge is a pass.
    bool tellsPasses = false;
  };
  static constexpr unsigned kMostTags = 256;

  /// Lane accesses compared so far.
  std::uint64_t compared() const { return compared_; }
  using sc_core::sc_module::trace;  // which the next would hide
  /// Before it is first asked: signals of the block go there, each edge in its cycle. Returns
  /// false where it has none.
  bool trace(Waves& waves, const std::string& name);

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) final;
  /// The access goes through the block, in edges that take no time: the fill of a CTA's window.
  /// What is under way is answered first, when it would have been without it. With
  /// TLM_IGNORE_COMMAND the passes of an access without a conflict are foreseen.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) final;

 protected:
  /// Throws BadInput for a memory whose words have not 32 bits, and for tags that are too many.
  BlockMemory(const sc_core::sc_module_name& name, const Parameters& parameters,
              const Behaviour& behaviour);

  /// A rising edge of the block's clock. `offered` is at its inputs before the edge: returns the
  /// lanes of it that the block takes with this edge, those for which it is ready. Sets `answered`,
  /// whose `valid` is 0, to the lanes that answer behind the edge; the base takes every answer.
  ///
  /// The block keeps the order of words: a read finds what was taken before it. Of the lanes of an
  /// access that write one byte the highest is to win, as in the executor; CUDA leaves open which,
  /// so a block with another winner fails the verification of a kernel that has such a race, and of
  /// no other. The block need not keep the order of answers. A lane that it does not take is
  /// offered again with the next edge, unchanged. A block that for kMostEdges edges neither takes
  /// nor answers hangs, which ends the run by a std::runtime_error; answers that nobody waits for
  /// are an SC_REPORT_ERROR.
  virtual LaneMask edge(const MemoryRequest& offered, MemoryResponse& answered) = 0;
  /// As Traced::trace.
  virtual bool traceBlock(Waves&, const std::string&) { return false; }

 private:
  using LaneData = WarpInstruction::LaneData;

  /// What is under way with a tag: a word of each of some lanes.
  struct Step {
    tlm::tlm_generic_payload* payload = nullptr;
    WarpAccess* access = nullptr;
    const LaneData* expected = nullptr;  ///< null: nothing is compared
    unsigned k = 0;                      ///< number of the word
    LaneMask waiting = 0;                ///< lanes taken and not answered
  };

  void requested(tlm::tlm_generic_payload&) final {}
  void take(tlm::tlm_generic_payload& payload);
  void takeAtomic(tlm::tlm_generic_payload& payload);
  void offer(tlm::tlm_generic_payload& payload, unsigned k, LaneMask lanes, bool write,
             const LaneData& data);
  Step& openStep();
  void checkMerging(LaneMask taken, LaneMask left) const;
  void setLeaders(WarpAccess& access) const;
  void untimed(tlm::tlm_generic_payload& payload);
  void drain();
  void advance(Cycle cycle);
  void clockEdge();
  void arm();
  LaneMask rise();
  void countPasses(LaneMask taken);
  BlockAtWork atWork() const;
  void answer(unsigned lane);
  void compare(const Step& step, unsigned lane, std::uint32_t word);
  bool underWay(const tlm::tlm_generic_payload& payload) const;
  void account(WarpAccess& access) const;
  [[noreturn]] void hang() const;

  Parameters parameters_;
  Behaviour behaviour_;
  Alarm edge_{Turn::Memory, [this] { clockEdge(); }};
  Waves* waves_ = nullptr;
  Cycle at_ = 0;  ///< the cycle whose edge comes next
  std::vector<Step> steps_;
  unsigned open_ = 0;  ///< steps with lanes that wait
  unsigned next_ = 0;  ///< the tag that is looked at first
  tlm::tlm_generic_payload* taking_ = nullptr;
  MemoryRequest request_;
  MemoryResponse response_;
  unsigned quiet_ = 0;   ///< edges without anything
  unsigned untold_ = 0;  ///< edges that took lanes whose passes are not told
  std::uint32_t passes_ = 0;
  std::uint32_t mostPasses_ = 0;  ///< of one step
  std::uint64_t compared_ = 0;
};

}  // namespace fermata::rtl
