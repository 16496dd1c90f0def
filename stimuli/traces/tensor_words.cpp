#include <fermata/stimuli/traces/tensor_words.h>

#include <fmt/format.h>

#include <algorithm>

namespace fermata::traces {

namespace {

constexpr std::string_view kPair = "/pair";

}  // namespace

void setColumns(RowHead& head, const ColumnChange& change) {
  head.barrier = static_cast<std::uint8_t>(change.first / kTensorUnit);
  head.barrierThreads = static_cast<std::uint16_t>(change.columns);
  head.barrierWaits = !change.pair;
}

ColumnChange columnChangeOf(const RowHead& head) {
  return {head.barrier * kTensorUnit, head.barrierThreads, !head.barrierWaits};
}

bool isColumnChange(const ColumnChange& change, bool takes, const Grid& grid) {
  const unsigned columns = change.columns;
  const bool power = columns >= kTensorUnit && (columns & (columns - 1)) == 0;
  const bool pair = !change.pair || (takes && grid.clusterCtas % 2 == 0);
  return power && pair && change.first % kTensorUnit == 0 && change.first < kTensorColumns &&
         columns <= kTensorColumns - change.first;
}

void appendColumns(std::string& text, const ColumnChange& change) {
  appendNumber(text, change.first);
  text += '/';
  appendNumber(text, change.columns);
  if (change.pair) text += kPair;
}

ColumnChange parseColumns(std::string_view text, bool takes, const Grid& grid) {
  ColumnChange change;
  const std::string_view whole = text;
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::string_view first = text.substr(0, slash);
  text.remove_prefix(std::min(slash + 1, text.size()));
  if (const std::size_t behind = text.find('/'); behind != std::string_view::npos) {
    change.pair = text.substr(behind) == kPair;
    if (change.pair) text = text.substr(0, behind);
  }
  try {
    change.first = static_cast<unsigned>(parseNumber(first, kTensorColumns, "first column"));
    change.columns = static_cast<unsigned>(parseNumber(text, kTensorColumns, "columns"));
  } catch (const FormatError&) {
    change.columns = 0;
  }
  if (isColumnChange(change, takes, grid)) return change;
  throw FormatError{
      0, fmt::format("bad columns of tensor memory '{}'; expected first/columns{}: columns 32 or a "
                     "larger power of two, first a multiple of 32, all below column {}",
                     whole, takes ? " or, in clusters of pairs, first/columns/pair" : "",
                     kTensorColumns)};
}

}  // namespace fermata::traces
