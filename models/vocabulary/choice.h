// Choices by name. Each typed choice of a parameter has one table of its names; reading, printing
// and refusing follow from the table. Plain C++.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata {

template <class T>
struct NamedChoice {
  T value;
  const char* name;
};

/// Table of a choice type. Specialise it beside the type:
///
///   template <>
///   inline constexpr NamedChoice<Order> kChoices<Order>[]{{Order::Rising, "rising"}, ...};
template <class T>
inline constexpr std::nullptr_t kChoices = nullptr;

/// Returns the name of a value; "custom" if the table does not have it.
template <class T>
const char* choiceName(const T& value) {
  for (const NamedChoice<T>& choice : kChoices<T>) {
    if (choice.value == value) return choice.name;
  }
  return "custom";
}

/// Sets `target` to the value called `name`. Returns false if there is none.
template <class T>
bool choose(T& target, std::string_view name) {
  for (const NamedChoice<T>& choice : kChoices<T>) {
    if (choice.name == name) return target = choice.value, true;
  }
  return false;
}

/// Returns the names, separated by '|'.
template <class T>
std::string choiceNames() {
  std::string names;
  for (const NamedChoice<T>& choice : kChoices<T>)
    names += (names.empty() ? "" : "|") + std::string(choice.name);
  return names;
}

}  // namespace fermata
