#include <fermata/models/memory/write_order.h>

namespace fermata {

WriteOrder::Line::Line(const std::vector<std::uint8_t>& before) : bytes_(before.size()) {
  for (std::size_t i = 0; i < before.size(); ++i) bytes_[i].before = before[i];
}

std::uint8_t WriteOrder::Line::take(std::uint32_t at, const Origin& write, std::uint8_t value) {
  Byte& byte = bytes_[at];
  if (byte.order == 0) {
    byte.cache = write.cache;
  } else {
    if (byte.cache != write.cache) byte.cache = nullptr;
    if (byte.newest != value)
      between_.insert(at * 256 + (write.order < byte.order ? value : byte.newest));
  }
  if (write.order >= byte.order) {
    byte.order = write.order;
    byte.sent = write.sent;
    byte.newest = value;
  }
  return byte.newest;
}

bool WriteOrder::Line::mayFind(std::uint32_t at, const Origin& load, std::uint8_t value) const {
  const Byte& byte = bytes_[at];
  if (byte.order == 0) return false;
  if (byte.cache == load.cache && byte.order < load.order && byte.sent <= load.sent) return false;
  return value == byte.before || value == byte.newest || between_.count(at * 256 + value) != 0;
}

WriteOrder::Line* WriteOrder::find(std::uint64_t line) const {
  const auto found = lines_.find(line);
  return found == lines_.end() ? nullptr : found->second.get();
}

WriteOrder::Line& WriteOrder::add(std::uint64_t line, const std::vector<std::uint8_t>& before) {
  return *(lines_[line] = std::make_unique<Line>(before));
}

}  // namespace fermata
