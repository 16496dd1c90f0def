#include <fermata/platforms/cudart/graphs/executable.h>
#include <fermata/platforms/cudart/waiting.h>

#include <unordered_map>

namespace fermata::cudart {
namespace {

std::unordered_map<cudaGraphExec_t, std::shared_ptr<Executable>>& executables() {
  static auto* const all = new std::unordered_map<cudaGraphExec_t, std::shared_ptr<Executable>>;
  return *all;
}

/// Calls visit(node) for the nodes of a graph and of the graphs within.
template <class Visit>
void forEachNode(const Graph& graph, Visit visit) {
  for (const auto& node : graph.nodes) {
    visit(*node);
    for (const auto& within : graphsOf(*node)) forEachNode(*within, visit);
  }
}

template <class Visit>
void forEachMemory(const Graph& graph, Visit visit) {
  forEachNode(graph, [&](const Node& node) {
    const auto* const work = std::get_if<AllocateWork>(&node.work);
    if (work != nullptr) visit(*work->memory);
  });
}

void requireForm(const Graph& graph, bool isBody, InstantiationOutcome& outcome);

void requireNode(const Node& node, bool isBody, InstantiationOutcome& outcome) {
  outcome.node = const_cast<Node*>(&node);
  const cudaGraphNodeType type = typeOf(node.work);
  const bool allowed = type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
                       type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeEmpty ||
                       type == cudaGraphNodeTypeGraph || type == cudaGraphNodeTypeConditional;
  if (isBody && !allowed) {
    outcome.result = cudaGraphInstantiateNodeOperationNotSupported;
    fail(cudaErrorNotSupported,
         "a {} node in a conditional node's body; expected kernel, memcpy, memset, empty, child or "
         "conditional nodes",
         typeName(type));
  }
  if (const auto* kernel = std::get_if<KernelWork>(&node.work)) requireLaunchable(*kernel);
  if (const auto* memory = std::get_if<AllocateWork>(&node.work))
    require(memory->memory->executables == 0, cudaErrorNotSupported,
            "a graph that allocates memory has an executable already; expected one at a time");
  const bool body = isBody || type == cudaGraphNodeTypeConditional;
  for (const auto& within : graphsOf(node)) requireForm(*within, body, outcome);
  outcome.node = nullptr;
}

void requireForm(const Graph& graph, bool isBody, InstantiationOutcome& outcome) {
  if (orderOf(graph).size() != graph.nodes.size()) {
    outcome.result = cudaGraphInstantiateInvalidStructure;
    fail(cudaErrorInvalidValue, "the dependencies of the graph's {} nodes form a circle",
         graph.nodes.size());
  }
  for (const auto& condition : graph.conditions) {
    if (condition->used) continue;
    outcome.result = cudaGraphInstantiateConditionalHandleUnused;
    fail(cudaErrorInvalidValue, "a conditional handle of the graph is no conditional node's");
  }
  for (const auto& node : graph.nodes) requireNode(*node, isBody, outcome);
}

void putInOrder(Graph& graph) {
  graph.order = orderOf(graph);
  for (const auto& node : graph.nodes)
    for (const auto& within : graphsOf(*node)) putInOrder(*within);
}

void assignDefaults(const Graph& graph) {
  for (const auto& condition : graph.conditions) condition->assignDefault();
  for (const auto& node : graph.nodes)
    for (const auto& within : graphsOf(*node)) assignDefaults(*within);
}

/// Runs the nodes of one launch. Kernels, and copies and fills behind them, may wait (waiting.h),
/// so that branches run side by side.
class Runner {
 public:
  explicit Runner(const char* name) : name_(name) {}

  cudaError_t run(const Graph& graph) {
    std::unordered_map<cudaGraphNode_t, std::vector<std::uint64_t>> last;  // works that may wait
    for (Node* node : graph.order) {
      lane_.last.clear();
      for (const GraphEdge& edge : node->dependencies) {
        const auto& before = last[edge.node];
        lane_.last.insert(lane_.last.end(), before.begin(), before.end());
      }
      if (node->enabled) {
        const cudaError_t error =
            std::visit([&](const auto& work) { return one(work); }, node->work);
        if (error != cudaSuccess) return error;
      }
      last[node] = lane_.last;
    }
    return settle();
  }

 private:
  /// Runs what waits.
  cudaError_t settle() {
    return api(name_, [] { runWaiting(); });
  }
  template <class Any>
  cudaError_t one(const Any& work) {
    return api(name_, [&] {
      runWaiting();
      perform(work);
    });
  }
  cudaError_t one(const KernelWork& work) { return submitNode(work); }
  cudaError_t one(const CopyWork& work) { return submitNode(work); }
  cudaError_t one(const FillWork& work) { return submitNode(work); }
  cudaError_t one(const EmptyWork&) { return cudaSuccess; }
  template <class Any>
  cudaError_t submitNode(const Any& work) {
    return api(name_, [&] { submit(lane_, work); });
  }
  cudaError_t one(const HostWork& work) {
    const cudaError_t error = api(name_, [] {
      runWaiting();
      session().requireSound();
    });
    if (error == cudaSuccess) work.function(work.userData);
    return error;
  }
  cudaError_t one(const ChildWork& work) {
    const cudaError_t error = settle();
    return error == cudaSuccess ? run(*work.graph) : error;
  }
  cudaError_t one(const ConditionalWork& work) {
    const cudaError_t before = settle();
    if (before != cudaSuccess) return before;
    if (work.type == cudaGraphCondTypeWhile) {
      cudaError_t error = cudaSuccess;
      while (error == cudaSuccess && work.condition->value() != 0) error = run(*work.bodies[0]);
      return error;
    }
    const unsigned value = work.condition->value();
    const bool isIf = work.type == cudaGraphCondTypeIf;
    const std::size_t body = isIf ? (value == 0 ? 1 : 0) : value;
    return body < work.bodies.size() ? run(*work.bodies[body]) : cudaSuccess;
  }

  const char* name_;
  CUstream_st lane_;  ///< the works that the present node follows
};

}  // namespace

cudaGraphExec_t instantiate(const Graph& graph, unsigned long long flags,
                            InstantiationOutcome& outcome) {
  constexpr unsigned long long kKnown =
      cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
      cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
  requireValue((flags & ~kKnown) == 0, "flags that there are not");
  require((flags & cudaGraphInstantiateFlagDeviceLaunch) == 0, cudaErrorNotSupported,
          "kernels cannot launch graphs; expected no cudaGraphInstantiateFlagDeviceLaunch");
  (void)soundSession();
  requireForm(graph, false, outcome);
  auto exec = std::make_shared<Executable>();
  exec->flags = flags;
  exec->graph = clone(graph, true);
  putInOrder(*exec->graph);
  forEachMemory(*exec->graph, [&](GraphMemory& memory) {
    ++memory.executables;
    memory.freedOnLaunch = (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  });
  outcome.result = cudaGraphInstantiateSuccess;
  const cudaGraphExec_t handle = exec.get();
  executables().emplace(handle, std::move(exec));
  return handle;
}

std::shared_ptr<Executable> requireExecutable(cudaGraphExec_t exec) {
  const auto found = executables().find(exec);
  requireValue(found != executables().end(), "not an executable graph");
  return found->second;
}

void destroyExecutable(cudaGraphExec_t exec) {
  (void)requireExecutable(exec);
  executables().erase(exec);
}

void forgetExecutables() {
  const auto all = std::move(executables());
  executables().clear();
}

Node& nodeWithin(Executable& exec, cudaGraphNode_t handle) {
  const Node& node = cudart::requireNode(handle);
  Node* const found = findClone(*exec.graph, node.id);
  requireValue(found != nullptr,
               "a node of another graph; expected one of the graph that was instantiated");
  return *found;
}

cudaError_t run(const char* name, Executable& exec) {
  const cudaError_t error = api(name, [&] {
    runWaiting();
    soundSession();
    assignDefaults(*exec.graph);
  });
  return error == cudaSuccess ? Runner(name).run(*exec.graph) : error;
}

}  // namespace fermata::cudart

CUgraphExec_st::~CUgraphExec_st() {
  if (graph == nullptr) return;
  fermata::cudart::forEachMemory(
      *graph, [](fermata::cudart::GraphMemory& memory) { --memory.executables; });
}
