// An executed warp instruction, as the GPU sends it to the host.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct FermataRow {
  uint64_t block;             ///< number in the grid, x fastest; kLaunchEnds: the launch has ended
  uint32_t number;            ///< of the instruction, in all functions together
  uint32_t lanes;             ///< lanes that execute it
  uint32_t values[2];         ///< number and threads of a barrier
  uint16_t warp;              ///< in its block
  uint16_t lists;             ///< lists of addresses that follow: 0, 1, or 2 for a copy
  uint64_t addresses[2][32];  ///< of each lane: of a copy the shared side first
};

static const uint64_t kLaunchEnds = ~0ULL;
static const size_t kRowHead = offsetof(FermataRow, addresses);
