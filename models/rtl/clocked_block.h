// A block with a clock, below TLM: a request, edges, a response. It is ticked only while it is
// busy, so it costs nothing in the cycles between. The model's block and one of RTL are both one.
#pragma once

namespace fermata::rtl {

template <class Request, class Response>
class ClockedBlock {
 public:
  virtual ~ClockedBlock() = default;

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

}  // namespace fermata::rtl
