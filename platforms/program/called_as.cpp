#include <fermata/platforms/program/called_as.h>

namespace fermata::platforms {

namespace {

std::string& nameOfProgram() {
  static std::string name = "fermata";
  return name;
}

}  // namespace

void setCalledAs(const std::string& name) {
  if (!name.empty()) nameOfProgram() = name;
}

const std::string& calledAs() {
  return nameOfProgram();
}

std::string asCalled(std::string text) {
  const std::string& name = calledAs();
  if (name == "fermata") return text;
  for (const std::string begin : {"'fermata ", "\n  fermata "}) {
    const std::size_t word = begin.find("fermata");
    for (std::size_t at = text.find(begin); at != std::string::npos;
         at = text.find(begin, at + name.size()))
      text.replace(at + word, 7, name);
  }
  return text;
}

}  // namespace fermata::platforms
