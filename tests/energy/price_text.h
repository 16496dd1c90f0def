// Texts of price tables.
#pragma once

#include "tests/support/test.h"

namespace fermata::test {

/// Keys of a [[price]] and their values; an empty value leaves the key out.
using PriceKeys = std::vector<std::pair<std::string, std::string>>;

/// Returns a [[price]] with one key per line; the component is in the second. `changes` replace
/// keys, leave keys out, or follow the others, from line 12 on.
inline std::string price(const PriceKeys& changes = {}) {
  PriceKeys keys{{"component", "'issue'"},
                 {"action", "'instruction'"},
                 {"low", "1"},
                 {"nominal", "2"},
                 {"high", "4"},
                 {"unit", "'pJ'"},
                 {"node", "40"},
                 {"voltage", "0.9"},
                 {"temperature", "350"},
                 {"source", "'here'"}};
  for (const auto& [key, value] : changes) {
    const auto same = std::find_if(keys.begin(), keys.end(),
                                   [&, name = key](const auto& one) { return one.first == name; });
    if (same == keys.end()) {
      keys.emplace_back(key, value);
    } else {
      same->second = value;
    }
  }
  std::string text = "[[price]]\n";
  for (const auto& [key, value] : keys) {
    if (!value.empty()) text += key + " = " + value + "\n";
  }
  return text;
}

/// Returns a price of "component.action"; `amounts`: low, nominal, high.
inline std::string price(const std::string& name, const std::array<std::string, 3>& amounts,
                         const std::string& unit, const PriceKeys& more = {}) {
  const std::size_t dot = name.find('.');
  PriceKeys changes{{"component", "'" + name.substr(0, dot) + "'"},
                    {"action", "'" + name.substr(dot + 1) + "'"},
                    {"low", amounts[0]},
                    {"nominal", amounts[1]},
                    {"high", amounts[2]},
                    {"unit", "'" + unit + "'"}};
  changes.insert(changes.end(), more.begin(), more.end());
  return price(changes);
}

inline const std::string kScaling = "[scaling]\naccess = 0.5\nsource = 'law'\n";

}  // namespace fermata::test
