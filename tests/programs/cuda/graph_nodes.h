// Kernels and nodes that the tests of graphs share. Needs check.h before it.
#pragma once

__global__ void add(int* data, int value) {
  atomicAdd(data, value);
}
__global__ void multiply(int* data, int value) {
  *data *= value;
}

inline int valueOf(const int* device) {
  return toHost(device, 1)[0];
}
inline void set(int* device, int value) {
  CHECK(cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice));
}

inline cudaKernelNodeParams kernelOf(void (*kernel)(int*, int), void** arguments) {
  cudaKernelNodeParams p = {};
  p.func = reinterpret_cast<void*>(kernel);
  p.gridDim = p.blockDim = dim3(1);
  p.kernelParams = arguments;
  return p;
}
/// Adds a node whose kernel is `kernel(data, value)`. Its arguments are gone when the call returns.
inline cudaGraphNode_t kernelNode(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                  void (*kernel)(int*, int), int* data, int value) {
  void* arguments[] = {&data, &value};
  const cudaKernelNodeParams p = kernelOf(kernel, arguments);
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &p));
  data = nullptr;
  value = -1;
  return node;
}
inline void launchOnce(cudaGraph_t graph, cudaStream_t stream = nullptr) {
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaGraphExecDestroy(exec));
}

inline void appendStep(void* user) {
  auto* const steps = static_cast<std::vector<int>*>(user);
  steps->push_back(int(steps->size()));
}
