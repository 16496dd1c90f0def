// Pool of generic payloads with a sticky WarpAccess. Idle payloads belong to the thread: the one
// that was freed last is taken first, by whichever pool. The multiprocessors of a chip, which run
// one after another, so use a few payloads that stay in the host's cache.
#pragma once

#include <cstddef>
#include <tlm>
#include <vector>

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

class PayloadPool : public tlm::tlm_mm_interface {
 public:
  PayloadPool() = default;
  PayloadPool(const PayloadPool&) = delete;
  PayloadPool& operator=(const PayloadPool&) = delete;
  ~PayloadPool() override;

  /// Returns a payload with reference count 1. The sender must set the response status.
  tlm::tlm_generic_payload& acquire();
  /// Called by release() of the last reference, on any thread.
  void free(tlm::tlm_generic_payload* payload) override;

  std::size_t inFlight() const { return inFlight_.size(); }
  /// Returns the accesses of the payloads in flight, in no order.
  std::vector<const WarpAccess*> accesses() const;

 private:
  struct Payload;
  class Idle;

  std::vector<Payload*> inFlight_;
};

}  // namespace fermata
