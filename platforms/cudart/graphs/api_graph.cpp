// The runtime interface: graphs, their nodes and edges.
#include <fermata/platforms/cudart/graphs/graph.h>

#include <fermata/platforms/cudart/streams.h>

#include <algorithm>
#include <fstream>

using namespace fermata::cudart;

namespace {

/// Answers a list as CUDA's calls do: without a place, only the length; otherwise up to `count`
/// entries by write(place, entry), and places that are left by clear(place).
template <class Entry, class Write, class Clear>
void answerList(const std::vector<Entry>& list, bool hasPlace, size_t* count, Write write,
                Clear clear) {
  requireValue(count != nullptr, "no place for the number");
  if (!hasPlace) {
    *count = list.size();
    return;
  }
  const size_t places = *count;
  for (size_t i = 0; i < places; ++i) {
    if (i < list.size())
      write(i, list[i]);
    else
      clear(i);
  }
  *count = std::min(places, list.size());
}

void answerNodes(const std::vector<cudaGraphNode_t>& list, cudaGraphNode_t* nodes, size_t* count) {
  answerList(
      list, nodes != nullptr, count, [&](size_t i, cudaGraphNode_t node) { nodes[i] = node; },
      [&](size_t i) { nodes[i] = nullptr; });
}

void answerEdges(const std::vector<GraphEdge>& list, cudaGraphNode_t* nodes,
                 cudaGraphEdgeData* edges, size_t* count) {
  answerList(
      list, nodes != nullptr, count,
      [&](size_t i, const GraphEdge& edge) {
        nodes[i] = edge.node;
        if (edges != nullptr) edges[i] = edge.data;
      },
      [&](size_t i) { nodes[i] = nullptr; });
}

/// Calls change(graph, from, to, i) for each edge of a list.
template <class Change>
cudaError_t forEachEdge(const char* name, cudaGraph_t handle, const cudaGraphNode_t* from,
                        const cudaGraphNode_t* to, size_t count, Change change) {
  return api(name, [&] {
    Graph& graph = requireGraph(handle);
    requireValue((from != nullptr && to != nullptr) || count == 0,
                 "a number of edges, but no lists of their ends");
    for (size_t i = 0; i < count; ++i) change(graph, from[i], to[i], i);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return api("cudaGraphCreate", [&] {
    requireValue(graph != nullptr, "no place for the graph");
    requireValue(flags == 0, "flags that there are not; expected 0");
    (void)soundSession();
    *graph = giveGraph(std::make_shared<Graph>());
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api("cudaGraphDestroy", [&] { destroyGraph(graph); });
}
cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t original) {
  return api("cudaGraphClone", [&] {
    requireValue(copy != nullptr, "no place for the graph");
    *copy = giveGraph(clone(requireGraph(original)));
  });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t copy) {
  return api("cudaGraphNodeFindInClone", [&] {
    requireValue(node != nullptr, "no place for the node");
    Graph& graph = requireGraph(copy);
    const auto id = requireNode(original).id;
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const auto& each) { return each->clonedFrom == id; });
    requireValue(found != graph.nodes.end(), "the graph has no clone of the node");
    *node = found->get();
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return api("cudaGraphGetNodes", [&] {
    std::vector<cudaGraphNode_t> list;
    for (const auto& node : requireGraph(handle).nodes) list.push_back(node.get());
    answerNodes(list, nodes, count);
  });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return api("cudaGraphGetRootNodes", [&] {
    std::vector<cudaGraphNode_t> list;
    for (const auto& node : requireGraph(handle).nodes)
      if (node->dependencies.empty()) list.push_back(node.get());
    answerNodes(list, nodes, count);
  });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* edges, size_t* count) {
  return api("cudaGraphGetEdges", [&] {
    requireValue((from == nullptr) == (to == nullptr), "a place for one end of the edges alone");
    struct Ends {
      cudaGraphNode_t from;
      GraphEdge to;
    };
    std::vector<Ends> list;
    for (const auto& node : requireGraph(handle).nodes)
      for (const GraphEdge& edge : node->dependents) list.push_back({node.get(), edge});
    answerList(
        list, from != nullptr, count,
        [&](size_t i, const Ends& ends) {
          from[i] = ends.from;
          to[i] = ends.to.node;
          if (edges != nullptr) edges[i] = ends.to.data;
        },
        [&](size_t i) { from[i] = to[i] = nullptr; });
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api("cudaGraphNodeGetType", [&] {
    requireValue(type != nullptr, "no place for the type");
    *type = typeOf(requireNode(node).work);
  });
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, dependencies, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                            cudaGraphEdgeData* edges, size_t* count) {
  return api("cudaGraphNodeGetDependencies",
             [&] { answerEdges(requireNode(node).dependencies, dependencies, edges, count); });
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, dependents, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                              cudaGraphEdgeData* edges, size_t* count) {
  return api("cudaGraphNodeGetDependentNodes",
             [&] { answerEdges(requireNode(node).dependents, dependents, edges, count); });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t handle, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        size_t count) {
  return forEachEdge("cudaGraphAddDependencies", handle, from, to, count,
                     [&](Graph& graph, cudaGraphNode_t before, cudaGraphNode_t after, size_t i) {
                       addEdge(graph, before, after,
                               edges == nullptr ? cudaGraphEdgeData{} : edges[i]);
                     });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  return forEachEdge("cudaGraphRemoveDependencies", handle, from, to, count,
                     [&](Graph& graph, cudaGraphNode_t before, cudaGraphNode_t after, size_t) {
                       removeEdge(graph, before, after);
                     });
}
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                           size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, count);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return api("cudaGraphDestroyNode", [&] { destroyNode(requireNode(node)); });
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  return api("cudaGraphDebugDotPrint", [&] {
    requireValue(path != nullptr, "no file");
    const std::string text = dotText(requireGraph(graph));
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) fail(cudaErrorOperatingSystem, "'{}' cannot be written", path);
  });
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int defaultValue, unsigned int flags) {
  return api("cudaGraphConditionalHandleCreate", [&] {
    requireValue(handle != nullptr, "no place for the handle");
    requireValue(flags == 0 || flags == cudaGraphCondAssignDefault,
                 "flags that there are not; expected 0 or cudaGraphCondAssignDefault");
    Graph& one = requireGraph(graph);
    one.conditions.push_back(std::make_shared<Condition>(defaultValue, flags != 0));
    *handle = one.conditions.back()->handle();
  });
}

}  // extern "C"
