// Builds the instructions that replace one shared access.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/software_hash/address_emitter.h>
#include <fermata/stimuli/software_hash/shared_access.h>

namespace fermata::software_hash {

/// The text of an access, in pieces.
struct AccessText {
  std::string guard;              ///< "@%p1 " or nothing
  std::vector<std::string> data;  ///< elements of a load or store, copied from the text
};

/// Returns the hashed address, without brackets, of the access's address plus some bytes. Appends
/// the instructions that compute it, unless they stand elsewhere.
using AddressSource = std::function<std::string(std::int64_t, std::vector<std::string>&)>;

/// Splits an access of several bank words of `wordBytes`, or of 64-bit elements on words of 4, into
/// accesses of one word each: neighbours go to different banks. All addresses are computed before
/// the first access, since a load may overwrite its own base. Throws InputError for a 64-bit
/// element that is neither register nor constant.
std::vector<std::string> splitAccess(const ptx::Ast& ast, const ptx::Statement& statement,
                                     const SharedAccess& access, const AccessText& text,
                                     const AddressSource& address, AddressEmitter& emitter,
                                     unsigned wordBytes);

}  // namespace fermata::software_hash
