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
struct ChoiceTable<rtl::Implementation> {
  static const std::vector<NamedChoice<rtl::Implementation>>& table() {
    using rtl::Implementation;
    static const std::vector<NamedChoice<Implementation>> choices{
        {Implementation::Model, "model"},
        {Implementation::Rtl, "rtl"},
        {Implementation::Lockstep, "lockstep"}};
    return choices;
  }
};

}  // namespace fermata
