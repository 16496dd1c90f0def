#include <fermata/platforms/program/search/layout_limits.h>

#include <algorithm>
#include <set>

#include <fermata/models/search/atom.h>

namespace fermata::platforms {

using search::Atom;
using search::Layout;

const std::string& atomOf(const SearchRequest& request, std::size_t i) {
  return request.atoms[request.atoms.size() == 1 ? 0 : i];
}

LayoutLimits layoutLimits(const SearchRequest& request, std::uint32_t wordBytes) {
  LayoutLimits limits;
  std::set<std::uint64_t> rows;
  for (std::size_t i = 0; i < request.layouts.size(); ++i) {
    const Atom atom = search::parseAtom(atomOf(request, i), request.elementBytes);
    limits.vectorBytes = std::max({limits.vectorBytes, request.elementBytes, atom.alignment});
    for (const std::uint64_t stride : Layout::parse(request.layouts[i]).strides()) {
      const std::uint64_t bytes = stride * request.elementBytes;
      if (bytes % wordBytes == 0) rows.insert(bytes / wordBytes);
    }
  }
  const bool others =
      !request.workloads.empty() || !request.accessFiles.empty() || !request.accessTexts.empty();
  if (!request.layouts.empty() && !others) limits.rows.emplace(rows.begin(), rows.end());
  return limits;
}

bool isLeadingDimension(const SearchRequest& request, std::uint64_t row) {
  bool any = false;
  for (std::size_t i = 0; i < request.layouts.size(); ++i) {
    const Layout layout = Layout::parse(request.layouts[i]);
    const std::vector<std::uint64_t> strides = layout.strides();
    if (std::find(strides.begin(), strides.end(), row) == strides.end()) continue;
    const Atom atom = search::parseAtom(atomOf(request, i), request.elementBytes);
    // The elements of an operand are modes of its layout.
    const std::uint64_t together =
        atom.operand.exists() ? 1 : std::max(1U, atom.bytes / request.elementBytes);
    if (!layout.leads(row, together)) return false;
    any = true;
  }
  return any;
}

}  // namespace fermata::platforms
