// A memory of RTL behind the address generation unit, in the place of crossbar and scratchpad
// together. Lanes ask the memory for words. In each cycle it says which lanes it takes, and it
// answers each lane when it is ready. A class derived from BlockMemory is the adapter of one block
// and drives the block's pins.
//
// The adapter implements edge(), a rising edge of the block's clock. The base does the rest: it
// keeps cycles, offers the accesses of warps in order of arrival, each until its last lane has been
// taken, gathers the answers by their tags, compares them with what the executor saw, and speaks
// the protocol. The block has edges only while it has work under way.
//
// Cycle by cycle: a request that arrives in cycle c is at the block's inputs in cycle c. The edge
// that ends c takes the lanes for which the block is ready. An answer that is valid behind that
// edge is there in cycle c + 1. So n words that take n cycles of a block with one cycle of latency
// are answered in cycle c + n, and the next access is offered in cycle c + n.
//
// Accesses come in order, and nothing later can change how an access is taken. So the block gets
// all edges of an access, until the access is taken, as soon as it is sent: the core learns at once
// for how long the path is held. Edges while only answers are due come in their cycles.
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

/// Lanes offered to a block, all of them with words of 32 bits.
struct MemoryRequest {
  LaneMask valid = 0;  ///< lanes not taken so far; nothing is read of other lanes
  bool write = false;  ///< true: all lanes write; false: all lanes read
  unsigned tag = 0;    ///< tag of all lanes, below Behaviour::tags
  Lanes word{};        ///< number of each lane's word in the memory, from 0
  Lanes bank{};        ///< bank by the platform's mapping, for blocks that use it
  Lanes row{};
  Lanes data{};                                   ///< data of lanes that write
  std::array<std::uint8_t, kWarpLanes> enable{};  ///< bit b: byte b is written
};

/// Lanes that answer.
struct MemoryResponse {
  LaneMask valid = 0;
  std::array<std::uint8_t, kWarpLanes> tag{};  ///< tag that the lane was taken with
  Lanes data{};                                ///< data of lanes that read
  /// With Behaviour::tellsPasses: passes of the block's banks for the lanes of this or an earlier
  /// edge; 0: nothing is told.
  std::uint32_t passes = 0;
};

class BlockMemory : public LateWarpTarget {
 public:
  /// Surroundings of the block; a platform fills them in.
  struct Parameters {
    Clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    ScratchpadShape shape;
    std::uint32_t rows = 384;        ///< rows per bank of the mapping
    std::string mapping = "mod 32";  ///< mapping that gives bank and row
    Cycle latency = 0;               ///< cycles from the block's answer to the registers
    Probe* probe = nullptr;          ///< may be null
  };
  /// Properties of the block.
  struct Behaviour {
    /// Number of tags, 1 to 256. Word k of all lanes of an access has one tag while under way.
    unsigned tags = 1;
    bool answersStores = false;  ///< true: a lane that writes is answered, like one that reads
    /// True: lanes of an access that ask for one word count, and are priced, as one access of its
    /// bank. All lanes of a load that ask for a word must then be taken with one edge; a block that
    /// leaves one of them causes an SC_REPORT_ERROR. False: each lane counts as one access.
    bool mergesEqualWords = true;
    /// True: for each edge that takes lanes, in their order, the block tells MemoryResponse::passes
    /// once, with this edge or a later one, and the path is held until then. False: each such edge
    /// is one pass.
    bool tellsPasses = false;
  };
  static constexpr unsigned kMostTags = 256;

  /// Lane accesses compared so far.
  std::uint64_t compared() const { return compared_; }
  using sc_core::sc_module::trace;  // hidden by the next declaration otherwise
  /// Registers the block's signals with `waves`; each edge is sampled in its cycle. Call before the
  /// first access. Returns false if the block has no signals.
  bool trace(Waves& waves, const std::string& name);

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) final;
  /// Sends the access through the block in edges that take no time: the fill of a CTA's window.
  /// Work under way is answered first, at the time it would have been without this call. With
  /// TLM_IGNORE_COMMAND, only predicts the passes that the access takes without a conflict.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) final;

 protected:
  /// Throws BadInput if the memory's words do not have 32 bits, or if there are too many tags.
  BlockMemory(const sc_core::sc_module_name& name, const Parameters& parameters,
              const Behaviour& behaviour);

  /// Gives the block a rising edge of its clock. `offered` is at its inputs before the edge.
  /// Returns the lanes of `offered` that the block takes with this edge, those for which it is
  /// ready. Sets `answered`, whose `valid` is 0 on entry, to the lanes that answer behind the edge;
  /// the base takes every answer.
  ///
  /// The block keeps the order of words: a read finds what was taken before it. If several lanes of
  /// an access write one byte, the highest lane must win, as in the executor. CUDA leaves the
  /// winner open, so a block with another winner fails the verification only of kernels with such a
  /// race. The block need not keep the order of answers. A lane that it does not take is offered
  /// again with the next edge, unchanged. A block that neither takes nor answers for kMostEdges
  /// edges hangs, which ends the run by a std::runtime_error. Answers that nobody waits for are an
  /// SC_REPORT_ERROR.
  virtual LaneMask edge(const MemoryRequest& offered, MemoryResponse& answered) = 0;
  /// See Traced::trace.
  virtual bool traceBlock(Waves&, const std::string&) { return false; }

 private:
  using LaneData = WarpInstruction::LaneData;

  /// Work under way with one tag: one word of each of some lanes.
  struct Step {
    tlm::tlm_generic_payload* payload = nullptr;
    WarpAccess* access = nullptr;
    const LaneData* expected = nullptr;  ///< null: nothing is compared
    unsigned k = 0;                      ///< number of the word within each lane
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
  Cycle at_ = 0;  ///< cycle whose edge comes next
  std::vector<Step> steps_;
  unsigned open_ = 0;  ///< steps with lanes that wait
  unsigned next_ = 0;  ///< tag that is tried first
  tlm::tlm_generic_payload* taking_ = nullptr;
  MemoryRequest request_;
  MemoryResponse response_;
  unsigned quiet_ = 0;   ///< edges in a row that took, answered and told nothing
  unsigned untold_ = 0;  ///< edges that took lanes whose passes are not told
  std::uint32_t passes_ = 0;
  std::uint32_t mostPasses_ = 0;  ///< most passes of one word of the lanes
  std::uint64_t compared_ = 0;
};

}  // namespace fermata::rtl
