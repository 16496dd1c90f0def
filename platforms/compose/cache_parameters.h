// Parameters of the memory behind the core's global path, and their part of describe()
// (parameters.h).
#pragma once

#include <fermata/models/memory/dram_parameters.h>
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/l1_cache.h>
#include <fermata/models/memory/l2_cache.h>

#include <cstdint>
#include <string>

namespace fermata::platforms {

/// Kind of memory behind the core's global path.
enum class GlobalMemory : std::uint8_t {
  Flat,   ///< a latency and a bandwidth
  L1,     ///< an L1 before flat memory
  Dram,   ///< interconnect and DRAM, without caches
  Caches  ///< L1, interconnect, L2, DRAM
};

/// True if the core's global path begins with an L1.
constexpr bool hasL1(GlobalMemory kind) {
  return kind == GlobalMemory::L1 || kind == GlobalMemory::Caches;
}
/// True if memory is a latency and a bandwidth.
constexpr bool isFlat(GlobalMemory kind) {
  return kind == GlobalMemory::Flat || kind == GlobalMemory::L1;
}

/// Data array that serves the hits of an L1.
enum class L1Array : std::uint8_t { Own, Scratchpad };

/// Split of the array that scratchpad and L1 share, in KB; Free: each has its own size.
enum class ArraySplit : std::uint8_t { Free, Scratchpad48, Scratchpad16, Scratchpad32 };

struct L1Parameters : L1Cache::Parameters {
  ArraySplit split = ArraySplit::Free;
  L1Array array = L1Array::Own;
  std::string carveouts;           ///< text of carveouts.h; empty: each has its own size
  std::uint32_t arrayBytes = 0;    ///< of scratchpad and L1 together; 0: they share none
  std::string sets;                ///< mapping text of the set index; empty: line mod sets
  std::string tags;                ///< mapping text: lines to tag arrays; empty: each has all
  std::string indexer = "mod 32";  ///< mapping text: words of the data arrays to banks
};

/// Figures of the whole L2; each slice has its share (cache_checks.h).
struct L2Parameters : L2Cache::Parameters {
  unsigned slices = 1;
  std::string sliceIndexer;       ///< mapping text: lines to slices; empty: line mod slices
  std::uint32_t sliceBytes = 32;  ///< consecutive bytes in one slice; a line at least
  std::string sets;     ///< mapping text: rows of a slice to its sets; empty: row mod sets
  bool copies = false;  ///< data that the host copies to the device are in the cache afterwards
};

}  // namespace fermata::platforms

namespace fermata {

template <>
inline constexpr NamedChoice<platforms::GlobalMemory> kChoices<platforms::GlobalMemory>[] = {
    {platforms::GlobalMemory::Flat, "flat"},
    {platforms::GlobalMemory::L1, "l1"},
    {platforms::GlobalMemory::Dram, "dram"},
    {platforms::GlobalMemory::Caches, "caches"}};

template <>
inline constexpr NamedChoice<platforms::L1Array> kChoices<platforms::L1Array>[] = {
    {platforms::L1Array::Own, "own"}, {platforms::L1Array::Scratchpad, "scratchpad"}};

template <>
inline constexpr NamedChoice<platforms::ArraySplit> kChoices<platforms::ArraySplit>[] = {
    {platforms::ArraySplit::Free, "free"},
    {platforms::ArraySplit::Scratchpad48, "48/16"},
    {platforms::ArraySplit::Scratchpad16, "16/48"},
    {platforms::ArraySplit::Scratchpad32, "32/32"}};

}  // namespace fermata

namespace fermata::platforms {

template <class Visitor>
void describeL1(L1Parameters& l1, Visitor& visit) {
  const Range latency{0, 100000};
  visit("l1.split", l1.split,
        "KB of scratchpad / KB of L1, of the 64 KB that they share; free: scratchpad.bytes and "
        "l1.bytes give the sizes");
  visit("l1.carveouts", l1.carveouts,
        "KB that the scratchpad may have of l1.array_bytes, in rising order: before each grid it "
        "gets the least that holds the shared memory of the resident CTAs, the L1 has the rest; "
        "empty: scratchpad.bytes and l1.bytes give the sizes");
  visit("l1.array_bytes", l1.arrayBytes, "bytes", Range{0, 4194304},
        "capacity that scratchpad and L1 share by l1.carveouts; 0: none");
  visit("l1.bytes", l1.shape.bytes, "bytes", Range{128, 1048576},
        "capacity of the L1; with l1.carveouts, beside the largest carve-out");
  visit("l1.line_bytes", l1.shape.lineBytes, "bytes", Range{32, 1024, true},
        "bytes per line of L1 and L2, in whole sectors of 32 bytes");
  visit("l1.ways", l1.shape.ways, "lines", Range{1, 4096},
        "lines per set of the L1, of l1.bytes; with l1.carveouts, a larger L1 has more in as many "
        "sets");
  visit("l1.sets", l1.sets, "mapping text, from lines of the L1 to sets; empty: line mod sets");
  visit("l1.replacement", l1.replacement, "line of an L1 set that makes room for a new one");
  visit("l1.allocate", l1.allocation,
        "moment at which a line gets its frame in the L1: when it is asked for (miss) or when it "
        "comes (fill)");
  visit("l1.fetch", l1.fetch,
        "part of an absent line that a load brings into the L1: all of it (line), or the sectors "
        "of 32 bytes that its lanes touch (sectors)");
  visit("l1.write_policy", l1.writePolicy,
        "effect of a store, which is written through, on the L1: a present line is evicted "
        "(evict) or updated (through); or its bytes are present afterwards, whatever was before "
        "(allocate)");
  visit("l1.partial_hits", l1.partialHits,
        "whether a load finds stored bytes in a sector of the L1 of which others are absent; "
        "false: it fetches the sector; unless l1.write_policy = allocate: no effect");
  visit(
      "l1.local_back", l1.localBack,
      "whether a store to local memory changes a line of the L1 that is present, which is written "
      "when another takes its frame; else it is a store as others; unless l1.write_policy = "
      "evict, l1.fetch = line and l1.allocate = miss: no effect");
  visit("l1.request_sectors", l1.requestSectors,
        "whether the L1 asks for and writes each sector of 32 bytes by itself; false: sectors side "
        "by side in one request; l1.fetch = line: no effect");
  visit("l1.array", l1.array,
        "data array that serves hits of the L1: one of the L1's own, or the scratchpad's, where "
        "hits and shared accesses take turns");
  visit("l1.indexer", l1.indexer, "mapping text, from words of the L1's data arrays to banks");
  visit("l1.conflict_policy", l1.conflictPolicy, "treatment of lanes that lose a bank of the L1");
  visit("l1.divergence", l1.divergence,
        "treatment of lanes whose line is absent from the L1: the access waits for the line "
        "(wait), or the lanes are replayed (replay)");
  visit("l1.interval", l1.interval, "cycles", Range{1, 64},
        "from one try that the L1 takes to the next");
  visit("l1.tag_arrays", l1.tagArrays, "lines/cycle", Range{1, 32},
        "lines looked up in the L1 per cycle, one per tag array");
  visit("l1.tags", l1.tags,
        "mapping text, from lines of the L1 to its tag arrays; empty: each array has the tags of "
        "all lines");
  visit("l1.falling", l1.falling,
        "whether the lines of an access are looked up from the highest address down; false: in the "
        "order of the lanes");
  visit("l1.stores_pass", l1.storesPass,
        "whether a store leaves a line alone that is under way to the L1, and loads go on joining "
        "it; false: the line is dropped as it comes, and later loads wait until then; unless "
        "l1.write_policy = evict and l1.fetch = line: no effect");
  visit("l1.splits_bytes", l1.splitsBytes,
        "whether lanes of one byte are looked up by blocks of 32 bytes and lanes of two by blocks "
        "of 64; false: by lines; without l1.lookup_queue: no effect");
  visit(
      "l1.tag_sectors", l1.tagSectors,
      "whether the L1 looks up each sector of 32 bytes by itself, sector n in array n mod "
      "l1.tag_arrays, in order: one whose array is taken waits with those behind it, and requests "
      "that wait for l1.queue wait by array, the lowest first; without l1.lookup_queue: no effect");
  visit("l1.latency", l1.latency, "cycles", latency,
        "from the last pass of an access at the L1 to the registers");
  visit("l1.lookup_latency", l1.lookupLatency, "cycles", latency,
        "until it is known whether an access hits the L1, and a miss leaves");
  visit("l1.lookup_queue", l1.lookupQueue, "lines", Range{0, 1024},
        "lines (with l1.tag_sectors: sectors) that may be on their way to each tag array, which "
        "looks them up l1.lookup_latency after they came: then an absent line takes its frame and "
        "MSHR; 0: when the access comes; "
        "l1.divergence = replay and l1.array = scratchpad: no effect");
  visit(
      "l1.atomics_pass", l1.atomicsPass,
      "whether atomics pass the L1's way to the tags by: they take l1.lookup_latency less a cycle "
      "for each place of l1.lookup_queue, and leave sector by sector, one per cycle; without "
      "l1.lookup_queue: no effect");
  visit("l1.fill_latency", l1.fillLatency, "cycles", latency,
        "from a line's arrival in the L1 to the registers of accesses that wait for it; "
        "l1.divergence = replay: no effect, the replay hits and takes l1.latency");
  visit("l1.fill_bytes_per_cycle", l1.fillBytes, "bytes/cycle", Range{0, 4096},
        "rate at which what comes from memory enters the L1; 0: no limit; l1.divergence = replay: "
        "no effect");
  visit("l1.mshrs", l1.mshrs, "lines", Range{1, 4096},
        "lines that the L1 may have asked for at once");
  visit("l1.merges", l1.merges, "accesses", Range{0, 4096},
        "accesses that may wait for one line of the L1; 0: no limit");
  visit("l1.queue", l1.queue, "requests", Range{1, 4096},
        "requests of the L1 that may wait for the interconnect");
}

template <class Visitor>
void describeL2(Interconnect::Parameters& net, L2Parameters& l2, Visitor& visit) {
  const Range latency{0, 100000};
  visit("interconnect.latency", net.latency, "cycles", latency,
        "traversal of the interconnect, each way");
  visit("interconnect.bytes_per_cycle", net.bytesPerCycle, "bytes/cycle", Range{1, 4096},
        "bandwidth of an SM's link, each way; each message has 8 bytes of address and command in "
        "addition to its data");
  visit("interconnect.request_bytes_per_cycle", net.bytesPerCycleUp, "bytes/cycle", Range{0, 4096},
        "bandwidth of an SM's link for requests; 0: interconnect.bytes_per_cycle, as for answers");
  visit("interconnect.queue", net.queue, "requests", Range{1, 4096},
        "requests per SM that may wait for one slice of the L2; with interconnect.router_steps the "
        "parts of interconnect.bytes_per_cycle that may wait at each SM, and the requests that may "
        "wait behind the router for each slice");
  visit("interconnect.slice_bytes_per_cycle", net.sliceBytesPerCycle, "bytes/cycle", Range{0, 4096},
        "bandwidth of the link of a slice of the L2, each way; 0: no limit");
  visit("interconnect.gpc_request_bytes_per_cycle", net.groupBytesUp, "bytes/cycle",
        Range{0, 65536},
        "bandwidth of the link that the SMs of a GPC share for requests, with the 8 bytes of each "
        "message; 0: no limit; without chip.gpcs: no effect");
  visit("interconnect.gpc_answer_bytes_per_cycle", net.groupBytesDown, "bytes/cycle",
        Range{0, 65536},
        "bandwidth of the link that the SMs of a GPC share for answers, with the 8 bytes of each "
        "message; 0: no limit; without chip.gpcs: no effect");
  visit("interconnect.answer_bytes", net.answerBytes, "bytes", Range{0, 4096},
        "data of an answer that travel as one message; a read is answered by as many messages as "
        "its data need, a write by as many without data; 0: an answer is one message");
  visit("interconnect.message_gap", net.messageGap, "cycles", Range{0, 64},
        "for which the link of a slice of the L2, or with interconnect.input_queues that of an SM, "
        "too, stands still behind each message; without either: no effect");
  visit("interconnect.input_queues", net.inputQueues,
        "whether messages queue up before a crossbar, at each SM and each slice: a message whose "
        "slice, or SM, takes another one holds those behind it; without effect then: "
        "interconnect.queue and interconnect.slice_bytes_per_cycle");
  visit(
      "interconnect.router_steps", net.routerSteps, "steps/cycle", Range{0, 8},
      "steps of a router of virtual channels: a message takes one for the channel of its slice, or "
      "SM, and one for each part of interconnect.bytes_per_cycle, and holds what stands behind it; "
      "0: messages pass a crossbar; without interconnect.input_queues: no effect");
  visit("interconnect.far_latency", net.farLatency, "cycles", latency,
        "additional traversal of the interconnect, each way, for a slice in the other partition");
  visit("l2.bytes", l2.shape.bytes, "bytes", Range{1024, 268435456}, "capacity of the L2");
  visit("l2.ways", l2.shape.ways, "lines", Range{1, 4096}, "lines per set of the L2");
  visit("l2.sets", l2.sets,
        "mapping text, from lines of an L2 slice, numbered through, to its sets; empty: line mod "
        "sets");
  visit("l2.replacement", l2.replacement, "line of an L2 set that makes room for a new one");
  visit("l2.write_policy", l2.writePolicy,
        "moment at which writes go from the L2 to memory: when their line leaves (back) or at once "
        "(through)");
  visit("l2.latency", l2.latency, "cycles", latency,
        "from a request's turn at the L2 to its answer");
  visit("l2.input_latency", l2.inputLatency, "cycles", latency,
        "from a request's arrival at the L2 to the queue before its tags: there it waits for its "
        "turn, and l2.input counts sectors in that queue; 0: a request is looked up as it arrives");
  visit("l2.write_latency", l2.writeLatency, "cycles", latency,
        "from a write's turn at the L2 to its answer, which nothing but fences, waits and the "
        "launch's end wait for, and to which interconnect.far_latency adds nothing; atomics take "
        "l2.latency; 0: as l2.latency");
  visit("l2.slices", l2.slices, "slices", Range{1, 256},
        "slices of the L2; l2.bytes, l2.mshrs, l2.input and l2.queue are divided among them");
  visit("l2.slice_indexer", l2.sliceIndexer,
        "mapping text, from lines, or blocks of l2.slice_bytes, to slices of the L2; empty: line "
        "mod slices");
  visit("l2.slice_bytes", l2.sliceBytes, "bytes", Range{32, 65536, true},
        "consecutive bytes in one slice of the L2; a line at least");
  visit("l2.partitions", net.partitions, "partitions", Range{1, 2},
        "parts of the chip, each with half of the SMs and slices, the lower numbers first, unless "
        "chip.gpcs says where SMs are; interconnect.far_latency lies between them");
  visit("l2.cycles_per_sector", l2.cyclesPerSector, "cycles", Range{1, 10000},
        "time that a request holds its slice of the L2, per sector of 32 bytes");
  visit("l2.cycles_per_dirty_sector", l2.evictionCycles, "cycles", Range{0, 10000},
        "time that a request which evicts a line holds its slice of the L2, per sector that goes "
        "to memory, if that is longer than its own; 0: it holds the slice no longer");
  visit("l2.atomic_interval", l2.atomicInterval, "cycles", Range{0, 10000},
        "time that an atomic holds its slice of the L2 for each sector of 32 bytes, and for each "
        "further lane on the fullest word of a sector; 0: not longer than a write");
  visit("l2.atomic_float_interval", l2.floatInterval, "cycles", Range{0, 10000},
        "the same for a further lane that adds floats, if longer");
  visit("l2.mshrs", l2.mshrs, "lines", Range{1, 65536},
        "lines that the L2 may have asked for at once");
  visit("l2.merges", l2.merges, "requests", Range{0, 65536},
        "requests that may wait for one line of the L2; 0: no limit");
  visit("l2.input", l2.input, "requests", Range{1, 65536},
        "requests that the L2 may have taken in and not yet served");
  visit("l2.queue", l2.queue, "requests", Range{1, 65536},
        "requests of the L2 that may wait for memory");
  visit("l2.four_phase", l2.fourPhase,
        "end each response of memory with an END_RESP of its own, for a memory that waits for it");
  visit("l2.whole_sectors", l2.wholeSectors,
        "write whole sectors to memory, for a memory that takes no byte enables");
  visit(
      "l2.adds_bytes", l2.addsBytes,
      "take a sector of the L2 as present when stores have written all of its bytes, not only when "
      "one store has");
  visit("l2.copies", l2.copies, "place data that the host copies to the device in the L2");
}

}  // namespace fermata::platforms
