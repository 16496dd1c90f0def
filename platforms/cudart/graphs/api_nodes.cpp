// The runtime interface: making nodes.
#include <fermata/platforms/cudart/graphs/parameters.h>

using namespace fermata::cudart;

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, size_t count,
                             cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode_v2(node, graph, dependencies, nullptr, count, parameters);
}
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph,
                                const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                size_t count, cudaGraphNodeParams* parameters) {
  const cudaError_t error =
      addNode("cudaGraphAddNode", node, graph, {dependencies, count, edges},
              [&](Graph& one) { return workOf(one, requireParameters(parameters)); });
  if (error != cudaSuccess) return error;
  return api("cudaGraphAddNode", [&] {
    auto* const conditional = std::get_if<ConditionalWork>(&requireNode(*node).work);
    if (conditional == nullptr) return;
    conditional->condition->used = true;
    parameters->conditional.phGraph_out = conditional->handles.data();
  });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return addNode("cudaGraphAddKernelNode", node, graph, {dependencies, count},
                 [&](Graph&) { return kernelWork(requireParameters(parameters)); });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return addNode("cudaGraphAddMemcpyNode", node, graph, {dependencies, count},
                 [&](Graph&) { return copyWork(requireParameters(parameters)); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return addNode("cudaGraphAddMemcpyNode1D", node, graph, {dependencies, count},
                 [&](Graph&) { return copyWork(copyWork(to, from, bytes, kind).parameters); });
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return addNode("cudaGraphAddMemcpyNodeToSymbol", node, graph, {dependencies, count}, [&](Graph&) {
    return copyWork(symbolAddress(symbol, offset, bytes), from, bytes, kind);
  });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* to, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return addNode(
      "cudaGraphAddMemcpyNodeFromSymbol", node, graph, {dependencies, count},
      [&](Graph&) { return copyWork(to, symbolAddress(symbol, offset, bytes), bytes, kind); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return addNode("cudaGraphAddMemsetNode", node, graph, {dependencies, count},
                 [&](Graph&) { return fillWork(requireParameters(parameters)); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return addNode("cudaGraphAddHostNode", node, graph, {dependencies, count}, [&](Graph&) {
    const cudaHostNodeParams& p = requireParameters(parameters);
    return hostWork(p.fn, p.userData);
  });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return addNode("cudaGraphAddEmptyNode", node, graph, {dependencies, count},
                 [](Graph&) { return EmptyWork{}; });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return addNode("cudaGraphAddChildGraphNode", node, graph, {dependencies, count},
                 [&](Graph& parent) { return childWork(parent, child); });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return addNode("cudaGraphAddEventRecordNode", node, graph, {dependencies, count},
                 [&](Graph&) { return recordWork(event); });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return addNode("cudaGraphAddEventWaitNode", node, graph, {dependencies, count},
                 [&](Graph&) { return waitWork(event); });
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  return addNode("cudaGraphAddMemAllocNode", node, graph, {dependencies, count}, [&](Graph&) {
    cudaMemAllocNodeParams& p = requireParameters(parameters);
    AllocateWork work = allocateWork(p.poolProps, p.bytesize);
    p.dptr = work.memory->pointer;
    return work;
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  return addNode("cudaGraphAddMemFreeNode", node, graph, {dependencies, count},
                 [&](Graph& one) { return freeWork(one, pointer); });
}

}  // extern "C"
