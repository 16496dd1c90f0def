// Choices by name. Each typed choice of a parameter has one table of its names; reading, printing
// and refusing follow from the table. Plain C++.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

template <class T>
struct NamedChoice {
  T value;
  const char* name;
};

/// Table of a choice type. Specialise it beside the type, with `static const
/// std::vector<NamedChoice<T>>& table()`.
template <class T>
struct ChoiceTable;

/// Returns the name of a value; "custom" if the table does not have it.
template <class T>
const char* choiceName(const T& value) {
  for (const NamedChoice<T>& choice : ChoiceTable<T>::table()) {
    if (choice.value == value) return choice.name;
  }
  return "custom";
}

/// Sets `target` to the value called `name`. Returns false if there is none.
template <class T>
bool choose(T& target, std::string_view name) {
  const auto& table = ChoiceTable<T>::table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const NamedChoice<T>& choice) {
    return choice.name == name;
  });
  if (found == table.end()) return false;
  target = found->value;
  return true;
}

/// Returns the names, separated by '|'.
template <class T>
std::string choiceNames() {
  std::string names;
  for (const NamedChoice<T>& choice : ChoiceTable<T>::table())
    names += (names.empty() ? "" : "|") + std::string(choice.name);
  return names;
}

}  // namespace fermata
