// The model's own blocks: what blocks of RTL are compared with, and what shows how one is written.
#pragma once

#include <fermata/models/rtl/lock_block.h>
#include <fermata/models/rtl/pass_block.h>
#include <fermata/models/rtl/scratchpad_block.h>

#include <memory>
#include <optional>

namespace fermata::rtl {

/// A block that answers each request with the next edge.
template <class Request, class Response>
class OneEdgeBlock : public ClockedBlock<Request, Response> {
 public:
  bool ready() const final { return !request_; }
  void request(const Request& request) final { request_ = request; }
  void tick() final {
    response_.reset();
    if (request_) response_ = act(*request_);
    request_.reset();
  }
  const Response* response() const final { return response_ ? &*response_ : nullptr; }
  bool busy() const final { return request_.has_value(); }

 private:
  virtual Response act(const Request& request) = 0;

  std::optional<Request> request_;
  std::optional<Response> response_;
};

/// A mapping as a block.
std::unique_ptr<MapBlock> modelMapBlock(std::shared_ptr<const indexing::Indexer> mapping);
std::unique_ptr<PassBlock> modelPassBlock();
std::unique_ptr<ScratchpadBlock> modelScratchpadBlock(std::uint32_t banks, std::uint32_t rows);
std::unique_ptr<LockBlock> modelLockBlock(std::uint32_t locks);

}  // namespace fermata::rtl
