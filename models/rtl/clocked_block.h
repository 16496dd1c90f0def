// A block with a clock, below TLM: a request, edges, a response. It is ticked only while it is
// busy, so idle cycles cost nothing. The model's blocks and those of RTL share this interface.
#pragma once

#include <fermata/models/rtl/waves.h>

#include <stdexcept>
#include <string>

namespace fermata::rtl {

template <class Request, class Response>
class ClockedBlock : public Traced {
 public:
  /// Returns whether the block takes a request before the next edge.
  virtual bool ready() const = 0;
  /// Offers a request, which is taken with the next edge. Precondition: ready().
  virtual void request(const Request& request) = 0;
  /// Gives the block a rising edge of its clock.
  virtual void tick() = 0;
  /// Returns the answer that the last edge brought; null if there is none.
  virtual const Response* response() const = 0;
  /// Returns whether something is under way: the block must be ticked on.
  virtual bool busy() const = 0;
};

/// Most edges until a block takes a request, and until it answers; beyond that it hangs.
inline constexpr unsigned kMostEdges = 4096;

/// Ticks the block until it has taken a request and answered it. Throws std::runtime_error if the
/// block hangs.
template <class Request, class Response>
const Response& ask(ClockedBlock<Request, Response>& block, const Request& request) {
  const auto hang = [](const char* what) {
    throw std::runtime_error(std::string("a block ") + what + " within " +
                             std::to_string(kMostEdges) + " edges");
  };
  for (unsigned edges = 0; !block.ready(); block.tick()) {
    if (++edges > kMostEdges) hang("takes no request");
  }
  block.request(request);
  block.tick();
  for (unsigned edges = 1; block.response() == nullptr; block.tick()) {
    if (++edges > kMostEdges) hang("does not answer");
  }
  return *block.response();
}

}  // namespace fermata::rtl
