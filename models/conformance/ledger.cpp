#include <fermata/models/conformance/ledger.h>

namespace fermata::conformance {

namespace {

std::string lane(std::size_t access, unsigned lane) {
  return "lane " + std::to_string(lane) + " of access " + std::to_string(access);
}

unsigned first(LaneMask lanes) {
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

}  // namespace

void Ledger::servedLanes(std::size_t access, LaneMask lanes) {
  if (access >= lanes_.size()) return log_.add("below, an access that the suite did not send");
  const LaneMask again = lanes_[access] & lanes;
  if (again != 0) log_.add(lane(access, first(again)) + " is served twice below");
  lanes_[access] |= lanes;
}

void Ledger::checkLanes(const Stream& stream) const {
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const LaneMask missing = stream[i].lanes & ~lanes_[i];
    const LaneMask more = lanes_[i] & ~stream[i].lanes;
    if (missing != 0)
      log_.add(lane(i, first(missing)) + " is answered as served but was never served below");
    if (more != 0) log_.add(lane(i, first(more)) + " is served below but was not asked for");
  }
}

void Ledger::checkLines(const Stream& stream) const {
  for (std::size_t i = 0; i < stream.size(); ++i) {
    for (LaneMask m = stream[i].lanes; m != 0; m &= m - 1)
      checkLine(i, first(m), stream[i].address[first(m)], stream[i].bytes);
  }
}

void Ledger::checkLine(std::size_t access, unsigned number, std::uint64_t address,
                       std::uint64_t bytes) const {
  unsigned count = 0;
  for (const auto& [begin, length] : lines_) {
    if (address >= begin && address + bytes <= begin + length) ++count;
  }
  if (count == 0)
    log_.add(lane(access, number) + " is answered as served but no line below holds it");
  if (count > 1) log_.add(lane(access, number) + " is asked for twice below");
}

}  // namespace fermata::conformance
