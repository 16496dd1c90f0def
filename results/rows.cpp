#include <fermata/results/rows.h>

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include <fermata/results/csv.h>

namespace fermata::results {
namespace {

bool fits(const Cell& cell, ColumnType type) {
  switch (type) {
    case ColumnType::Integer:
      return !std::holds_alternative<double>(cell) && !std::holds_alternative<std::string>(cell);
    case ColumnType::Real:
      return !std::holds_alternative<std::uint64_t>(cell) &&
             !std::holds_alternative<std::string>(cell);
    case ColumnType::Text:
      break;
  }
  return std::holds_alternative<std::monostate>(cell) || std::holds_alternative<std::string>(cell);
}

}  // namespace

std::string text(const Cell& cell) {
  if (const auto* integer = std::get_if<std::uint64_t>(&cell)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&cell)) return number(*real);
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  return {};
}

Row::Row(Columns columns, std::vector<Cell> cells)
    : columns_(std::move(columns)), cells_(std::move(cells)) {
  if (cells_.size() != columns_->size())
    throw std::logic_error(
        fmt::format("a row of {} cells; expected {}", cells_.size(), columns_->size()));
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    const Column& column = (*columns_)[c];
    if (fits(cells_[c], column.type)) continue;
    throw std::logic_error(fmt::format("column '{}' holds '{}'; expected {}", column.name,
                                       results::text(cells_[c]), name(column.type)));
  }
}

const Cell& Row::cell(std::string_view column) const {
  return cells_[find(*columns_, column)];
}

template <class T>
std::optional<T> Row::get(std::string_view column, ColumnType type) const {
  const std::size_t at = find(*columns_, column);
  const ColumnType is = (*columns_)[at].type;
  if (is != type)
    throw std::logic_error(fmt::format("column '{}' is {}, not {}", column, name(is), name(type)));
  const T* value = std::get_if<T>(&cells_[at]);
  return value ? std::optional<T>(*value) : std::nullopt;
}

std::optional<std::uint64_t> Row::integer(std::string_view column) const {
  return get<std::uint64_t>(column, ColumnType::Integer);
}

std::optional<double> Row::real(std::string_view column) const {
  return get<double>(column, ColumnType::Real);
}

std::optional<std::string> Row::text(std::string_view column) const {
  return get<std::string>(column, ColumnType::Text);
}

}  // namespace fermata::results
