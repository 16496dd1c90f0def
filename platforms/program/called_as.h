// The program's name, as its user typed it: hints can then be typed again.
#pragma once

#include <string>

namespace fermata::platforms {

/// Sets the name: argv[0]. Until then it is "fermata".
void setCalledAs(const std::string& name);
const std::string& calledAs();

/// Returns a text whose commands, quoted or the first words of an indented line, begin with
/// calledAs():
///   expected 'fermata sweep merge'  ->  expected './fermata sweep merge'
std::string asCalled(std::string text);

}  // namespace fermata::platforms
