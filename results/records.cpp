#include <fermata/results/records.h>

namespace fermata::results {
namespace {

void appendEscaped(std::string& out, const std::string& part) {
  for (const char c : part) {
    if (c == ';' || c == '\\') out += '\\';
    out += c;
  }
}

}  // namespace

std::string text(const Settings& settings) {
  std::string out;
  for (const Setting& setting : settings) {
    if (!out.empty()) out += ';';
    appendEscaped(out, setting.name);
    out += '=';
    appendEscaped(out, setting.value);
  }
  return out;
}

void DegreeHistogram::add(unsigned degree, std::uint64_t accesses) {
  if (accesses == 0) return;
  if (degree >= count_.size()) count_.resize(degree + 1);
  count_[degree] += accesses;
}

void DegreeHistogram::add(const DegreeHistogram& other) {
  for (unsigned degree = 0; degree < other.count_.size(); ++degree)
    add(degree, other.count_[degree]);
  parts_ += other.parts_;
}

std::uint64_t DegreeHistogram::accesses() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : count_) sum += count;
  return sum;
}

std::uint64_t DegreeHistogram::passes() const {
  std::uint64_t sum = 0;
  for (unsigned degree = 0; degree < count_.size(); ++degree) sum += degree * count_[degree];
  return sum;
}

std::uint64_t DegreeHistogram::conflictCycles() const {
  std::uint64_t sum = 0;
  for (unsigned degree = 2; degree < count_.size(); ++degree) sum += (degree - 1) * count_[degree];
  return sum - parts_;
}

unsigned DegreeHistogram::largest() const {
  return count_.empty() ? 0 : static_cast<unsigned>(count_.size() - 1);
}

std::optional<double> DegreeHistogram::mean() const {
  const std::uint64_t total = accesses();
  if (total == 0) return std::nullopt;
  return static_cast<double>(passes()) / static_cast<double>(total);
}

std::string DegreeHistogram::text() const {
  std::string out;
  for (unsigned degree = 0; degree < count_.size(); ++degree) {
    if (count_[degree] == 0) continue;
    if (!out.empty()) out += ';';
    out += std::to_string(degree) + ':' + std::to_string(count_[degree]);
  }
  return out;
}

std::optional<double> RunRecord::ipc() const {
  if (cycles == 0) return std::nullopt;
  return static_cast<double>(warpInstructions) / static_cast<double>(cycles);
}

}  // namespace fermata::results
