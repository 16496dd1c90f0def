// A block with a clock, below TLM: a request, edges, a response. It is ticked only while it is
// busy, so it costs nothing in the cycles between. The model's block and one of RTL are both one.
#pragma once

#include <fermata/models/rtl/waves.h>

#include <stdexcept>
#include <string>

namespace fermata::rtl {

template <class Request, class Response>
class ClockedBlock : public Traced {
 public:
  /// It takes a request before the next edge.
  virtual bool ready() const = 0;
  /// Precondition: ready(). It is taken with the next edge.
  virtual void request(const Request& request) = 0;
  /// A rising edge of its clock.
  virtual void tick() = 0;
  /// The answer that the last edge brought; null: none.
  virtual const Response* response() const = 0;
  /// Something is under way: it must be ticked on.
  virtual bool busy() const = 0;
};

/// Edges that a block may take to a request, and to its answer: more, and it hangs.
inline constexpr unsigned kMostEdges = 4096;

/// Ticks the block until it has taken a request and answered it. Throws std::runtime_error where it
/// never does.
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
