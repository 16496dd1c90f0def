// The best rows of a search: in the kernel, in hardware, and of each kind of mapping.
#include <fermata/platforms/program/search/search_job.h>

#include <tuple>

namespace fermata::platforms {

namespace {

using search::MappingClass;

/// Kind of change that a mapping makes to the machine or the kernel.
enum class Change { Hash, Modulus, Padding, Swizzle };

Change changeOf(const SearchRow& row) {
  if (row.found.mappingClass == MappingClass::Padding) return Change::Padding;
  if (row.found.mappingClass == MappingClass::Swizzle ||
      row.found.mappingClass == MappingClass::Tma)
    return Change::Swizzle;
  return row.found.mappingClass == MappingClass::Ami ? Change::Modulus : Change::Hash;
}

template <class Choose>
const SearchRow* bestOf(const std::vector<SearchRow>& rows, const Choose& choose) {
  const auto key = [](const SearchRow& row) {
    return std::make_tuple(row.after, !row.price.gates, row.banks, row.latency,
                           row.price.gates.value_or(0), row.extraWords);
  };
  const SearchRow* best = nullptr;
  for (const SearchRow& row : rows) {
    if (choose(row) && (best == nullptr || key(row) < key(*best))) best = &row;
  }
  return best;
}

template <class Choose>
const SearchRow* bestInHardware(const SearchReport& report, const Choose& choose) {
  const auto hardware = [&](const SearchRow& row) {
    return row.where() == MadeIn::Hardware && choose(row);
  };
  const SearchRow* const row = bestOf(report.rows, [&](const SearchRow& one) {
    return hardware(one) && one.banks <= report.shape.banks;
  });
  return row != nullptr ? row : bestOf(report.rows, hardware);
}

const SearchRow* bestInKernel(const SearchReport& report) {
  const auto key = [&](const SearchRow& row) {
    const bool padding = changeOf(row) == Change::Padding;
    return std::make_tuple(row.after, row.lost.has_value(), padding == report.ofLayouts,
                           row.latency, row.price.gates.value_or(0));
  };
  const SearchRow* best = nullptr;
  for (const SearchRow& row : report.rows) {
    if (row.where() != MadeIn::Kernel) continue;
    if (best == nullptr || key(row) < key(*best)) best = &row;
  }
  return best;
}

}  // namespace

const char* name(MadeIn where) {
  return where == MadeIn::Kernel ? "in the kernel" : "in hardware";
}

const SearchRow* SearchReport::bestIn(MadeIn where) const {
  if (where == MadeIn::Kernel) return bestInKernel(*this);
  return bestInHardware(*this, [](const SearchRow&) { return true; });
}

const SearchRow* SearchReport::best() const {
  const SearchRow* const first = bestIn(ofLayouts ? MadeIn::Kernel : MadeIn::Hardware);
  return first != nullptr ? first : bestIn(ofLayouts ? MadeIn::Hardware : MadeIn::Kernel);
}

const SearchRow* SearchReport::bestPriced() const {
  return bestInHardware(*this, [](const SearchRow& row) { return row.price.gates.has_value(); });
}

const SearchRow* SearchReport::bestHash() const {
  return bestOf(rows, [](const SearchRow& row) { return changeOf(row) == Change::Hash; });
}

const SearchRow* SearchReport::bestModulus() const {
  return bestOf(rows, [](const SearchRow& row) { return changeOf(row) == Change::Modulus; });
}

const SearchRow* SearchReport::bestSwizzle() const {
  return bestOf(rows, [](const SearchRow& row) { return changeOf(row) == Change::Swizzle; });
}

const SearchRow* SearchReport::bestPadding() const {
  return bestOf(rows, [](const SearchRow& row) { return changeOf(row) == Change::Padding; });
}

}  // namespace fermata::platforms
