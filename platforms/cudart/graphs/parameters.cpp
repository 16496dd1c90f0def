#include <fermata/platforms/cudart/graphs/parameters.h>

#include <fermata/platforms/cudart/streams.h>

#include <algorithm>

namespace fermata::cudart {
namespace {

ConditionalWork conditionalWork(const Graph& graph, cudaConditionalNodeParams& p) {
  const auto& all = graph.conditions;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& one) { return one->handle() == p.handle; });
  requireValue(found != all.end(), "a conditional handle of another graph; expected one of this");
  requireValue(!(*found)->used, "a conditional handle that is a node's already");
  const bool sized = (p.type == cudaGraphCondTypeIf && (p.size == 1 || p.size == 2)) ||
                     (p.type == cudaGraphCondTypeWhile && p.size == 1) ||
                     (p.type == cudaGraphCondTypeSwitch && p.size > 0 && p.size <= 4096);
  requireValue(sized,
               "a conditional node with that number of bodies; expected 1 or 2 for IF, 1 for "
               "WHILE, 1 to 4096 for SWITCH");
  ConditionalWork work{*found, p.type};
  for (unsigned i = 0; i < p.size; ++i) {
    work.bodies.push_back(std::make_shared<Graph>());
    work.handles.push_back(work.bodies.back().get());
  }
  return work;
}

}  // namespace

void requireSettable(const Node& node) {
  const bool fixed = isOfMemory(node) || std::holds_alternative<ConditionalWork>(node.work);
  if (fixed)
    fail(cudaErrorNotSupported, "parameters of a {} node cannot be set",
         typeName(typeOf(node.work)));
}

void setChild(Node& node, cudaGraph_t child) {
  Graph& graph = *workOf<ChildWork>(node).graph;
  const auto info = update(graph, requireGraph(child));
  require(info.result == cudaGraphExecUpdateSuccess, cudaErrorGraphExecUpdateFailure,
          "a child graph of another form; expected the same nodes and edges");
}

AllocateWork allocateWork(const cudaMemPoolProps& pool, std::size_t bytes) {
  const bool plain = pool.location.type == cudaMemLocationTypeDevice && pool.location.id == 0 &&
                     pool.handleTypes == cudaMemHandleTypeNone;
  requireValue(plain, "memory of another place; expected that of device 0, without a handle");
  return {std::make_shared<GraphMemory>(bytes)};
}

RecordWork recordWork(cudaEvent_t event) {
  requireEvent(event);
  return {event};
}

WaitWork waitWork(cudaEvent_t event) {
  requireEvent(event);
  return {event};
}

Work workOf(const Graph& graph, cudaGraphNodeParams& p) {
  switch (p.type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParamsV2& k = p.kernel;
      return kernelWork({k.func, k.gridDim, k.blockDim, k.sharedMemBytes, k.kernelParams, k.extra});
    }
    case cudaGraphNodeTypeMemcpy:
      return copyWork(p.memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParamsV2& m = p.memset;
      return fillWork({m.dst, m.pitch, m.value, m.elementSize, m.width, m.height});
    }
    case cudaGraphNodeTypeHost:
      return hostWork(p.host.fn, p.host.userData);
    case cudaGraphNodeTypeGraph:
      require(p.graph.ownership == cudaGraphChildGraphOwnershipClone, cudaErrorNotSupported,
              "a child graph is copied; expected cudaGraphChildGraphOwnershipClone");
      return childWork(graph, p.graph.graph);
    case cudaGraphNodeTypeEmpty:
      return EmptyWork{};
    case cudaGraphNodeTypeWaitEvent:
      return waitWork(p.eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return recordWork(p.eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: {
      AllocateWork work = allocateWork(p.alloc.poolProps, p.alloc.bytesize);
      p.alloc.dptr = work.memory->pointer;
      return work;
    }
    case cudaGraphNodeTypeMemFree:
      return freeWork(graph, p.free.dptr);
    case cudaGraphNodeTypeConditional:
      return conditionalWork(graph, p.conditional);
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      throw ApiError(cudaErrorNotSupported, "external semaphores are not supported");
    case cudaGraphNodeTypeCount:
      break;
  }
  throw ApiError(cudaErrorInvalidValue, "no such type; expected a cudaGraphNodeType");
}

}  // namespace fermata::cudart
