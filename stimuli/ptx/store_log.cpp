#include <fermata/stimuli/ptx/store_log.h>

#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

StoreLog::Bytes& StoreLog::add(Cycle at, LaneMask lanes,
                               const std::array<std::uint64_t, kWarpLanes>& address,
                               unsigned bytesPerLane, std::uintptr_t shift, Update update) {
  if (count_ == stores_.size()) stores_.resize(std::max<std::size_t>(16, 2 * count_));
  Store& store = stores_[count_++];
  store.at = count_ == 1 ? at : std::max(at, stores_[count_ - 2].at);
  store.lanes = lanes;
  store.bytesPerLane = bytesPerLane;
  store.shift = shift;
  store.update = update;
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

/// Returns the stretch with all of each word of which it has a part and that an atomic updates.
StoreLog::Stretch StoreLog::withWholeWords(Stretch stretch) const {
  for (std::size_t k = 0; k < count_; ++k) {
    const Store& store = stores_[k];
    if (store.update == nullptr) continue;
    for (const unsigned lane : lanesIn(store.lanes)) {
      const std::uint64_t low = store.address[lane], high = low + store.bytesPerLane;
      if (low >= stretch.high || stretch.low >= high) continue;
      stretch = {std::min(low, stretch.low), std::max(high, stretch.high), store.shift};
    }
  }
  return stretch;
}

void StoreLog::patch(std::uint64_t address, unsigned bytes, std::uint8_t* data) const {
  const std::uint64_t end = address + bytes;
  const Stretch whole = withWholeWords({address, end, 0});
  if (whole.high - whole.low != bytes) {
    std::array<std::uint8_t, 4 * WarpInstruction::kMaxBytesPerLane> more;
    const auto size = static_cast<unsigned>(whole.high - whole.low);
    std::memcpy(more.data(), reinterpret_cast<const void*>(whole.low + whole.shift), size);
    patch(whole.low, size, more.data());
    std::memcpy(data, &more[address - whole.low], bytes);
    return;
  }
  for (std::size_t k = 0; k < count_; ++k) {
    const Store& store = stores_[k];
    if (address < store.high && store.low < end) patch(store, address, end, data);
  }
}

void StoreLog::patch(const Store& store, std::uint64_t address, std::uint64_t end,
                     std::uint8_t* data) {
  for (const unsigned lane : lanesIn(store.lanes)) {
    const std::uint64_t from = std::max(address, store.address[lane]);
    const std::uint64_t to = std::min(end, store.address[lane] + store.bytesPerLane);
    if (from >= to) continue;
    if (store.update != nullptr) {
      store.update(data + (from - address), store.ofLane(lane));
    } else {
      std::memcpy(data + (from - address), store.ofLane(lane) + (from - store.address[lane]),
                  to - from);
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
    auto* const at = reinterpret_cast<std::uint8_t*>(store.address[lane] + store.shift);
    if (store.update != nullptr) {
      store.update(at, store.ofLane(lane));
    } else {
      std::memcpy(at, store.ofLane(lane), store.bytesPerLane);
    }
  }
}

void StoreLog::clear() {
  count_ = 0;
  low_ = ~std::uint64_t{0};
  high_ = 0;
}

}  // namespace fermata::ptx
