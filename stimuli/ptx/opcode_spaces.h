// Spaces within opcodes, which PTX allows.
#pragma once

#include <string>

namespace fermata::ptx {

/// Moves spaces before a modifier behind the opcode; nothing else moves:
///
///     lop3 .b32 %r1, ...      lop3.b32  %r1, ...
void closeOpcodes(std::string& text);

}  // namespace fermata::ptx
