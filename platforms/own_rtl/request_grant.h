// request_grant.sv behind the crossbar's model: its adapter, and who puts it there where
// rtl.crossbar asks for a block.
#pragma once

#include <fermata/platforms/compose/connector.h>

namespace own_rtl {

/// Throws BadInput for more than 33 banks, for which it was built.
std::unique_ptr<fermata::rtl::PassBlock> makeRequestGrant(std::uint32_t banks);

class RequestGrantConnector : public fermata::platforms::Connector {
 public:
  std::unique_ptr<fermata::rtl::PassBlock> passBlock(std::uint32_t banks) override {
    return makeRequestGrant(banks);
  }
};

}  // namespace own_rtl
