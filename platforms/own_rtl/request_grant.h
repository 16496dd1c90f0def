// request_grant.sv behind the crossbar's model: its adapter, and a connector that puts it there if
// rtl.crossbar asks for a block.
#pragma once

#include <fermata/platforms/compose/connector.h>

namespace own_rtl {

/// Throws BadInput for more than 33 banks, the number that the block was built for.
std::unique_ptr<fermata::rtl::PassBlock> makeRequestGrant(std::uint32_t banks);

class RequestGrantConnector : public fermata::platforms::Connector {
 public:
  std::unique_ptr<fermata::rtl::PassBlock> passBlock(std::uint32_t banks) override {
    return makeRequestGrant(banks);
  }
};

}  // namespace own_rtl
