// The model's own blocks: the reference for blocks of RTL, and examples of how to write one.
#pragma once

#include <fermata/models/rtl/edge_block.h>
#include <fermata/models/rtl/lock_block.h>
#include <fermata/models/rtl/pass_block.h>
#include <fermata/models/rtl/scratchpad_block.h>

#include <memory>

namespace fermata::rtl {

/// A block of C++ that answers each request with the next edge.
template <class Request, class Response>
class OneEdgeBlock : public EdgeBlock<Request, Response> {
 private:
  virtual Response act(const Request& request) = 0;

  void drive(const Request& request) final { request_ = request; }
  bool edge(Response& response) final {
    if (!this->busy()) return false;
    response = act(request_);
    return true;
  }

  Request request_{};
};

/// Returns a mapping as a block.
std::unique_ptr<MapBlock> modelMapBlock(std::shared_ptr<const indexing::Indexer> mapping);
std::unique_ptr<PassBlock> modelPassBlock();
std::unique_ptr<ScratchpadBlock> modelScratchpadBlock(std::uint32_t banks, std::uint32_t rows);
std::unique_ptr<LockBlock> modelLockBlock(std::uint32_t locks);

}  // namespace fermata::rtl
