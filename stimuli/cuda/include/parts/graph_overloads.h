// Graphs in C++: the forms that CUDA 11, 12 and 13 give one name, and symbols of any type.
#pragma once

// CUDA 12 and 13.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                        unsigned long long flags = 0) {
  return ::cudaGraphInstantiateWithFlags(exec, graph, flags);
}

// CUDA 11.
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphNode_t* errorNode,
                                       cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
  if (errorNode) *errorNode = info.errorNode;
  if (result) *result = info.result;
  return error;
}

// CUDA 13: edges with data.
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies,
                                    const cudaGraphEdgeData* edges, size_t count,
                                    cudaGraphNodeParams* parameters) {
  return ::cudaGraphAddNode_v2(node, graph, dependencies, edges, count, parameters);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to,
                                            const cudaGraphEdgeData* edges, size_t count) {
  return ::cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to,
                                               const cudaGraphEdgeData* edges, size_t count) {
  return ::cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData* edges, size_t* count) {
  return ::cudaGraphGetEdges_v2(graph, from, to, edges, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                                cudaGraphEdgeData* edges, size_t* count) {
  return ::cudaGraphNodeGetDependencies_v2(node, dependencies, edges, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                                  cudaGraphEdgeData* edges, size_t* count) {
  return ::cudaGraphNodeGetDependentNodes_v2(node, dependents, edges, count);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** dependencies,
                                            const cudaGraphEdgeData** edges, size_t* count) {
  return ::cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                       cudaGraphNode_t* dependencies,
                                                       const cudaGraphEdgeData*, size_t count,
                                                       unsigned int flags = 0) {
  return ::cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
                                                          cudaGraphNode_t* dependencies,
                                                          const cudaGraphEdgeData*, size_t count,
                                                          unsigned int flags = 0) {
  return ::cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}

// Symbols of any type.
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, size_t count,
                                                  const T& symbol, const void* from, size_t bytes,
                                                  size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, count,
                                          static_cast<const void*>(&symbol), from, bytes, offset,
                                          kind);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* dependencies,
                                                    size_t count, void* to, const T& symbol,
                                                    size_t bytes, size_t offset,
                                                    cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, count, to,
                                            static_cast<const void*>(&symbol), bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol,
                                                        const void* from, size_t bytes,
                                                        size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, static_cast<const void*>(&symbol), from,
                                                bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                          const T& symbol, size_t bytes,
                                                          size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, to, static_cast<const void*>(&symbol),
                                                  bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                            cudaGraphNode_t node, const T& symbol,
                                                            const void* from, size_t bytes,
                                                            size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, static_cast<const void*>(&symbol),
                                                    from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                              cudaGraphNode_t node, void* to,
                                                              const T& symbol, size_t bytes,
                                                              size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(
      exec, node, to, static_cast<const void*>(&symbol), bytes, offset, kind);
}
