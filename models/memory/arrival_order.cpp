#include <fermata/models/memory/arrival_order.h>

#include <iterator>
#include <utility>

namespace fermata {

bool ArrivalOrder::write(std::uint32_t at, const Access& access, std::uint8_t value) {
  if (!doubts_.empty()) {
    auto [doubt, end] = doubts_.equal_range(at);
    while (doubt != end) {
      const Doubt& one = doubt->second;
      const bool explains =
          one.load.slot != access.slot && access.order < one.load.order && value == one.expected;
      doubt = explains ? doubts_.erase(doubt) : std::next(doubt);
    }
  }
  if (writes_.at(at).order > access.order) return false;
  writes_[at] = access;
  return true;
}

bool ArrivalOrder::isOvertaken(std::uint32_t at, const Access& load) const {
  return writes_.at(at).order > load.order && writes_[at].slot != load.slot;
}

void ArrivalOrder::doubt(std::uint32_t at, const Access& load, std::uint8_t expected,
                         std::string message) {
  doubts_.emplace(at, Doubt{load, expected, std::move(message)});
}

std::optional<std::string> ArrivalOrder::forget(std::uint32_t at) {
  writes_.at(at) = {};
  const auto found = doubts_.find(at);
  if (found == doubts_.end()) return std::nullopt;
  std::string message = std::move(found->second.message);
  doubts_.erase(at);
  return message;
}

std::optional<std::string> ArrivalOrder::unexplained() {
  if (doubts_.empty()) return std::nullopt;
  std::string message = std::move(doubts_.begin()->second.message);
  doubts_.clear();
  return message;
}

}  // namespace fermata
