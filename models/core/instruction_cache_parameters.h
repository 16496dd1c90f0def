// Parameters of an SM's instruction cache. No SystemC.
#pragma once

namespace fermata {

struct InstructionCacheParameters {
  unsigned bytes = 0;  ///< capacity; 0: every instruction is always present
  unsigned lineBytes = 128;
  unsigned ways = 4;              ///< lines of a set; the least recently used one is replaced
  unsigned instructionBytes = 8;  ///< size of an instruction
  unsigned mshrs = 2;     ///< absent lines under way at once that a warp waits for, 1 or more
  unsigned prefetch = 0;  ///< lines fetched ahead
  /// A program's constants and parameters are a line more, absent until a warp has read them.
  bool constants = false;
  /// With `constants`: requests in which the line is asked for: 1, 2 or 4. If one finds the line
  /// under way to the L2, it is answered with what comes.
  unsigned constantParts = 1;
  /// With `constants`: lines of the constant space that may be under way at once, and instructions
  /// that may wait for one; 0: that space is present.
  unsigned constantMshrs = 0;
  unsigned constantReaders = 32;
  /// Programs lie in their module one behind another: a program begins within a line. False: with a
  /// line of its own.
  bool packed = false;
  unsigned preload = 0;  ///< first bytes of a program that a launch brings into the cache
  /// Instructions that a fetch brings to a warp; 0: fetches of present lines cost nothing.
  unsigned buffer = 0;
  unsigned fetches = 1;       ///< fetches into buffers that the SM begins per cycle, 1 or more
  unsigned fetchLatency = 0;  ///< cycles from the fetch of a present line to the first issue
};

}  // namespace fermata
