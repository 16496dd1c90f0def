#include <fermata/stimuli/ptx/store_log.h>

#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

StoreLog::Bytes& StoreLog::add(Cycle at, LaneMask lanes,
                               const std::array<std::uint64_t, kWarpLanes>& address,
                               unsigned bytesPerLane, std::uintptr_t shift) {
  if (count_ == stores_.size()) stores_.resize(std::max<std::size_t>(16, 2 * count_));
  Store& store = stores_[count_++];
  store.at = at;
  store.lanes = lanes;
  store.bytesPerLane = bytesPerLane;
  store.shift = shift;
  store.address = address;
  store.low = ~std::uint64_t{0};
  store.high = 0;
  for (const unsigned lane : lanesIn(lanes)) {
    store.low = std::min(store.low, address[lane]);
    store.high = std::max(store.high, address[lane] + bytesPerLane);
  }
  low_ = std::min(low_, store.low);
  high_ = std::max(high_, store.high);
  return store.bytes;
}

void StoreLog::patch(std::uint64_t address, unsigned bytes, std::uint8_t* data) const {
  const std::uint64_t end = address + bytes;
  for (std::size_t k = 0; k < count_; ++k) {
    const Store& store = stores_[k];
    if (address >= store.high || store.low >= end) continue;
    for (const unsigned lane : lanesIn(store.lanes)) {
      const std::uint64_t from = std::max(address, store.address[lane]);
      const std::uint64_t to = std::min(end, store.address[lane] + store.bytesPerLane);
      if (from >= to) continue;
      const std::uint8_t* stored = &store.bytes[std::size_t{lane} * store.bytesPerLane];
      std::memcpy(data + (from - address), stored + (from - store.address[lane]), to - from);
    }
  }
}

void StoreLog::exchange(std::vector<StoreLog>& logs) {
  std::vector<const Store*> order;
  for (const StoreLog& log : logs) {
    for (std::size_t k = 0; k < log.count_; ++k) order.push_back(&log.stores_[k]);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Store* a, const Store* b) { return a->at < b->at; });
  for (const Store* store : order) carryOut(*store);
  for (StoreLog& log : logs) log.clear();
}

void StoreLog::carryOut(const Store& store) {
  for (const unsigned lane : lanesIn(store.lanes)) {
    std::memcpy(reinterpret_cast<void*>(store.address[lane] + store.shift),
                &store.bytes[std::size_t{lane} * store.bytesPerLane], store.bytesPerLane);
  }
}

void StoreLog::clear() {
  count_ = 0;
  low_ = ~std::uint64_t{0};
  high_ = 0;
}

}  // namespace fermata::ptx
