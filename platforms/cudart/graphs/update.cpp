// Updates of executable graphs by a graph of the same form.
#include <fermata/platforms/cudart/graphs/executable.h>

#include <algorithm>
#include <unordered_map>

namespace fermata::cudart {
namespace {

using Info = cudaGraphExecUpdateResultInfo;
using Places = std::unordered_map<const Node*, std::size_t>;

Places placesOf(const Graph& graph) {
  Places places;
  for (const auto& node : graph.nodes) places.emplace(node.get(), places.size());
  return places;
}

std::vector<std::size_t> placesOf(const std::vector<GraphEdge>& edges, const Places& places) {
  std::vector<std::size_t> list;
  for (const GraphEdge& edge : edges) list.push_back(places.at(edge.node));
  std::sort(list.begin(), list.end());
  return list;
}

Info difference(const Graph& old, const Graph& fresh);

/// Tells why a node cannot take another's work.
Info difference(const Node& old, Node& fresh) {
  if (old.work.index() != fresh.work.index())
    return {cudaGraphExecUpdateErrorNodeTypeChanged, &fresh, nullptr};
  if (isOfMemory(fresh)) {
    // The memory is part of the executable.
    return {cudaGraphExecUpdateErrorNotSupported, &fresh, nullptr};
  }
  const auto* const before = std::get_if<ConditionalWork>(&old.work);
  if (before != nullptr) {
    const auto& after = std::get<ConditionalWork>(fresh.work);
    if (before->type != after.type || before->condition != after.condition)
      return {cudaGraphExecUpdateErrorParametersChanged, &fresh, nullptr};
  }
  const auto olds = graphsOf(old);
  const auto news = graphsOf(fresh);
  if (olds.size() != news.size())
    return {cudaGraphExecUpdateErrorParametersChanged, &fresh, nullptr};
  for (std::size_t i = 0; i < olds.size(); ++i) {
    const Info info = difference(*olds[i], *news[i]);
    if (info.result != cudaGraphExecUpdateSuccess) return info;
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

/// Nodes are paired in the order in which they were made.
Info difference(const Graph& old, const Graph& fresh) {
  const std::size_t paired = std::min(old.nodes.size(), fresh.nodes.size());
  const Places olds = placesOf(old);
  const Places news = placesOf(fresh);
  for (std::size_t i = 0; i < paired; ++i) {
    const Node& before = *old.nodes[i];
    Node& after = *fresh.nodes[i];
    const auto from = placesOf(after.dependencies, news);
    if (placesOf(before.dependencies, olds) != from) {
      const cudaGraphNode_t first =
          after.dependencies.empty() ? nullptr : after.dependencies.front().node;
      return {cudaGraphExecUpdateErrorTopologyChanged, &after, first};
    }
    const Info info = difference(before, after);
    if (info.result != cudaGraphExecUpdateSuccess) return info;
  }
  if (old.nodes.size() == fresh.nodes.size()) return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  Node* const more = paired < fresh.nodes.size() ? fresh.nodes[paired].get() : nullptr;
  return {cudaGraphExecUpdateErrorTopologyChanged, more, nullptr};
}

void take(Graph& old, const Graph& fresh) {
  for (std::size_t i = 0; i < old.nodes.size(); ++i) {
    Node& node = *old.nodes[i];
    const auto within = graphsOf(node);
    const auto news = graphsOf(*fresh.nodes[i]);
    for (std::size_t k = 0; k < within.size(); ++k) take(*within[k], *news[k]);
    if (within.empty()) node.work = fresh.nodes[i]->work;
  }
}

void requireLaunchableKernels(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (const auto* kernel = std::get_if<KernelWork>(&node->work)) requireLaunchable(*kernel);
    for (const auto& within : graphsOf(*node)) requireLaunchableKernels(*within);
  }
}

}  // namespace

Info update(Graph& within, const Graph& graph) {
  const Info info = difference(within, graph);
  if (info.result != cudaGraphExecUpdateSuccess) return info;
  requireLaunchableKernels(graph);
  take(within, graph);
  within.references = graph.references;
  return info;
}

}  // namespace fermata::cudart
