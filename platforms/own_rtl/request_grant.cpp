#include <VRequestGrant.h>

#include <fermata/models/rtl/verilated/simulation.h>
#include <fermata/models/vocabulary/error.h>
#include "request_grant.h"

namespace own_rtl {

using fermata::kWarpLanes;
using fermata::LaneMask;
using namespace fermata::rtl;

namespace {

constexpr unsigned kBanks = 33;
constexpr unsigned kBankBits = 6;
constexpr unsigned kRowBits = 10;

/// One pass per edge. A platform's bank delivers a word to all lanes that ask for it, but this
/// crossbar grants a bank to one lane. So only the lowest lane of each word asks, and its grant
/// serves all of them.
class RequestGrant final : public EdgeBlock<PassRequest, PassResponse> {
 public:
  RequestGrant() {
    clock(0);  // reset, active low
    clock(1);
    block_->rst_ni = 1;
  }
  bool trace(Waves& waves, const std::string& name) override { return block_.trace(waves, name); }

 private:
  void drive(const PassRequest& request) override {
    request_ = request;
    LaneMask asks = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((request.valid >> lane & 1) == 0) continue;
      lowest_[lane] = lane;
      for (LaneMask m = asks; m != 0; m &= m - 1) {
        const auto other = static_cast<unsigned>(__builtin_ctz(m));
        if (request.bank[other] == request.bank[lane] && request.row[other] == request.row[lane])
          lowest_[lane] = other;
      }
      asks |= LaneMask{1} << lowest_[lane];
    }
    block_->req_i = asks;
    verilated::packIn(request.bank, kBankBits, block_->bank_i);
    verilated::packIn(request.row, kRowBits, block_->add_i);
  }

  bool edge(PassResponse& response) override {
    clock(0);
    response.leaders = block_->gnt_o;
    clock(1);
    block_->req_i = 0;
    response.served = 0;
    for (LaneMask m = request_.valid; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      response.served |= (response.leaders >> lowest_[lane] & 1) << lane;
    }
    response.left = request_.valid & ~response.served;
    return busy();
  }

  void clock(unsigned level) {
    block_->clk_i = level & 1;
    block_.eval();
  }

  verilated::Simulation<VRequestGrant> block_;
  PassRequest request_;
  std::array<unsigned, kWarpLanes> lowest_{};
};

}  // namespace

std::unique_ptr<PassBlock> makeRequestGrant(std::uint32_t banks) {
  if (banks > kBanks) {
    throw fermata::BadInput("the request/grant crossbar was built for " + std::to_string(kBanks) +
                            " banks, the mapping has " + std::to_string(banks) +
                            "; expected as many or fewer");
  }
  return std::make_unique<RequestGrant>();
}

}  // namespace own_rtl
