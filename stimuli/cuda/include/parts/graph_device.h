// Graphs on the device: setting the values of conditions. Kernels cannot launch graphs.
#pragma once

#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)

/// Sets the value that a conditional node reads. The handle is the address of its word.
__device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                                               unsigned int value) {
  *reinterpret_cast<volatile unsigned int*>(handle) = value;
}
__device__ inline cudaGraphExec_t cudaGetCurrentGraphExec() { return nullptr; }
__device__ inline cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
  return cudaErrorNotSupported;
}
