// Pool of generic payloads with a sticky WarpAccess. It allocates only when more transactions are
// in flight than ever before.
#pragma once

#include <cstddef>
#include <memory>
#include <tlm>
#include <vector>

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

class PayloadPool : public tlm::tlm_mm_interface {
 public:
  explicit PayloadPool(std::size_t initial = 8);
  PayloadPool(const PayloadPool&) = delete;
  PayloadPool& operator=(const PayloadPool&) = delete;

  /// Returns a payload with reference count 1. The sender must set the response status.
  tlm::tlm_generic_payload& acquire();
  /// Called by release() of the last reference.
  void free(tlm::tlm_generic_payload* payload) override;

  /// Asks the host's cache for the accesses in flight, and for those that come next.
  void prefetch() const;

  std::size_t size() const { return payloads_.size(); }
  std::size_t inFlight() const { return payloads_.size() - idle_.size(); }
  /// Returns the accesses of the payloads in flight, in no order.
  std::vector<const WarpAccess*> accesses() const;

 private:
  struct Payload : tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    WarpAccess* access = nullptr;  ///< its extension
  };

  void grow();

  std::vector<std::unique_ptr<Payload>> payloads_;
  std::vector<Payload*> idle_;
};

}  // namespace fermata
