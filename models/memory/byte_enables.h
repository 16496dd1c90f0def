// The byte enables of a plain payload (IEEE 1666-2011, 14.14).
#pragma once

#include <tlm>

namespace fermata {

/// True if the payload enables its byte `i`.
inline bool isEnabled(const tlm::tlm_generic_payload& payload, unsigned i) {
  const unsigned char* enable = payload.get_byte_enable_ptr();
  const unsigned length = payload.get_byte_enable_length();
  return enable == nullptr || enable[length == 0 ? i : i % length] == TLM_BYTE_ENABLED;
}

/// Calls visit(i) for each byte of the payload that it enables.
template <class Visit>
void forEachEnabled(const tlm::tlm_generic_payload& payload, Visit visit) {
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    if (isEnabled(payload, i)) visit(i);
  }
}

}  // namespace fermata
