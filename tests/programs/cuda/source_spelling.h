// Device functions of source_spelling.cu, in nvcc's spelling.
#pragma once

static __device__ unsigned laneOf() {
  unsigned lane;
  asm("mov.u32 %0, %laneid;" : "=r"(lane));
  return lane;
}

static __device__ unsigned reversed(unsigned value) {
  __shared__ alignas(16) unsigned line[32];
  line[31 - threadIdx.x] = value;
  __syncthreads();
  return line[threadIdx.x];
}
