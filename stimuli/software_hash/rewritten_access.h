// The instructions that stand in the place of one shared access.
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
  std::vector<std::string> data;  ///< elements of a load or store, as written
};

/// Gives the hashed address, without brackets, of the access's address plus some bytes; appends
/// what computes it, where that is not done elsewhere.
using AddressSource = std::function<std::string(std::int64_t, std::vector<std::string>&)>;

/// An access of several bank words of `wordBytes`, or of 64-bit elements on words of 4, as accesses
/// of a word each: neighbours go to different banks. All addresses are computed before the first
/// access, since a load may overwrite its own base. Throws InputError for a 64-bit element that is
/// neither register nor constant.
std::vector<std::string> splitAccess(const ptx::Ast& ast, const ptx::Statement& statement,
                                     const SharedAccess& access, const AccessText& text,
                                     const AddressSource& address, AddressEmitter& emitter,
                                     unsigned wordBytes);

}  // namespace fermata::software_hash
