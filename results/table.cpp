#include <fermata/results/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include <fermata/results/csv.h>

namespace fermata::results {
namespace {

std::size_t places(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::string space(width - std::min(width, places(text)), ' ');
  return align == Align::Left ? text + space : space + text;
}

}  // namespace

void Table::row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) {
    throw std::invalid_argument(
        fmt::format("table row has {} cells; expected {}", cells.size(), columns_.size()));
  }
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void Table::print(std::ostream& out) const {
  std::vector<std::string> headings;
  std::vector<std::string> dashes;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = places(columns_[c].heading);
    for (const auto& cells : rows_) width = std::max(width, places(cells[c]));
    headings.push_back(columns_[c].heading);
    dashes.emplace_back(width, '-');
    widths.push_back(width);
  }
  const auto printLine = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c != 0) line += "  ";
      line += padded(cells[c], widths[c], columns_[c].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  };
  printLine(headings);
  printLine(dashes);
  for (const auto& cells : rows_) printLine(cells);
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, 1, ',');
  return digits;
}

std::string fixed(double value, int digits) {
  return fmt::format("{:.{}f}", value, digits);
}

}  // namespace fermata::results
