// Graphs as text for Graphviz.
#include <fermata/platforms/cudart/graphs/graph.h>

#include <fmt/format.h>

namespace fermata::cudart {
namespace {

std::string labelOf(const Node& node) {
  const char* const type = typeName(typeOf(node.work));
  const auto* const kernel = std::get_if<KernelWork>(&node.work);
  if (kernel == nullptr) return type;
  const auto shape = [](const ptx::Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); };
  return fmt::format("{}\\n{}\\n<<<{}, {}, {}>>>", type, kernel->function.entry,
                     shape(kernel->grid), shape(kernel->block), kernel->sharedBytes);
}

void addCluster(std::string& text, const Graph& graph, const std::string& name) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = *graph.nodes[i];
    text += fmt::format("  n{} [label=\"{} {}\"];\n", node.id, i, labelOf(node));
    const auto within = graphsOf(node);
    for (std::size_t k = 0; k < within.size(); ++k) {
      const std::string inner = fmt::format("{}_{}_{}", name, i, k);
      text += fmt::format("  subgraph cluster{} {{ label=\"graph {} of node {}\";\n", inner, k, i);
      addCluster(text, *within[k], inner);
      text += "  }\n";
    }
  }
  for (const auto& node : graph.nodes)
    for (const GraphEdge& edge : node->dependents)
      text += fmt::format("  n{} -> n{};\n", node->id, edge.node->id);
}

}  // namespace

std::string dotText(const Graph& graph) {
  std::string text = "digraph graph_ {\n  node [shape=box];\n";
  addCluster(text, graph, "");
  return text + "}\n";
}

}  // namespace fermata::cudart
