// Finds the instructions of a kernel that access shared memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::software_hash {

/// An ld, st, atom or red on shared memory.
struct SharedAccess {
  enum class Kind { Load, Store, Atomic };
  Kind kind = Kind::Load;
  ptx::Type type = ptx::Type::B32;  ///< type of an element
  unsigned elements = 1;
  std::vector<std::string> parts;  ///< the opcode, cut at its dots
  std::size_t addressOperand = 0;
  std::size_t dataOperand = 0;  ///< index of the data operand of a load or a store

  unsigned bytes() const { return ptx::bytesOf(type) * elements; }
};

/// Returns the access, or nothing if the statement does not access shared memory by a .shared
/// opcode. Throws InputError for an access that cannot be hashed: an atomic on more than one bank
/// word of `wordBytes`.
std::optional<SharedAccess> sharedAccess(const ptx::Ast& ast, const ptx::Statement& statement,
                                         unsigned wordBytes);

/// Throws InputError if a generic access of the file might reach shared memory: the file makes a
/// generic address of shared memory somewhere (cvta.shared), or the access names a shared variable.
/// Also throws for an access to shared memory by ldmatrix, stmatrix or wmma.
void refuseGenericAccesses(const ptx::Ast& ast);

}  // namespace fermata::software_hash
