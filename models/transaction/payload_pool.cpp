#include <fermata/models/transaction/payload_pool.h>

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
  idle_.push_back(payload.get());
  payloads_.push_back(std::move(payload));
}

tlm::tlm_generic_payload& PayloadPool::acquire() {
  if (idle_.empty()) grow();
  tlm::tlm_generic_payload* payload = idle_.back();
  idle_.pop_back();
  payload->acquire();
  return *payload;
}

std::vector<const WarpAccess*> PayloadPool::accesses() const {
  std::vector<const WarpAccess*> found;
  for (const auto& payload : payloads_) {
    if (payload->get_ref_count() != 0) found.push_back(&warpAccess(*payload));
  }
  return found;
}

// The extension is sticky: it is not reset, only overwritten by the next access.
void PayloadPool::free(tlm::tlm_generic_payload* payload) {
  idle_.push_back(payload);
}

}  // namespace fermata
