// Implementation of a module: the model, a block of RTL in its place, or both.
#pragma once

#include <fermata/models/vocabulary/choice.h>

#include <cstdint>

namespace fermata::rtl {

enum class Implementation : std::uint8_t {
  Model,
  Rtl,
  Lockstep  ///< both; the first difference ends the run
};

}  // namespace fermata::rtl

namespace fermata {

template <>
inline constexpr NamedChoice<rtl::Implementation> kChoices<rtl::Implementation>[] = {
    {rtl::Implementation::Model, "model"},
    {rtl::Implementation::Rtl, "rtl"},
    {rtl::Implementation::Lockstep, "lockstep"}};

}  // namespace fermata
