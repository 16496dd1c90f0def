// Parameters of the memory behind the core's global path, and their part of describe()
// (parameters.h).
#pragma once

#include <fermata/models/memory/dram.h>
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/l1_cache.h>
#include <fermata/models/memory/l2_cache.h>
#include <fermata/platforms/compose/range.h>

#include <cstdint>
#include <string>

namespace fermata::platforms {

/// Kind of memory behind the core's global path.
enum class GlobalMemory : std::uint8_t {
  Flat,   ///< a latency and a bandwidth
  Caches  ///< L1, interconnect, L2, DRAM
};

/// Split of the array that scratchpad and L1 share, in KB; Free: each has its own size.
enum class ArraySplit : std::uint8_t { Free, Scratchpad48, Scratchpad16, Scratchpad32 };

struct L1Parameters : L1Cache::Parameters {
  ArraySplit split = ArraySplit::Free;
  std::string sets;                ///< mapping text of the set index; empty: line mod sets
  std::string indexer = "mod 32";  ///< mapping text: words of the data arrays to banks
};

struct L2Parameters : L2Cache::Parameters {
  std::string sets;
  bool copies = false;  ///< data that the host copies to the device are in the cache afterwards
};

struct DramParameters : Dram::Parameters {
  double frequencyMhz = 924;
};

}  // namespace fermata::platforms

namespace fermata {

template <>
struct ChoiceTable<platforms::GlobalMemory> {
  static const std::vector<NamedChoice<platforms::GlobalMemory>>& table() {
    static const std::vector<NamedChoice<platforms::GlobalMemory>> choices{
        {platforms::GlobalMemory::Flat, "flat"}, {platforms::GlobalMemory::Caches, "caches"}};
    return choices;
  }
};

template <>
struct ChoiceTable<platforms::ArraySplit> {
  static const std::vector<NamedChoice<platforms::ArraySplit>>& table() {
    using platforms::ArraySplit;
    static const std::vector<NamedChoice<ArraySplit>> choices{{ArraySplit::Free, "free"},
                                                              {ArraySplit::Scratchpad48, "48/16"},
                                                              {ArraySplit::Scratchpad16, "16/48"},
                                                              {ArraySplit::Scratchpad32, "32/32"}};
    return choices;
  }
};

}  // namespace fermata

namespace fermata::platforms {

template <class Visitor>
void describeDram(DramParameters& dram, Visitor& visit) {
  const Range cycles{0, 10000};
  visit("dram.frequency_mhz", dram.frequencyMhz, "MHz", Range{1, 100000}, "command clock");
  visit("dram.channels", dram.channels, "channels", Range{1, 64}, "of their own buses");
  visit("dram.channel_bytes", dram.channelBytes, "bytes", Range{32, 65536, true},
        "consecutive bytes of a channel");
  visit("dram.banks", dram.banks, "banks", Range{1, 64, true}, "of a channel");
  visit("dram.bank_groups", dram.bankGroups, "groups", Range{1, 64, true}, "of the banks");
  visit("dram.row_bytes", dram.rowBytes, "bytes", Range{64, 65536, true}, "of a row of a bank");
  visit("dram.bank_bytes", dram.bankBytes, "bytes", Range{32, 65536, true},
        "consecutive bytes of a bank, within a channel");
  visit("dram.side_by_side", dram.sideBySide, "banks", Range{1, 64, true},
        "between which those alternate");
  visit("dram.burst_bytes", dram.burstBytes, "bytes", Range{8, 1024, true}, "of a column command");
  visit("dram.queue", dram.queue, "requests", Range{1, 4096},
        "of a channel that wait; of them row hits go first (FR-FCFS)");
  visit("dram.patience", dram.patience, "DRAM cycles", Range{1, 1000000},
        "after which the oldest request of a channel goes before row hits");
  visit("dram.latency", dram.latency, "DRAM cycles", cycles,
        "of the controller and the way back, added to each read");
  const auto timing = [&](const char* path, unsigned& field, const char* what) {
    visit(path, field, "DRAM cycles", cycles, what);
  };
  timing("dram.ccd", dram.timing.ccd, "column to column; the burst on the bus");
  timing("dram.ccdl", dram.timing.ccdl, "column to column within a bank group");
  timing("dram.rrd", dram.timing.rrd, "activate to activate, of different banks");
  timing("dram.rcd", dram.timing.rcd, "activate to column");
  timing("dram.ras", dram.timing.ras, "activate to precharge");
  timing("dram.rp", dram.timing.rp, "precharge to activate");
  timing("dram.rc", dram.timing.rc, "activate to activate, of a bank");
  timing("dram.cl", dram.timing.cl, "read to its data");
  timing("dram.wl", dram.timing.wl, "write to its data");
  timing("dram.cdlr", dram.timing.cdlr, "last data of a write to a read");
  timing("dram.wr", dram.timing.wr, "last data of a write to precharge");
  timing("dram.rtp", dram.timing.rtp, "read to precharge");
  timing("dram.turnaround", dram.timing.turnaround, "idle bus between a read and a write");
}

template <class Visitor>
void describeL1(L1Parameters& l1, Visitor& visit) {
  const Range latency{0, 100000};
  visit("l1.split", l1.split,
        "of the 64 KB that scratchpad and L1 share, in KB; free: scratchpad.bytes and l1.bytes "
        "say it");
  visit("l1.bytes", l1.shape.bytes, "bytes", Range{128, 1048576}, "capacity");
  visit("l1.line_bytes", l1.shape.lineBytes, "bytes", Range{32, 1024, true},
        "of a line, of the L2 too: whole sectors of 32 bytes");
  visit("l1.ways", l1.shape.ways, "lines", Range{1, 4096}, "of a set");
  visit("l1.sets", l1.sets, "mapping text of the set index; empty: line mod sets");
  visit("l1.replacement", l1.replacement, "which line of a set leaves");
  visit("l1.allocate", l1.allocation,
        "when a line gets its frame: when it is asked for (miss) or when it comes (fill)");
  visit("l1.write_policy", l1.writePolicy,
        "what a store, which is written through, does to a line that is there: evict or update "
        "it (through)");
  visit("l1.indexer", l1.indexer, "mapping text of the words of the data arrays onto banks");
  visit("l1.conflict_policy", l1.conflictPolicy, "what happens to lanes that lose a bank");
  visit("l1.divergence", l1.divergence,
        "lanes whose line is absent: the access waits for it, or they are replayed");
  visit("l1.tag_arrays", l1.tagArrays, "lines/cycle", Range{1, 32}, "looked up");
  visit("l1.latency", l1.latency, "cycles", latency, "last pass to registers");
  visit("l1.lookup_latency", l1.lookupLatency, "cycles", latency,
        "until hit or miss is known, and a miss leaves");
  visit("l1.fill_latency", l1.fillLatency, "cycles", latency,
        "from a line's arrival to the registers of what waits for it; l1.divergence = replay: no "
        "effect, its replay hits and takes l1.latency");
  visit("l1.mshrs", l1.mshrs, "lines", Range{1, 4096}, "under way at once");
  visit("l1.merges", l1.merges, "accesses", Range{0, 4096}, "that wait for one line; 0: no limit");
  visit("l1.queue", l1.queue, "requests", Range{1, 4096}, "that wait for the interconnect");
}

template <class Visitor>
void describeL2(Interconnect::Parameters& net, L2Parameters& l2, Visitor& visit) {
  const Range latency{0, 100000};
  visit("interconnect.latency", net.latency, "cycles", latency, "each way");
  visit("interconnect.bytes_per_cycle", net.bytesPerCycle, "bytes/cycle", Range{1, 4096},
        "of an SM's link, each way; what goes over it has 8 bytes of address and command");
  visit("interconnect.queue", net.queue, "requests", Range{1, 4096}, "that wait for the L2");
  visit("l2.bytes", l2.shape.bytes, "bytes", Range{1024, 268435456}, "capacity");
  visit("l2.ways", l2.shape.ways, "lines", Range{1, 4096}, "of a set");
  visit("l2.sets", l2.sets, "mapping text of the set index; empty: line mod sets");
  visit("l2.replacement", l2.replacement, "which line of a set leaves");
  visit("l2.write_policy", l2.writePolicy,
        "writes go to memory when their line leaves (back) or at once (through)");
  visit("l2.latency", l2.latency, "cycles", latency, "a request's turn to its answer");
  visit("l2.slices", l2.slices, "ports", Range{1, 256}, "line i has port i mod slices");
  visit("l2.cycles_per_sector", l2.cyclesPerSector, "cycles", Range{1, 10000},
        "that a request takes its port");
  visit("l2.mshrs", l2.mshrs, "lines", Range{1, 65536}, "under way at once");
  visit("l2.merges", l2.merges, "requests", Range{0, 65536}, "that wait for one line; 0: no limit");
  visit("l2.input", l2.input, "requests", Range{1, 65536}, "taken in and not yet served");
  visit("l2.queue", l2.queue, "requests", Range{1, 65536}, "that wait for memory");
  visit("l2.four_phase", l2.fourPhase,
        "ends each response of memory by an END_RESP of its own, for a memory that waits for it");
  visit("l2.whole_sectors", l2.wholeSectors,
        "writes whole sectors to memory, for one that takes no byte enables");
  visit("l2.copies", l2.copies, "what the host copies to the device stands in the L2 afterwards");
}

}  // namespace fermata::platforms
