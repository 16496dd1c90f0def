// The values of a launch file's parameters: the chosen ones, and defaults for the rest.
#pragma once

#include <map>
#include <string>

#include <fermata/stimuli/launch/description.h>

namespace fermata::launch {

/// Returns names for expressions: each parameter with its default, and every allowed word.
Scope defaultsOf(const std::vector<Parameter>& parameters);

/// Returns defaultsOf() with the chosen values in place. A chosen file is named from the current
/// folder; its path in texts is absolute. Throws InputError for an unknown name, a text that is not
/// an integer, or a value that is not allowed.
Scope chooseParameters(const LaunchDescription& description,
                       const std::map<std::string, std::string>& chosen);

}  // namespace fermata::launch
