// The instructions that a kernel of PTX is run as.
#pragma once

#include <fermata/models/vocabulary/choice.h>

#include <cstdint>

namespace fermata {

/// Ptx: every instruction of the PTX file is one of the machine. Sass: an instruction costs the
/// machine instructions that ptxas makes of it for Volta and later, which may be none.
enum class MachineLevel : std::uint8_t { Ptx, Sass };

template <>
inline constexpr NamedChoice<MachineLevel> kChoices<MachineLevel>[] = {
    {MachineLevel::Ptx, "ptx"}, {MachineLevel::Sass, "sass"}};

}  // namespace fermata
