// A part of a chip: some of its SMs, with their share of the memory that all SMs share.
#pragma once

namespace fermata::platforms {

struct PlatformParameters;

/// Returns the parameters for the memory of `sms` of the chip's `smsOfChip` SMs, the others busy.
/// The L2 has that part of the bytes, slices, MSHRs and queues; the DRAM has that part of the
/// channels. All are rounded, to 1 at least. Where a count was rounded, the time of a sector at its
/// slice (l2.cycles_per_sector) and of a burst on its bus (dram.ccd) makes up for it, in whole
/// cycles. Example: 1 of 40 SMs before 16 channels with a burst per 2 cycles has 1 channel with a
/// burst per 5. Latencies stay, and an SM's link. Returns equal parameters if the chip is whole.
PlatformParameters shareOf(const PlatformParameters& parameters);

}  // namespace fermata::platforms
