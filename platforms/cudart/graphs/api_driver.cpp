// The driver interface: captures and graphs, which are the runtime's.
#include <fermata/platforms/cudart/driver.h>

using namespace fermata::cudart;

namespace {

cudaKernelNodeParams runtimesOf(const CUDA_KERNEL_NODE_PARAMS& p) {
  return {p.func,
          dim3(p.gridDimX, p.gridDimY, p.gridDimZ),
          dim3(p.blockDimX, p.blockDimY, p.blockDimZ),
          p.sharedMemBytes,
          p.kernelParams,
          p.extra};
}

/// Calls a function of the runtime. Leaves the runtime's last error alone.
template <class Call>
CUresult ofRuntime(Call call) {
  const cudaError_t last = lastError();
  const CUresult answer = result(call());
  lastError() = last;
  return answer;
}
/// Calls a function of the runtime with a kernel node's parameters.
template <class Call>
CUresult withKernel(const CUDA_KERNEL_NODE_PARAMS* parameters, Call call) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaKernelNodeParams p = runtimesOf(*parameters);
  return ofRuntime([&] { return call(&p); });
}

}  // namespace

extern "C" {

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return ofRuntime([&] { return cudaStreamBeginCapture(stream, mode); });
}
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                     size_t count, CUstreamCaptureMode mode) {
  return ofRuntime([&] {
    return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, edges, count, mode);
  });
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return ofRuntime([&] { return cudaStreamEndCapture(stream, graph); });
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return ofRuntime([&] { return cudaStreamIsCapturing(stream, status); });
}
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status,
                                unsigned long long* id, CUgraph* graph,
                                const CUgraphNode** dependencies, size_t* count) {
  return ofRuntime(
      [&] { return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, count); });
}
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count,
                                           unsigned int flags) {
  return ofRuntime(
      [&] { return cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags); });
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return ofRuntime([&] { return cudaThreadExchangeStreamCaptureMode(mode); });
}
CUresult cuGraphCreate(CUgraph* graph, unsigned int flags) {
  return ofRuntime([&] { return cudaGraphCreate(graph, flags); });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return ofRuntime([&] { return cudaGraphDestroy(graph); });
}
CUresult cuGraphClone(CUgraph* clone, CUgraph original) {
  return ofRuntime([&] { return cudaGraphClone(clone, original); });
}
CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
  return ofRuntime([&] { return cudaGraphNodeFindInClone(node, original, clone); });
}
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return ofRuntime([&] { return cudaGraphGetNodes(graph, nodes, count); });
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return ofRuntime([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return ofRuntime([&] { return cudaGraphGetEdges(graph, from, to, count); });
}
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return ofRuntime([&] { return cudaGraphNodeGetType(node, type); });
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count) {
  return ofRuntime([&] { return cudaGraphNodeGetDependencies(node, dependencies, count); });
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependents, size_t* count) {
  return ofRuntime([&] { return cudaGraphNodeGetDependentNodes(node, dependents, count); });
}
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                size_t count) {
  return ofRuntime([&] { return cudaGraphAddDependencies(graph, from, to, count); });
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
  return ofRuntime([&] { return cudaGraphRemoveDependencies(graph, from, to, count); });
}
CUresult cuGraphDestroyNode(CUgraphNode node) {
  return ofRuntime([&] { return cudaGraphDestroyNode(node); });
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned int flags) {
  return ofRuntime([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}
CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            size_t count, const CUDA_HOST_NODE_PARAMS* parameters) {
  return ofRuntime(
      [&] { return cudaGraphAddHostNode(node, graph, dependencies, count, parameters); });
}
CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             size_t count) {
  return ofRuntime([&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child) {
  return ofRuntime(
      [&] { return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return ofRuntime([&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, size_t count, CUevent event) {
  return ofRuntime(
      [&] { return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, CUevent event) {
  return ofRuntime(
      [&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return ofRuntime([&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return ofRuntime([&] { return cudaGraphInstantiateWithParams(exec, graph, parameters); });
}
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return ofRuntime([&] { return cudaGraphUpload(exec, stream); });
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return ofRuntime([&] { return cudaGraphLaunch(exec, stream); });
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return ofRuntime([&] { return cudaGraphExecDestroy(exec); });
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, unsigned long long* flags) {
  return ofRuntime([&] { return cudaGraphExecGetFlags(exec, flags); });
}
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
  return ofRuntime([&] { return cudaGraphExecUpdate(exec, graph, info); });
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int enabled) {
  return ofRuntime([&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int* enabled) {
  return ofRuntime([&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext,
                                        unsigned int defaultValue, unsigned int flags) {
  return ofRuntime(
      [&] { return cudaGraphConditionalHandleCreate(handle, graph, defaultValue, flags); });
}
CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return withKernel(parameters, [&](const cudaKernelNodeParams* p) {
    return cudaGraphAddKernelNode(node, graph, dependencies, count, p);
  });
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaKernelNodeParams p;
  const CUresult answer = ofRuntime([&] { return cudaGraphKernelNodeGetParams(node, &p); });
  if (answer != CUDA_SUCCESS) return answer;
  *parameters = {static_cast<CUfunction>(p.func),
                 p.gridDim.x,
                 p.gridDim.y,
                 p.gridDim.z,
                 p.blockDim.x,
                 p.blockDim.y,
                 p.blockDim.z,
                 p.sharedMemBytes,
                 p.kernelParams,
                 p.extra};
  return CUDA_SUCCESS;
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return withKernel(parameters, [&](const cudaKernelNodeParams* p) {
    return cudaGraphKernelNodeSetParams(node, p);
  });
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return withKernel(parameters, [&](const cudaKernelNodeParams* p) {
    return cudaGraphExecKernelNodeSetParams(exec, node, p);
  });
}
CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMSET_NODE_PARAMS& p = *parameters;
  const cudaMemsetParams fill = {pointer(p.dst), p.pitch, p.value,
                                 p.elementSize,  p.width, p.height};
  return ofRuntime([&] { return cudaGraphAddMemsetNode(node, graph, dependencies, count, &fill); });
}
CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return ofRuntime([&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* errorNode, char* log,
                               size_t logSize) {
  return ofRuntime([&] { return cudaGraphInstantiate(exec, graph, errorNode, log, logSize); });
}

}  // extern "C"
