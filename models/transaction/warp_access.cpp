#include <fermata/models/transaction/warp_access.h>

#include <systemc>

namespace fermata {

WarpAccess& warpAccess(const tlm::tlm_generic_payload& payload) {
  WarpAccess* access = payload.get_extension<WarpAccess>();
  if (access == nullptr)
    SC_REPORT_FATAL("fermata/transaction", "payload without WarpAccess extension");
  return *access;
}

}  // namespace fermata
