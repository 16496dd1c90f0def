// The runtime interface: executable graphs.
#include <fermata/platforms/cudart/graphs/capture.h>
#include <fermata/platforms/cudart/graphs/parameters.h>

#include <cstdio>

using namespace fermata::cudart;

namespace {

cudaError_t instantiate(const char* name, cudaGraphExec_t* exec, cudaGraph_t graph,
                        unsigned long long flags, InstantiationOutcome& outcome) {
  return api(name, [&] {
    requireValue(exec != nullptr, "no place for the executable");
    *exec = fermata::cudart::instantiate(requireGraph(graph), flags, outcome);
  });
}

/// Throws ApiError unless a node of that type can be left out of launches.
void requireSwitchable(const Node& node) {
  const cudaGraphNodeType type = typeOf(node.work);
  if (type != cudaGraphNodeTypeKernel && type != cudaGraphNodeTypeMemset &&
      type != cudaGraphNodeTypeMemcpy)
    fail(cudaErrorInvalidValue, "a {} node; expected a kernel, memset or memcpy node",
         typeName(type));
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  InstantiationOutcome outcome;
  return instantiate("cudaGraphInstantiate", exec, graph, flags, outcome);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 cudaGraphNode_t* errorNode, char* log, size_t logSize) {
  InstantiationOutcome outcome;
  const cudaError_t error = instantiate("cudaGraphInstantiate", exec, graph, 0, outcome);
  if (errorNode != nullptr) *errorNode = outcome.node;
  if (log != nullptr && logSize != 0)
    std::snprintf(log, logSize, "%s", error == cudaSuccess ? "" : cudaGetErrorString(error));
  return error;
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  InstantiationOutcome outcome;
  if (parameters == nullptr)
    return api("cudaGraphInstantiateWithParams", [] { requireValue(false, "no parameters"); });
  const cudaError_t error =
      instantiate("cudaGraphInstantiateWithParams", exec, graph, parameters->flags, outcome);
  parameters->errNode_out = outcome.node;
  parameters->result_out = outcome.result;
  return error;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  // No effect: an executable is ready when it is made.
  return uncaptured("cudaGraphUpload", stream, [&] { (void)requireExecutable(exec); });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  std::shared_ptr<Executable> launched;
  const cudaError_t error = inStream("cudaGraphLaunch", stream, [&] {
    const std::shared_ptr<Executable> one = requireExecutable(exec);
    if (captureOf(stream) != nullptr)
      append(stream, ChildWork{clone(*one->graph)});
    else
      launched = one;
  });
  return launched == nullptr ? error : run("cudaGraphLaunch", *launched);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return api("cudaGraphExecDestroy", [&] { destroyExecutable(exec); });
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return api("cudaGraphExecGetFlags", [&] {
    requireValue(flags != nullptr, "no place for the flags");
    *flags = requireExecutable(exec)->flags;
  });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return api("cudaGraphExecUpdate", [&] {
    cudaGraphExecUpdateResultInfo unwanted;
    cudaGraphExecUpdateResultInfo& answer = info == nullptr ? unwanted : *info;
    answer = {cudaGraphExecUpdateError, nullptr, nullptr};
    answer = update(*requireExecutable(exec)->graph, requireGraph(graph));
    if (answer.result != cudaGraphExecUpdateSuccess)
      fail(cudaErrorGraphExecUpdateFailure,
           "the graph differs from the executable's in more than parameters (result {}, "
           "cudaGraphExecUpdateResult); expected the same nodes and edges",
           static_cast<int>(answer.result));
  });
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled) {
  return api("cudaGraphNodeSetEnabled", [&] {
    Node& one = nodeWithin(*requireExecutable(exec), node);
    requireSwitchable(one);
    one.enabled = enabled != 0;
  });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int* enabled) {
  return api("cudaGraphNodeGetEnabled", [&] {
    requireValue(enabled != nullptr, "no place for the answer");
    const Node& one = nodeWithin(*requireExecutable(exec), node);
    requireSwitchable(one);
    *enabled = one.enabled ? 1 : 0;
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  return api("cudaGraphExecNodeSetParams", [&] {
    Node& one = nodeWithin(*requireExecutable(exec), node);
    requireSettable(one);
    cudaGraphNodeParams& p = requireParameters(parameters);
    if (p.type == cudaGraphNodeTypeGraph) return setChild(one, p.graph.graph);
    setWork(one, workOf(*one.graph, p));
  });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return setNode("cudaGraphExecKernelNodeSetParams", exec, node,
                 [&] { return kernelWork(requireParameters(parameters)); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return setNode("cudaGraphExecMemcpyNodeSetParams", exec, node,
                 [&] { return copyWork(requireParameters(parameters)); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return setNode("cudaGraphExecMemcpyNodeSetParams1D", exec, node,
                 [&] { return copyWork(copyWork(to, from, bytes, kind).parameters); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return setNode("cudaGraphExecMemcpyNodeSetParamsToSymbol", exec, node,
                 [&] { return copyWork(symbolAddress(symbol, offset, bytes), from, bytes, kind); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return setNode("cudaGraphExecMemcpyNodeSetParamsFromSymbol", exec, node,
                 [&] { return copyWork(to, symbolAddress(symbol, offset, bytes), bytes, kind); });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return setNode("cudaGraphExecMemsetNodeSetParams", exec, node,
                 [&] { return fillWork(requireParameters(parameters)); });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return setNode("cudaGraphExecHostNodeSetParams", exec, node, [&] {
    const cudaHostNodeParams& p = requireParameters(parameters);
    return hostWork(p.fn, p.userData);
  });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return api("cudaGraphExecChildGraphNodeSetParams",
             [&] { setChild(nodeWithin(*requireExecutable(exec), node), child); });
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return setNode("cudaGraphExecEventRecordNodeSetEvent", exec, node,
                 [&] { return recordWork(event); });
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return setNode("cudaGraphExecEventWaitNodeSetEvent", exec, node, [&] { return waitWork(event); });
}

}  // extern "C"
