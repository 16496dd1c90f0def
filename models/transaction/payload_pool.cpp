#include <fermata/models/transaction/payload_pool.h>

#include <algorithm>
#include <memory>

namespace fermata {

struct PayloadPool::Payload : tlm::tlm_generic_payload {
  /// The extension, which is a part of the payload.
  struct Access : WarpAccess {
    void free() override {}
  };

  Payload() {
    access.payload = this;
    set_extension<WarpAccess>(&access);
    set_streaming_width(1);
    set_data_length(1);
  }
  ~Payload() override { clear_extension<WarpAccess>(); }

  std::size_t place = 0;  ///< index in `inFlight_` of its pool
  Access access;
};

/// The idle payloads of a thread. A payload may be freed on another thread than the one that
/// acquired it, so their number is limited.
class PayloadPool::Idle {
 public:
  ~Idle() {
    ofThread_ = nullptr;
    ended_ = true;
  }

  static Payload* take() {
    Idle* const idle = ofThread();
    if (idle == nullptr || idle->payloads_.empty()) return new Payload;
    Payload* const payload = idle->payloads_.back().release();
    idle->payloads_.pop_back();
    return payload;
  }
  static void keep(Payload* payload) {
    constexpr std::size_t kMost = 1024;
    std::unique_ptr<Payload> kept(payload);
    Idle* const idle = ofThread();
    if (idle != nullptr && idle->payloads_.size() < kMost)
      idle->payloads_.push_back(std::move(kept));
  }

 private:
  /// Returns the payloads of this thread; null: the thread ends, and keeps none. A program may
  /// still launch then.
  static Idle* ofThread() { return ofThread_ != nullptr ? ofThread_ : makeForThread(); }
  [[gnu::noinline]] static Idle* makeForThread() {
    if (ended_) return nullptr;
    static thread_local Idle own;
    return ofThread_ = &own;
  }

  static thread_local Idle* ofThread_;  ///< asked for each access: nothing needs to be constructed
  static thread_local bool ended_;
  std::vector<std::unique_ptr<Payload>> payloads_;
};
thread_local PayloadPool::Idle* PayloadPool::Idle::ofThread_ = nullptr;
thread_local bool PayloadPool::Idle::ended_ = false;

PayloadPool::~PayloadPool() {
  for (Payload* const payload : inFlight_) delete payload;
}

tlm::tlm_generic_payload& PayloadPool::acquire() {
  Payload* const payload = Idle::take();
  payload->place = inFlight_.size();
  inFlight_.push_back(payload);
  payload->set_mm(this);
  payload->acquire();
  return *payload;
}

std::vector<const WarpAccess*> PayloadPool::accesses() const {
  std::vector<const WarpAccess*> found;
  for (const Payload* const payload : inFlight_) found.push_back(&payload->access);
  return found;
}

// The extension is sticky: it is not reset, only overwritten by the next access.
void PayloadPool::free(tlm::tlm_generic_payload* freed) {
  auto* const payload = static_cast<Payload*>(freed);
  inFlight_.back()->place = payload->place;
  inFlight_[payload->place] = inFlight_.back();
  inFlight_.pop_back();
  Idle::keep(payload);
}

}  // namespace fermata
