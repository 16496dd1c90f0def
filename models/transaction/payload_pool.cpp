#include <fermata/models/transaction/payload_pool.h>

#include <algorithm>

namespace fermata {

PayloadPool::PayloadPool(std::size_t initial) {
  while (payloads_.size() < initial) grow();
}

void PayloadPool::grow() {
  auto payload = std::make_unique<tlm::tlm_generic_payload>(this);
  auto* access = new WarpAccess;  // owned by the payload
  access->payload = payload.get();
  payload->set_extension(access);
  payload->set_streaming_width(1);
  payload->set_data_length(1);
  idle_.push_back(access);
  accesses_.push_back(access);
  payloads_.push_back(std::move(payload));
}

tlm::tlm_generic_payload& PayloadPool::acquire() {
  if (idle_.empty()) grow();
  tlm::tlm_generic_payload* payload = idle_.back()->payload;
  idle_.pop_back();
  payload->acquire();
  return *payload;
}

void PayloadPool::prefetch() const {
  constexpr std::size_t kSoon = 16;  // accesses that may begin in an epoch
  for (const auto& payload : payloads_) fermata::prefetch(*payload);
  const std::size_t first = idle_.size() - std::min(idle_.size(), kSoon);
  for (std::size_t i = first; i < idle_.size(); ++i) idle_[i]->prefetch(true);
  for (std::size_t i = 0; i < payloads_.size(); ++i) {
    if (payloads_[i]->get_ref_count() != 0) accesses_[i]->prefetch(false);
  }
}

std::vector<const WarpAccess*> PayloadPool::accesses() const {
  std::vector<const WarpAccess*> found;
  for (std::size_t i = 0; i < payloads_.size(); ++i) {
    if (payloads_[i]->get_ref_count() != 0) found.push_back(accesses_[i]);
  }
  return found;
}

// The extension is sticky: it is not reset, only overwritten by the next access.
void PayloadPool::free(tlm::tlm_generic_payload* payload) {
  idle_.push_back(&warpAccess(*payload));
}

}  // namespace fermata
