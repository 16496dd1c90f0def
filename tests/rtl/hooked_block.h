// A clocked block whose requests and answers a test can watch or change.
#pragma once

#include <fermata/models/rtl/model_blocks.h>

#include <functional>
#include <memory>
#include <utility>

namespace fermata::rtl::test {

/// Wraps a block; `asked` may change a request and `answered` an answer.
template <class Request, class Response>
class HookedBlock final : public OneEdgeBlock<Request, Response> {
 public:
  using Block = ClockedBlock<Request, Response>;

  /// Called with each request, and with the original request and its answer.
  struct Hooks {
    std::function<void(Request&)> asked = [](Request&) {};
    std::function<void(const Request&, Response&)> answered = [](const Request&, Response&) {};
  };

  HookedBlock(std::unique_ptr<Block> block, Hooks hooks)
      : block_(std::move(block)), hooks_(std::move(hooks)) {}

 private:
  Response act(const Request& request) override {
    Request passed = request;
    hooks_.asked(passed);
    Response response = ask(*block_, passed);
    hooks_.answered(request, response);
    return response;
  }

  std::unique_ptr<Block> block_;
  Hooks hooks_;
};

using HookedPass = HookedBlock<PassRequest, PassResponse>;
using HookedScratchpad = HookedBlock<ScratchpadRequest, ScratchpadResponse>;
using HookedLock = HookedBlock<LockRequest, LockResponse>;

}  // namespace fermata::rtl::test
