// The runtime interface: parameters and attributes of nodes of a graph.
#include <fermata/platforms/cudart/graphs/parameters.h>

#include <cstring>

using namespace fermata::cudart;

namespace {

dim3 shapeOf(const fermata::ptx::Dim3& shape) { return {shape.x, shape.y, shape.z}; }

/// Sets the addresses of a kernel's arguments within its block of parameters.
void** pointToArguments(Node& node, KernelWork& work) {
  node.arguments.clear();
  for (const auto& parameter : soundSession().kernel(work.function).parameters())
    node.arguments.push_back(work.parameters.data() + parameter.offset);
  return node.arguments.data();
}

/// Answers a field of a node's work: `answer(work)`.
template <class T, class Answer>
cudaError_t get(const char* name, cudaGraphNode_t handle, const void* place, Answer answer) {
  return api(name, [&] {
    requireValue(place != nullptr, "no place for the answer");
    Node& node = requireNode(handle);
    answer(workOf<T>(node), node);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return api("cudaGraphNodeSetParams", [&] {
    Node& one = requireNode(node);
    requireSettable(one);
    setWork(one, workOf(*one.graph, requireParameters(parameters)));
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return get<KernelWork>("cudaGraphKernelNodeGetParams", node, parameters,
                         [&](KernelWork& work, Node& one) {
                           *parameters = {const_cast<void*>(work.handle),
                                          shapeOf(work.grid),
                                          shapeOf(work.block),
                                          static_cast<unsigned>(work.sharedBytes),
                                          pointToArguments(one, work),
                                          nullptr};
                         });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return setNode("cudaGraphKernelNodeSetParams", node,
                 [&] { return kernelWork(requireParameters(parameters)); });
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return api("cudaGraphKernelNodeCopyAttributes", [&] {
    const KernelWork& source = workOf<KernelWork>(requireNode(from));
    KernelWork& target = workOf<KernelWork>(requireNode(to));
    target.cooperative = source.cooperative;
    target.priority = source.priority;
  });
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue* value) {
  return get<KernelWork>("cudaGraphKernelNodeGetAttribute", node, value,
                         [&](const KernelWork& work, Node&) {
                           std::memset(value, 0, sizeof *value);
                           if (attribute == cudaLaunchAttributeCooperative)
                             value->cooperative = work.cooperative ? 1 : 0;
                           if (attribute == cudaLaunchAttributePriority)
                             value->priority = work.priority;
                         });
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            const cudaKernelNodeAttrValue* value) {
  return get<KernelWork>(
      "cudaGraphKernelNodeSetAttribute", node, value, [&](KernelWork& work, Node&) {
        const bool known =
            attribute == cudaLaunchAttributeCooperative || attribute == cudaLaunchAttributePriority;
        require(known, cudaErrorNotSupported,
                "that attribute is not supported; expected cudaLaunchAttributeCooperative or "
                "cudaLaunchAttributePriority, which has no effect");
        if (attribute == cudaLaunchAttributeCooperative)
          work.cooperative = value->cooperative != 0;
        else
          work.priority = value->priority;
      });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return get<CopyWork>("cudaGraphMemcpyNodeGetParams", node, parameters,
                       [&](const CopyWork& work, Node&) { *parameters = work.parameters; });
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return setNode("cudaGraphMemcpyNodeSetParams", node,
                 [&] { return copyWork(requireParameters(parameters)); });
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  return setNode("cudaGraphMemcpyNodeSetParams1D", node,
                 [&] { return copyWork(copyWork(to, from, bytes, kind).parameters); });
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return setNode("cudaGraphMemcpyNodeSetParamsToSymbol", node,
                 [&] { return copyWork(symbolAddress(symbol, offset, bytes), from, bytes, kind); });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return setNode("cudaGraphMemcpyNodeSetParamsFromSymbol", node,
                 [&] { return copyWork(to, symbolAddress(symbol, offset, bytes), bytes, kind); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return get<FillWork>("cudaGraphMemsetNodeGetParams", node, parameters,
                       [&](const FillWork& work, Node&) { *parameters = work.parameters; });
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return setNode("cudaGraphMemsetNodeSetParams", node,
                 [&] { return fillWork(requireParameters(parameters)); });
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return get<HostWork>("cudaGraphHostNodeGetParams", node, parameters,
                       [&](const HostWork& work, Node&) {
                         *parameters = {work.function, work.userData};
                       });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return setNode("cudaGraphHostNodeSetParams", node, [&] {
    const cudaHostNodeParams& p = requireParameters(parameters);
    return hostWork(p.fn, p.userData);
  });
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return get<ChildWork>("cudaGraphChildGraphNodeGetGraph", node, graph,
                        [&](const ChildWork& work, Node&) { *graph = work.graph.get(); });
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get<RecordWork>("cudaGraphEventRecordNodeGetEvent", node, event,
                         [&](const RecordWork& work, Node&) { *event = work.event; });
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setNode("cudaGraphEventRecordNodeSetEvent", node, [&] { return recordWork(event); });
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get<WaitWork>("cudaGraphEventWaitNodeGetEvent", node, event,
                       [&](const WaitWork& work, Node&) { *event = work.event; });
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setNode("cudaGraphEventWaitNodeSetEvent", node, [&] { return waitWork(event); });
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
  return get<AllocateWork>("cudaGraphMemAllocNodeGetParams", node, parameters,
                           [&](const AllocateWork& work, Node&) {
                             *parameters = {};
                             parameters->poolProps.allocType = cudaMemAllocationTypePinned;
                             parameters->poolProps.location.type = cudaMemLocationTypeDevice;
                             parameters->bytesize = work.memory->bytes;
                             parameters->dptr = work.memory->pointer;
                           });
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return get<FreeWork>(
      "cudaGraphMemFreeNodeGetParams", node, pointer,
      [&](const FreeWork& work, Node&) { *static_cast<void**>(pointer) = work.pointer; });
}

}  // extern "C"
