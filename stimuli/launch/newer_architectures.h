// Architectures that clang-16 does not know. It compiles their code for sm_90, with the macros of
// the one asked for, and its PTX then names that one. Instructions that sm_90 lacks come from
// inline PTX, which the compiler passes on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fermata::launch {

/// Returns all of them: "sm_90a", "sm_100", "sm_100a" ...
std::vector<std::string> newerArchitectures();
/// Returns the architecture for which clang-16 compiles: "sm_90" for "sm_100a", "sm_80" for itself.
std::string compiledArchitecture(const std::string& arch);
/// Returns the options by which device code sees its architecture; none for one that clang-16
/// knows.
std::vector<std::string> architectureMacros(const std::string& arch);
/// Returns the PTX of clang-16 with the version and target of the architecture.
std::string withTarget(const std::string& ptx, const std::string& arch);
/// Returns the platform of code for an architecture: "sm_100" for "sm_100a".
std::string platformOfArchitecture(const std::string& arch);

}  // namespace fermata::launch
