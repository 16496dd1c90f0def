// The commands of a DRAM, and the least distances between them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fermata {

/// Commands to a bank, by JEDEC's names. Read and write are the column commands.
enum class DramCommand : std::uint8_t { Read, Write, Precharge, Activate };

/// Cycles of the command clock, from command to command. Defaults: GDDR5 of 924 MHz, which
/// GPGPU-Sim 4.2 quotes for the GTX 480 from the data sheet of hynix's H5GQ1H24AFR
/// (configs/tested-cfgs/SM2_GTX480); `turnaround` is the part of a delay that it derives.
struct DramTiming {
  unsigned ccd = 2;   ///< column to column; also the cycles that a burst holds the data bus
  unsigned ccdl = 3;  ///< column to column of one bank group
  unsigned ccdr = 0;  ///< read to read of another stack ID; less than ccd: as ccd
  unsigned rrd = 6;   ///< activate to activate, of different banks
  unsigned rcd = 12;  ///< activate to column
  unsigned ras = 28;  ///< activate to precharge
  unsigned rp = 12;   ///< precharge to activate
  unsigned rc = 40;   ///< activate to activate of one bank
  unsigned cl = 12;   ///< read to its data
  unsigned wl = 4;    ///< write to its data
  unsigned cdlr = 5;  ///< last data of a write to a read
  unsigned wr = 12;   ///< last data of a write to precharge
  unsigned rtp = 2;   ///< read to precharge
  /// Cycles that the data bus is idle between the data of a read and of a write: the 2 in
  /// GPGPU-Sim's read-to-write delay, CL + burst + 2 - WL.
  unsigned turnaround = 2;
  unsigned faw = 0;   ///< activate to the fourth activate after it; 0: no such window
  unsigned refi = 0;  ///< refresh of a bank to its next one; 0: no refresh
  unsigned rfc = 0;   ///< refresh of a bank to an activate

  unsigned writeToRead() const { return wl + ccd + cdlr; }
  unsigned writeToPrecharge() const { return wl + ccd + wr; }
  unsigned readToWrite() const { return std::max(cl + ccd + turnaround, wl + ccd) - wl; }
  /// Returns the least refi that leaves time for a column between any two refreshes, whatever the
  /// banks still have to wait for. An upper estimate: each time counts twice.
  unsigned leastRefi() const {
    return rfc + 2 * (ccd + ccdl + ccdr + rrd + rcd + ras + rp + rc + cl + wl + cdlr + wr + rtp +
                      turnaround + faw);
  }
};

}  // namespace fermata
