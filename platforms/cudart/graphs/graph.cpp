#include <fermata/platforms/cudart/graphs/graph.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace fermata::cudart {
namespace {

std::unordered_set<cudaGraph_t>& liveGraphs() {
  static auto* const all = new std::unordered_set<cudaGraph_t>;
  return *all;
}
std::unordered_set<cudaGraphNode_t>& liveNodes() {
  static auto* const all = new std::unordered_set<cudaGraphNode_t>;
  return *all;
}
std::unordered_map<cudaGraph_t, std::shared_ptr<Graph>>& programsGraphs() {
  static auto* const all = new std::unordered_map<cudaGraph_t, std::shared_ptr<Graph>>;
  return *all;
}

std::uint64_t nextId() {
  static std::uint64_t last = 0;
  return ++last;
}

Node& nodeOf(const Graph& graph, cudaGraphNode_t handle) {
  Node& node = requireNode(handle);
  requireValue(node.graph == &graph, "a node of another graph; expected one of this graph");
  return node;
}

std::vector<GraphEdge>::iterator edgeTo(std::vector<GraphEdge>& edges, const Node& node) {
  return std::find_if(edges.begin(), edges.end(),
                      [&](const GraphEdge& edge) { return edge.node == &node; });
}

void requireNoMemory(const Node& node) {
  require(!isOfMemory(node), cudaErrorNotSupported,
          "nodes that allocate or free memory, and their edges, cannot be removed");
}

void erase(std::vector<GraphEdge>& edges, const Node& node) {
  const auto found = edgeTo(edges, node);
  if (found != edges.end()) edges.erase(found);
}

/// Copies a node's work; graphs within are copied, too.
Work copyOf(const Work& work, bool executable) {
  if (const auto* child = std::get_if<ChildWork>(&work))
    return ChildWork{clone(*child->graph, executable)};
  const auto* conditional = std::get_if<ConditionalWork>(&work);
  if (conditional == nullptr) return work;
  ConditionalWork copy{conditional->condition, conditional->type};
  for (const auto& body : conditional->bodies) {
    copy.bodies.push_back(clone(*body, executable));
    copy.handles.push_back(copy.bodies.back().get());
  }
  return copy;
}

Node& append(Graph& graph, Work work) {
  auto node = std::make_unique<Node>();
  node->graph = &graph;
  node->id = nextId();
  node->work = std::move(work);
  liveNodes().insert(node.get());
  return *graph.nodes.emplace_back(std::move(node));
}

}  // namespace

Graph& requireGraph(cudaGraph_t graph) {
  requireValue(liveGraphs().count(graph) != 0, "not a graph");
  return *graph;
}

Node& requireNode(cudaGraphNode_t node) {
  requireValue(liveNodes().count(node) != 0, "not a node");
  return *node;
}

cudaGraph_t giveGraph(std::shared_ptr<Graph> graph) {
  Graph* const handle = graph.get();
  programsGraphs().emplace(handle, std::move(graph));
  return handle;
}

void destroyGraph(cudaGraph_t graph) {
  (void)requireGraph(graph);
  requireValue(programsGraphs().count(graph) != 0,
               "the graph belongs to a node or to a capture; expected one of the program's");
  programsGraphs().erase(graph);
}

void forgetGraphs() {
  const auto all = std::move(programsGraphs());
  programsGraphs().clear();
}

Node& addNode(Graph& graph, Work work, const Dependencies& dependencies) {
  requireValue(dependencies.nodes != nullptr || dependencies.count == 0,
               "a number of dependencies, but no list of them");
  for (std::size_t i = 0; i < dependencies.count; ++i) {
    (void)nodeOf(graph, dependencies.nodes[i]);
    const auto* const end = dependencies.nodes + i;
    requireValue(std::find(dependencies.nodes, end, dependencies.nodes[i]) == end,
                 "a dependency that is named twice");
  }
  Node& node = append(graph, std::move(work));
  for (std::size_t i = 0; i < dependencies.count; ++i)
    addEdge(graph, dependencies.nodes[i], &node,
            dependencies.edges == nullptr ? cudaGraphEdgeData{} : dependencies.edges[i]);
  return node;
}

void addEdge(Graph& graph, cudaGraphNode_t from, cudaGraphNode_t to,
             const cudaGraphEdgeData& data) {
  Node& before = nodeOf(graph, from);
  Node& after = nodeOf(graph, to);
  requireValue(&before != &after, "a node that depends on itself");
  requireValue(edgeTo(after.dependencies, before) == after.dependencies.end(),
               "a dependency that there is already");
  after.dependencies.push_back({&before, data});
  before.dependents.push_back({&after, data});
}

void removeEdge(Graph& graph, cudaGraphNode_t from, cudaGraphNode_t to) {
  Node& before = nodeOf(graph, from);
  Node& after = nodeOf(graph, to);
  requireNoMemory(before);
  requireNoMemory(after);
  requireValue(edgeTo(after.dependencies, before) != after.dependencies.end(),
               "a dependency that there is not");
  erase(after.dependencies, before);
  erase(before.dependents, after);
}

void destroyNode(Node& node) {
  requireNoMemory(node);
  for (const GraphEdge& edge : node.dependencies) erase(edge.node->dependents, node);
  for (const GraphEdge& edge : node.dependents) erase(edge.node->dependencies, node);
  liveNodes().erase(&node);
  auto& nodes = node.graph->nodes;
  nodes.erase(std::find_if(nodes.begin(), nodes.end(),
                           [&](const auto& each) { return each.get() == &node; }));
}

void setWork(Node& node, Work work) {
  if (node.work.index() != work.index())
    fail(cudaErrorInvalidValue, "parameters of a {} node for a {} node", typeName(typeOf(work)),
         typeName(typeOf(node.work)));
  node.work = std::move(work);
}

std::shared_ptr<Graph> clone(const Graph& graph, bool executable) {
  auto copy = std::make_shared<Graph>();
  std::unordered_map<const Node*, Node*> clones;
  for (const auto& node : graph.nodes) {
    require(executable || !isOfMemory(*node), cudaErrorNotSupported,
            "a graph with nodes that allocate or free memory cannot be copied");
    Node& made = append(*copy, copyOf(node->work, executable));
    made.clonedFrom = node->id;
    clones.emplace(node.get(), &made);
  }
  // Edges may be to nodes that were made later.
  for (const auto& node : graph.nodes) {
    for (const GraphEdge& edge : node->dependencies)
      addEdge(*copy, clones.at(edge.node), clones.at(node.get()), edge.data);
  }
  copy->conditions = graph.conditions;
  copy->references = graph.references;
  return copy;
}

Node* findClone(Graph& graph, std::uint64_t id) {
  for (const auto& node : graph.nodes) {
    if (node->clonedFrom == id) return node.get();
    for (const auto& within : graphsOf(*node)) {
      Node* const found = findClone(*within, id);
      if (found != nullptr) return found;
    }
  }
  return nullptr;
}

std::vector<std::shared_ptr<Graph>> graphsOf(const Node& node) {
  if (const auto* child = std::get_if<ChildWork>(&node.work)) return {child->graph};
  const auto* conditional = std::get_if<ConditionalWork>(&node.work);
  return conditional == nullptr ? std::vector<std::shared_ptr<Graph>>() : conditional->bodies;
}

std::vector<cudaGraphNode_t> orderOf(const Graph& graph) {
  std::unordered_map<const Node*, std::size_t> waits;
  const auto later = [](const Node* a, const Node* b) { return a->id > b->id; };
  std::priority_queue<Node*, std::vector<Node*>, decltype(later)> ready(later);
  for (const auto& node : graph.nodes) {
    waits[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) ready.push(node.get());
  }
  std::vector<cudaGraphNode_t> order;
  while (!ready.empty()) {
    Node* const node = ready.top();
    ready.pop();
    order.push_back(node);
    for (const GraphEdge& edge : node->dependents)
      if (--waits.at(edge.node) == 0) ready.push(edge.node);
  }
  return order;
}

bool isOfMemory(const Node& node) {
  return std::holds_alternative<AllocateWork>(node.work) ||
         std::holds_alternative<FreeWork>(node.work);
}

FreeWork freeWork(const Graph& graph, void* pointer) {
  requireValue(graphMemoryAt(pointer) != nullptr,
               "memory of no allocation node; expected what one gave");
  for (const auto& node : graph.nodes) {
    const auto* const other = std::get_if<FreeWork>(&node->work);
    requireValue(other == nullptr || other->pointer != pointer,
                 "memory that the graph frees already");
  }
  return {pointer};
}

ChildWork childWork(const Graph& parent, cudaGraph_t child) {
  const Graph& graph = requireGraph(child);
  requireValue(&graph != &parent, "a graph that is its own child");
  return {clone(graph)};
}

}  // namespace fermata::cudart

CUgraph_st::CUgraph_st() { fermata::cudart::liveGraphs().insert(this); }

CUgraph_st::~CUgraph_st() {
  fermata::cudart::liveGraphs().erase(this);
  for (const auto& node : nodes) fermata::cudart::liveNodes().erase(node.get());
}
