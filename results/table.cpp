#include <fermata/results/table.h>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <numeric>
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

/// Returns the columns of the terminal that standard output is, 80 if it does not know them; 0: it
/// is none.
std::size_t terminalWidth() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1) return 0;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

/// Cuts a text to this many places, behind a word if there is one.
std::string cut(const std::string& text, std::size_t width) {
  const std::string end = " ..";
  if (places(text) <= width || width <= end.size()) return text;
  std::size_t bytes = 0;
  for (std::size_t shown = 0; shown <= width - end.size(); ++bytes)
    if ((static_cast<unsigned char>(text[bytes]) & 0xc0U) != 0x80U) ++shown;
  const std::size_t blank = text.rfind(' ', bytes - 1);
  return text.substr(0, blank == std::string::npos ? bytes - 1 : blank) + end;
}

/// Narrows columns of text, then drops the last columns, until a line has at most `most` places.
void fit(const std::vector<TableColumn>& columns, std::vector<std::size_t>& widths,
         std::size_t most) {
  constexpr std::size_t kLeastText = 24;
  constexpr std::size_t kBetween = 2;
  while (most != 0) {
    const std::size_t total = std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
                              kBetween * (widths.size() - 1);
    if (total <= most) return;
    std::size_t widest = widths.size();
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (columns[c].align == Align::Left && widths[c] > kLeastText &&
          (widest == widths.size() || widths[c] > widths[widest]))
        widest = c;
    }
    if (widest != widths.size())
      widths[widest] -= std::min(total - most, widths[widest] - kLeastText);
    else if (widths.size() > 1)
      widths.pop_back();
    else
      return;
  }
}

/// Returns "conflict cycles" as "conflict_cycles".
std::string columnName(const std::string& heading) {
  std::string name;
  for (const char letter : heading) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0)
      name += static_cast<char>(std::tolower(byte));
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "remark" : name;
}

/// Returns "1,234" as "1234", and "-", which stands for no number, as nothing.
std::string ungrouped(const std::string& cell) {
  if (cell == "-") return {};
  const std::string number = cell.substr(cell.rfind('-', 0) == 0 ? 1 : 0);
  const std::size_t end = std::min(number.find('.'), number.size());
  for (std::size_t i = 0; i < end; ++i) {
    const bool comma = (end - i) % 4 == 0;
    if (comma ? number[i] != ',' || i == 0
              : std::isdigit(static_cast<unsigned char>(number[i])) == 0)
      return cell;
  }
  std::string plain = cell;
  plain.erase(std::remove(plain.begin(), plain.end(), ','), plain.end());
  return plain;
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
  print(out, &out == &std::cout ? terminalWidth() : 0);
}

void Table::print(std::ostream& out, std::size_t width) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(places(columns_[c].heading));
    for (const auto& cells : rows_) widths[c] = std::max(widths[c], places(cells[c]));
  }
  fit(columns_, widths, width);
  const auto printLine = [&](const auto& cellOf) {
    std::string line;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (c != 0) line += "  ";
      line += padded(cut(cellOf(c), widths[c]), widths[c], columns_[c].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  };
  printLine([&](std::size_t c) { return columns_[c].heading; });
  printLine([&](std::size_t c) { return std::string(widths[c], '-'); });
  for (const auto& cells : rows_) printLine([&](std::size_t c) { return cells[c]; });
  if (widths.size() == columns_.size()) return;
  std::string left;
  for (std::size_t c = widths.size(); c < columns_.size(); ++c)
    left += (left.empty() ? "" : ", ") + columns_[c].heading;
  out << "left out, as the terminal is narrow: " << left << '\n';
}

std::string Table::csv() const {
  std::string text;
  const auto addLine = [&](const auto& cellOf) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c != 0) text += ',';
      appendField(text, cellOf(c));
    }
    text += '\n';
  };
  addLine([&](std::size_t c) { return columnName(columns_[c].heading); });
  for (const auto& cells : rows_) {
    addLine([&](std::size_t c) {
      return columns_[c].align == Align::Right ? ungrouped(cells[c]) : cells[c];
    });
  }
  return text;
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
