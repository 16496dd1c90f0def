// Executable graphs: a copy of a graph that was checked and put in order, and is launched as one.
#pragma once

#include <fermata/platforms/cudart/graphs/graph.h>

#include <memory>

struct CUgraphExec_st {
  std::shared_ptr<CUgraph_st> graph;
  unsigned long long flags = 0;
  ~CUgraphExec_st();
};

namespace fermata::cudart {

using Executable = CUgraphExec_st;

/// Tells why a graph cannot be instantiated.
struct InstantiationOutcome {
  cudaGraphInstantiateResult result = cudaGraphInstantiateError;
  cudaGraphNode_t node = nullptr;  ///< of the graph; null: none is to blame
};

/// Makes an executable, which belongs to the program. Throws ApiError after having told in
/// `outcome` why.
cudaGraphExec_t instantiate(const Graph& graph, unsigned long long flags,
                            InstantiationOutcome& outcome);
/// Returns the executable. Throws ApiError (cudaErrorInvalidValue) if the handle is none.
std::shared_ptr<Executable> requireExecutable(cudaGraphExec_t exec);
void destroyExecutable(cudaGraphExec_t exec);
void forgetExecutables();

/// Returns the executable's copy of a node of the graph that it was made of. Throws ApiError.
Node& nodeWithin(Executable& exec, cudaGraphNode_t node);
/// Gives a graph of an executable the works of another one of its form. Returns why not; nothing is
/// then changed.
cudaGraphExecUpdateResultInfo update(Graph& within, const Graph& graph);
/// Runs the nodes. Functions of the host are called without the lock. Returns the first error.
cudaError_t run(const char* name, Executable& exec);

}  // namespace fermata::cudart
