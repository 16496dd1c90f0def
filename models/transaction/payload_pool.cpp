#include <fermata/models/transaction/payload_pool.h>

#include <algorithm>

namespace fermata {

PayloadPool::PayloadPool(std::size_t initial) {
  while (payloads_.size() < initial) grow();
}

void PayloadPool::grow() {
  auto payload = std::make_unique<Payload>(this);
  payload->access = new WarpAccess;  // owned by the payload
  payload->access->payload = payload.get();
  payload->set_extension(payload->access);
  payload->set_streaming_width(1);
  payload->set_data_length(1);
  idle_.push_back(payload.get());
  payloads_.push_back(std::move(payload));
}

tlm::tlm_generic_payload& PayloadPool::acquire() {
  if (idle_.empty()) grow();
  Payload* payload = idle_.back();
  idle_.pop_back();
  payload->acquire();
  return *payload;
}

void PayloadPool::prefetch() const {
  constexpr std::size_t kSoon = 16;  // accesses that may begin in an epoch
  for (const auto& payload : payloads_) fermata::prefetch(*payload);
  const std::size_t first = idle_.size() - std::min(idle_.size(), kSoon);
  for (std::size_t i = first; i < idle_.size(); ++i) idle_[i]->access->prefetch(true);
  for (const auto& payload : payloads_) {
    if (payload->get_ref_count() != 0) payload->access->prefetch(false);
  }
}

std::vector<const WarpAccess*> PayloadPool::accesses() const {
  std::vector<const WarpAccess*> found;
  for (const auto& payload : payloads_) {
    if (payload->get_ref_count() != 0) found.push_back(payload->access);
  }
  return found;
}

// The extension is sticky: it is not reset, only overwritten by the next access.
void PayloadPool::free(tlm::tlm_generic_payload* payload) {
  idle_.push_back(static_cast<Payload*>(payload));
}

}  // namespace fermata
