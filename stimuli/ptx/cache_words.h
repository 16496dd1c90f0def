// Tells by its opcode whether an instruction of PTX uses the L1, and whether a copy is a multicast.
#pragma once

#include <string_view>

namespace fermata::ptx {

/// Returns whether a load, or a copy by cp.async, gets its data behind the L1, and leaves none
/// there: by its cache operator (.cg, .cv), or since it is to see what other SMs store (.volatile,
/// .mmio, .relaxed and .acquire of a scope wider than the CTA). PTX ISA 8.7, "Cache Operators" and
/// "Memory Consistency Model"; such loads are LDG.STRONG in machine code, which passes the L1.
bool passesL1(std::string_view opcode);
/// Returns whether a copy by the engine for bulk copies may go to several CTAs of the cluster.
bool multicasts(std::string_view opcode);

}  // namespace fermata::ptx
