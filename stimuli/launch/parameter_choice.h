// The values of a launch file's parameters: those chosen, else the defaults.
#pragma once

#include <map>
#include <string>

#include <fermata/stimuli/launch/description.h>

namespace fermata::launch {

/// Names for expressions: each parameter with its default, and every word that one may have.
Scope defaultsOf(const std::vector<Parameter>& parameters);

/// The same with the values chosen. A file that is chosen is named from the current folder, and its
/// path in texts is absolute. Throws InputError: an unknown name, a text that is not an integer, a
/// value that is not allowed.
Scope chooseParameters(const LaunchDescription& description,
                       const std::map<std::string, std::string>& chosen);

}  // namespace fermata::launch
