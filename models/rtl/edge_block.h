// Handshake of a block that takes a request before an edge and answers behind that edge or a later
// one.
#pragma once

#include <fermata/models/rtl/clocked_block.h>

namespace fermata::rtl {

template <class Request, class Response>
class EdgeBlock : public ClockedBlock<Request, Response> {
 public:
  bool ready() const final { return !pending_; }
  void request(const Request& request) final {
    drive(request);
    pending_ = true;
  }
  void tick() final {
    answered_ = edge(response_);
    pending_ = false;
  }
  const Response* response() const final { return answered_ ? &response_ : nullptr; }
  bool busy() const final { return pending_; }

 private:
  /// Sets the inputs.
  virtual void drive(const Request& request) = 0;
  /// Gives a rising edge. Returns whether it brought a response.
  virtual bool edge(Response& response) = 0;

  Response response_{};
  bool pending_ = false;
  bool answered_ = false;
};

}  // namespace fermata::rtl
