// Parameters of the DRAM: shape, queues and timing, and the path, unit, range and meaning of each
// (range.h).
#pragma once

#include <fermata/models/memory/dram_timing.h>
#include <fermata/models/vocabulary/range.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// Shape of the channels, banks and rows. Defaults: the map of the GTX 480 in GPGPU-Sim 4.2
/// (SM2_GTX480: dramid@8;...RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS, the lowest bit of the bank at bit
/// 8).
struct DramShape {
  static constexpr unsigned kMostBanks = 64;

  unsigned channels = 6;
  std::uint32_t channelBytes = 256;  ///< consecutive bytes of a channel
  unsigned banks = 16;               ///< per channel
  std::uint32_t rowBytes = 4096;     ///< bytes of a row in one bank
  std::uint32_t bankBytes = 256;     ///< consecutive bytes of a bank, within a channel
  unsigned sideBySide = 2;           ///< banks that take turns, bankBytes each
  std::string channelIndexer;        ///< mapping text: blocks to channels; empty: modulo
};

/// Cycles are those of the command clock. Defaults: the GTX 480 with a command clock of 924 MHz,
/// from GPGPU-Sim 4.2 (configs/tested-cfgs/SM2_GTX480).
struct DramParameters : DramShape {
  unsigned bankGroups = 4;        ///< per stack ID; bank b is in group b mod bankGroups
  unsigned stackIds = 1;          ///< per channel; the first banks have the first ID, and so on
  std::uint32_t burstBytes = 64;  ///< bytes per column command: 2 chips x 4 bytes x 8
  /// Bytes that a burst brings of a read, where that is less: a read of several sectors then takes
  /// a burst for each. Larger than burstBytes: no less.
  std::uint32_t readBytes = 1024;
  unsigned queue = 64;  ///< requests that may wait in a channel
  /// Cycles after which the oldest request of a channel goes before row hits, lest it starves. An
  /// assumption; GPGPU-Sim has no limit.
  unsigned patience = 1024;
  /// Cycles of the controller and the way back, added to each read: 100 core cycles of 700 MHz
  /// (dram_latency). GPGPU-Sim adds them on the way to memory instead.
  unsigned latency = 132;
  DramTiming timing;
  unsigned refreshBanks = 0;  ///< banks per refresh, a divisor of `banks`; 0: all
  bool verify = false;        ///< keeps the bytes; otherwise data arrays are not accessed

  std::uint32_t bytesPerBurst(bool write) const {
    return write ? burstBytes : std::min(burstBytes, readBytes);
  }
};

template <class Visitor>
void describeDram(DramParameters& dram, Visitor& visit) {
  const Range cycles{0, 10000};
  visit("dram.channels", dram.channels, "channels", Range{1, 256},
        "DRAM channels, each with its own bus; a pseudo channel of HBM is one");
  visit("dram.channel_bytes", dram.channelBytes, "bytes", Range{32, 65536, true},
        "consecutive bytes in one DRAM channel");
  visit("dram.channel_indexer", dram.channelIndexer,
        "mapping text, from blocks of dram.channel_bytes to DRAM channels; empty: block mod "
        "channels");
  visit("dram.banks", dram.banks, "banks", Range{1, DramShape::kMostBanks, true},
        "banks per DRAM channel");
  visit("dram.bank_groups", dram.bankGroups, "groups", Range{1, 64, true},
        "groups of banks per DRAM channel, and of each stack ID");
  visit(
      "dram.stack_ids", dram.stackIds, "stack IDs", Range{1, 4, true},
      "sets of dies of a stack of HBM that share a DRAM channel, each with its share of the banks, "
      "the lower numbers first");
  visit("dram.row_bytes", dram.rowBytes, "bytes", Range{64, 65536, true},
        "bytes per row of a DRAM bank");
  visit("dram.bank_bytes", dram.bankBytes, "bytes", Range{32, 65536, true},
        "consecutive bytes in one DRAM bank, counted within the channel");
  visit("dram.side_by_side", dram.sideBySide, "banks", Range{1, 64, true},
        "banks between which consecutive blocks of dram.bank_bytes alternate");
  visit("dram.burst_bytes", dram.burstBytes, "bytes", Range{8, 1024, true},
        "bytes per column command");
  visit("dram.read_bytes", dram.readBytes, "bytes", Range{8, 1024, true},
        "bytes that a column command brings of a read, if less than dram.burst_bytes: 32 if each "
        "sector is a request of its own");
  visit("dram.queue", dram.queue, "requests", Range{1, 4096},
        "requests that may wait per DRAM channel; row hits go first (FR-FCFS)");
  visit("dram.patience", dram.patience, "DRAM cycles", Range{1, 1000000},
        "wait after which the oldest request of a channel goes before row hits");
  visit("dram.latency", dram.latency, "DRAM cycles", cycles,
        "latency of the controller and the way back, added to each read");
  const auto timing = [&](const char* path, unsigned& field, const char* what) {
    visit(path, field, "DRAM cycles", cycles, what);
  };
  visit("dram.ccd", dram.timing.ccd, "DRAM cycles", Range{1, 10000},
        "from column command to column command; also the time of a burst on the bus");
  timing("dram.ccdl", dram.timing.ccdl,
         "from column command to column command within a bank group");
  timing(
      "dram.ccdr", dram.timing.ccdr,
      "from a read command to a read command of another stack ID (tCCDR); less than dram.ccd: as "
      "that; dram.stack_ids = 1: no effect");
  timing("dram.rrd", dram.timing.rrd, "from activate to activate of different banks");
  timing("dram.rcd", dram.timing.rcd, "from activate to column command");
  timing("dram.ras", dram.timing.ras, "from activate to precharge");
  timing("dram.rp", dram.timing.rp, "from precharge to activate");
  timing("dram.rc", dram.timing.rc, "from activate to activate of one bank");
  timing("dram.cl", dram.timing.cl, "from read command to its data");
  timing("dram.wl", dram.timing.wl, "from write command to its data");
  timing("dram.cdlr", dram.timing.cdlr, "from the last data of a write to a read command");
  timing("dram.wr", dram.timing.wr, "from the last data of a write to precharge");
  timing("dram.rtp", dram.timing.rtp, "from read command to precharge");
  timing("dram.turnaround", dram.timing.turnaround,
         "idle time of the bus between the data of a read and of a write");
  timing("dram.faw", dram.timing.faw,
         "from an activate to the fourth one after it; 0: no such window");
  visit("dram.refi", dram.timing.refi, "DRAM cycles", Range{0, 1000000},
        "from a refresh of a bank to its next one; 0: no refresh");
  visit("dram.refresh_banks", dram.refreshBanks, "banks", Range{0, DramShape::kMostBanks},
        "banks of a channel that one refresh takes, a divisor of dram.banks; 0: all");
  timing("dram.rfc", dram.timing.rfc,
         "from a refresh of a bank to an activate; dram.refi = 0: no effect");
}

/// A parameter that contradicts others. Names are those of platform files.
struct DramContradiction {
  const char* parameter;
  std::vector<const char*> with;  ///< parameters whose values it contradicts
  const char* expected;           ///< for example "a power of two from 1 to banks"

  std::string text() const { return std::string(parameter) + " must be " + expected; }
};

/// Returns the first contradiction, nothing if there is none. Precondition: each parameter is in
/// its range.
std::optional<DramContradiction> contradiction(const DramParameters& parameters);

}  // namespace fermata
