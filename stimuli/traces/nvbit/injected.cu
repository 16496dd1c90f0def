// Runs on the GPU before each instruction: sends the warp's row to the host.
#include <stdint.h>

#include "row.cuh"
#include "utils/channel.hpp"

static __device__ void send(FermataRow& row, int executes, uint64_t channel) {
  const unsigned active = __activemask();
  row.lanes = __ballot_sync(active, executes);
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (thread % 32 != static_cast<unsigned>(__ffs(active)) - 1) return;
  row.block = (static_cast<uint64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  row.warp = static_cast<uint16_t>(thread / 32);
  const size_t bytes = kRowHead + row.lists * sizeof row.addresses[0];
  reinterpret_cast<ChannelDev*>(channel)->push(&row, static_cast<uint32_t>(bytes));
}

static __device__ void gather(uint64_t (&list)[32], uint64_t address) {
  const unsigned active = __activemask();
  for (int lane = 0; lane < 32; ++lane) list[lane] = __shfl_sync(active, address, lane);
}

extern "C" __device__ __noinline__ void fermata_row(int executes, uint32_t number, uint64_t channel,
                                                    uint32_t first, uint32_t second) {
  FermataRow row;
  row.number = number;
  row.lists = 0;
  row.values[0] = first;
  row.values[1] = second;
  send(row, executes, channel);
}

extern "C" __device__ __noinline__ void fermata_access(int executes, uint32_t number,
                                                       uint64_t channel, uint64_t address) {
  FermataRow row;
  row.number = number;
  row.lists = 1;
  gather(row.addresses[0], address);
  send(row, executes, channel);
}

extern "C" __device__ __noinline__ void fermata_copy(int executes, uint32_t number,
                                                     uint64_t channel, uint64_t shared,
                                                     uint64_t global) {
  FermataRow row;
  row.number = number;
  row.lists = 2;
  gather(row.addresses[0], shared);
  gather(row.addresses[1], global);
  send(row, executes, channel);
}
