#include <fermata/platforms/program/search/element_names.h>

#include <fermata/models/search/access_matrix.h>
#include <fermata/models/search/atom.h>
#include <fermata/models/search/layout.h>

#include <fmt/format.h>

#include <vector>

namespace fermata::platforms {

namespace {

class LayoutElements {
 public:
  LayoutElements(const std::string& layout, const std::string& atom, std::uint32_t elementBytes,
                 std::uint32_t wordBytes)
      : layout_(search::Layout::parse(layout)),
        atom_(search::parseAtom(atom, elementBytes)),
        elementBytes_(elementBytes),
        wordBytes_(wordBytes),
        addressed_(search::addressElements(layout_, atom_)) {}

  ElementName operator()(const AskedWord& asked) const {
    const std::uint64_t first = addressed_[asked.thread];
    const std::uint64_t more = std::uint64_t{asked.behind} * wordBytes_ / elementBytes_;
    // The neighbours in a row of an operand are elements of the layout themselves.
    if (atom_.operand.exists()) return named(first + more * atom_.operand.step(), 0);
    return named(first, more);
  }

 private:
  ElementName named(std::uint64_t element, std::uint64_t more) const {
    const std::uint64_t place = layout_.offset(element) + more;
    const std::vector<std::uint64_t> coordinates = layout_.coordinates(element);
    if (coordinates.size() == 1) return {std::to_string(place), fmt::format("element {}", place)};
    const std::string at = fmt::format("({})", fmt::join(coordinates, ","));
    const std::string behind = more == 0 ? "" : fmt::format("+{}", more);
    return {more == 0 ? at : behind, fmt::format("{}{}, element {}", at, behind, place)};
  }

  search::Layout layout_;
  search::Atom atom_;
  std::uint32_t elementBytes_;
  std::uint32_t wordBytes_;
  std::vector<std::uint64_t> addressed_;  ///< element of the layout by lane
};

ElementName numbered(const AskedWord& asked) {
  return {std::to_string(asked.word), fmt::format("word {}", asked.word)};
}

}  // namespace

ElementNaming layoutElements(const std::string& layout, const std::string& atom,
                             std::uint32_t elementBytes, std::uint32_t wordBytes) {
  return LayoutElements(layout, atom, elementBytes, wordBytes);
}

ElementNaming matrixElements(const std::string& text) {
  const std::uint32_t columns = search::parseAccessMatrix(text).columns;
  if (columns == 1) return wordNumbers();
  return [columns](const AskedWord& asked) -> ElementName {
    const std::string at = fmt::format("({},{})", asked.word / columns, asked.word % columns);
    return {at, fmt::format("{}, word {}", at, asked.word)};
  };
}

ElementNaming wordNumbers() {
  return numbered;
}

}  // namespace fermata::platforms
