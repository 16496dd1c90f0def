#include <fermata/stimuli/traces/order_check.h>

#include <limits>

namespace fermata::traces {

namespace {

constexpr std::size_t kMaxPages = 16384;  ///< 64 MiB of device memory: 340 MB of stamps

/// Returns true for device memory. Other spaces are a thread's own, or never stored by kernels.
bool isDevice(MemorySpace space) {
  return space == MemorySpace::Global || space == MemorySpace::Texture;
}

}  // namespace

void OrderCheck::gridStarted(const Grid& grid) {
  warpsPerCta_ = grid.warpsPerCta();
  threads_ = grid.threadsPerCta;
  sharedBytes_ = grid.sharedBytesPerCta;
  firstWarp_ = nextWarp_;
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max() - firstWarp_;
  if (grid.ctas > most / warpsPerCta_) {
    fail();  // warp numbers are used up
  } else {
    nextWarp_ += static_cast<std::uint32_t>(grid.ctas) * warpsPerCta_;
  }
}

void OrderCheck::ctaStarted(std::uint64_t cta, unsigned firstSlot) {
  for (std::uint32_t warp = 0; warp < warpsPerCta_; ++warp) {
    const auto before = static_cast<std::uint32_t>(cta) * warpsPerCta_;
    slots_[firstSlot + warp] = {{firstWarp_ + before + warp, 0}, firstSlot};
  }
  shared_[firstSlot].assign(sharedBytes_, Stamp{});
}

bool OrderCheck::ordered(const Moment& before, const Moment& now) const {
  return before.warp < firstWarp_ || before.warp == now.warp ||
         (before.barriers < now.barriers && ctaOf(before.warp) == ctaOf(now.warp));
}

void OrderCheck::load(Stamp& stamp, const Moment& now) {
  if (!ordered(stamp.stored, now)) fail();
  const Moment& before = stamp.loaded;
  if (before.warp < firstWarp_ || (stamp.readers == Readers::One && before.warp == now.warp)) {
    stamp.loaded = now;
    stamp.readers = Readers::One;
  } else if (stamp.readers == Readers::OfCtas || ctaOf(before.warp) != ctaOf(now.warp)) {
    stamp.readers = Readers::OfCtas;
  } else if (before.barriers < now.barriers) {
    stamp.loaded = now;  // a store ordered behind this load is ordered behind the others, too
    stamp.readers = Readers::One;
  } else {
    stamp.readers = Readers::OfCta;
  }
}

void OrderCheck::store(Stamp& stamp, const Moment& now) {
  const Moment& before = stamp.loaded;
  const bool behindLoads = before.warp < firstWarp_ ||
                           (stamp.readers == Readers::One && ordered(before, now)) ||
                           (stamp.readers == Readers::OfCta && before.barriers < now.barriers &&
                            ctaOf(before.warp) == ctaOf(now.warp));
  if (!behindLoads || !ordered(stamp.stored, now)) fail();
  stamp = {now, {}, Readers::One};
}

void OrderCheck::touch(Stamp& stamp, bool stores, const Moment& now) {
  stores ? store(stamp, now) : load(stamp, now);
}

OrderCheck::Stamp* OrderCheck::deviceWord(std::uint64_t word) {
  const std::uint64_t number = word / kPageWords;
  if (lastPage_ == nullptr || number != lastNumber_) {
    auto& page = pages_[number];
    if (page == nullptr) {
      if (pages_.size() > kMaxPages) return nullptr;
      page = std::make_unique<Page>();
    }
    lastPage_ = page.get();
    lastNumber_ = number;
  }
  return &(*lastPage_)[word % kPageWords];
}

void OrderCheck::executed(unsigned slot, const StaticInstruction& instruction,
                          const WarpInstruction& done) {
  if (instruction.arrives) return fail();  // others may wait for what it changes
  Slot& warp = slots_[slot];
  if (instruction.instructionClass == InstructionClass::Barrier) {
    const bool whole = done.barrierThreads == 0 || done.barrierThreads >= threads_;
    if (!done.barrierWaits) return fail();  // orders those who wait, not the reverse
    if (whole && done.active != 0) ++warp.now.barriers;
    return;
  }
  if (instruction.instructionClass != InstructionClass::Memory || done.active == 0) return;
  if (done.operation == MemoryOperation::Atomic) return fail();
  const bool stores = done.operation == MemoryOperation::Store;
  const bool shared = done.space == MemorySpace::Shared;
  if (!shared && !isDevice(done.space)) return;
  std::vector<Stamp>& window = shared_[warp.first];
  for (LaneMask left = done.active; left != 0; left &= left - 1) {
    const std::uint64_t begin = done.address[static_cast<unsigned>(__builtin_ctz(left))];
    const std::uint64_t end = begin + done.bytesPerLane;
    if (shared) {
      if (end > window.size()) return fail();
      for (std::uint64_t byte = begin; byte < end; ++byte) touch(window[byte], stores, warp.now);
      continue;
    }
    for (std::uint64_t word = begin / 4; word * 4 < end; ++word) {
      Stamp* const stamp = deviceWord(word);
      if (stamp == nullptr) return fail();
      touch(*stamp, stores, warp.now);
    }
  }
}

}  // namespace fermata::traces
