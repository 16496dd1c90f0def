// Graphs: nodes in the order in which they were made, each with the nodes that it depends on.
#pragma once

#include <fermata/platforms/cudart/graphs/user_objects.h>
#include <fermata/platforms/cudart/graphs/work.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fermata::cudart {

/// An edge, kept at both of its ends: the other end, and what the program said about the edge.
struct GraphEdge {
  cudaGraphNode_t node = nullptr;
  cudaGraphEdgeData data = {};
};

/// Nodes that a new node depends on, as calls take them.
struct Dependencies {
  const cudaGraphNode_t* nodes = nullptr;
  std::size_t count = 0;
  const cudaGraphEdgeData* edges = nullptr;  ///< null: plain ones
};

}  // namespace fermata::cudart

struct CUgraphNode_st {
  cudaGraph_t graph = nullptr;
  std::uint64_t id = 0;          ///< of this node alone, in the order of making
  std::uint64_t clonedFrom = 0;  ///< id of the node that this one is a clone of; 0: none
  fermata::cudart::Work work = {};
  std::vector<fermata::cudart::GraphEdge> dependencies = {};
  std::vector<fermata::cudart::GraphEdge> dependents = {};
  bool enabled = true;                ///< in an executable
  std::vector<void*> arguments = {};  ///< of a kernel, as cudaGraphKernelNodeGetParams gives them
};

struct CUgraph_st : std::enable_shared_from_this<CUgraph_st> {
  CUgraph_st();
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;

  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<fermata::cudart::Condition>> conditions;
  fermata::cudart::UserReferences references;
  /// In an executable: nodes in the order in which they run.
  std::vector<cudaGraphNode_t> order;
};

namespace fermata::cudart {

using Graph = CUgraph_st;
using Node = CUgraphNode_st;

/// Returns the graph or node. Throws ApiError (cudaErrorInvalidValue) if the handle is none.
Graph& requireGraph(cudaGraph_t graph);
Node& requireNode(cudaGraphNode_t node);
/// Makes the program the owner of a graph, until it destroys it.
cudaGraph_t giveGraph(std::shared_ptr<Graph> graph);
/// Destroys a graph of the program. Throws ApiError if it is a node's.
void destroyGraph(cudaGraph_t graph);

/// Adds a node. Throws ApiError, before anything is changed, if a dependency is not of the graph.
Node& addNode(Graph& graph, Work work, const Dependencies& dependencies);
void addEdge(Graph& graph, cudaGraphNode_t from, cudaGraphNode_t to,
             const cudaGraphEdgeData& data = {});
void removeEdge(Graph& graph, cudaGraphNode_t from, cudaGraphNode_t to);
void destroyNode(Node& node);
/// Gives a node another work of its type. Throws ApiError.
void setWork(Node& node, Work work);

/// Returns a copy of a graph and of the graphs within. Throws ApiError if there are nodes for
/// memory, which only an executable (`executable`) may share.
std::shared_ptr<Graph> clone(const Graph& graph, bool executable = false);
/// Returns the node that is the clone of the one with `id`, in the graph or a graph within; null:
/// none.
Node* findClone(Graph& graph, std::uint64_t id);
/// Returns the graphs of a node: a child, or the bodies of a condition.
std::vector<std::shared_ptr<Graph>> graphsOf(const Node& node);
/// Returns the nodes so that each stands behind those it depends on; among ready ones the first
/// made goes first. Shorter than the graph: there is a circle.
std::vector<cudaGraphNode_t> orderOf(const Graph& graph);
/// True for an allocation or a free.
bool isOfMemory(const Node& node);

/// Returns a free node's work. Throws ApiError unless an allocation node made the pointer and the
/// graph does not free it already.
FreeWork freeWork(const Graph& graph, void* pointer);
/// Returns a child node's work, with a clone of the graph. Throws ApiError.
ChildWork childWork(const Graph& parent, cudaGraph_t child);
/// Returns the graph as text in the language of Graphviz's dot.
std::string dotText(const Graph& graph);

/// Destroys all graphs of the program; called before the device begins anew.
void forgetGraphs();

}  // namespace fermata::cudart
