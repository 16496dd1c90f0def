// Parameters of nodes as calls take and give them.
#pragma once

#include <fermata/platforms/cudart/graphs/executable.h>

namespace fermata::cudart {

/// Throws ApiError (cudaErrorInvalidValue) if there are no parameters.
template <class Parameters>
Parameters& requireParameters(Parameters* parameters) {
  requireValue(parameters != nullptr, "no parameters");
  return *parameters;
}

/// Returns the work of a node whose work is a `T`. Throws ApiError.
template <class T>
T& workOf(Node& node) {
  T* const work = std::get_if<T>(&node.work);
  if (work == nullptr)
    fail(cudaErrorInvalidValue, "a {} node; expected a {} node", typeName(typeOf(node.work)),
         typeName(typeOf(Work(T()))));
  return *work;
}

/// Returns the work that parameters describe, for a node of `graph`. Memory and bodies of a
/// conditional node are made, and told in the parameters.
Work workOf(const Graph& graph, cudaGraphNodeParams& parameters);
AllocateWork allocateWork(const cudaMemPoolProps& pool, std::size_t bytes);
RecordWork recordWork(cudaEvent_t event);
WaitWork waitWork(cudaEvent_t event);

/// Throws ApiError if a node's parameters cannot be set: those of memory and of conditions.
void requireSettable(const Node& node);
/// Gives a child node of an executable the works of another graph of its form. Throws ApiError.
void setChild(Node& node, cudaGraph_t child);

/// Adds a node whose work `make(graph)` returns.
template <class Make>
cudaError_t addNode(const char* name, cudaGraphNode_t* node, cudaGraph_t handle,
                    const Dependencies& dependencies, Make make) {
  return api(name, [&] {
    requireValue(node != nullptr, "no place for the node");
    Graph& graph = requireGraph(handle);
    *node = &addNode(graph, make(graph), dependencies);
  });
}
/// Gives a node the work that `make()` returns.
template <class Make>
cudaError_t setNode(const char* name, cudaGraphNode_t node, Make make) {
  return api(name, [&] { setWork(requireNode(node), make()); });
}
/// Gives an executable's copy of a node the work that `make()` returns.
template <class Make>
cudaError_t setNode(const char* name, cudaGraphExec_t exec, cudaGraphNode_t node, Make make) {
  return api(name, [&] { setWork(nodeWithin(*requireExecutable(exec), node), make()); });
}

}  // namespace fermata::cudart
