#include <fermata/platforms/program/shell/manual.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fermata/platforms/program/shell/command_words.h>

namespace fermata::platforms {

namespace {

/// Writes a text so that troff prints it as it is: no escapes, no requests, hyphens as typed.
std::string plain(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char letter : text) {
    if (begins && (letter == '.' || letter == '\'')) out += "\\&";
    begins = letter == '\n';
    if (letter == '\\')
      out += "\\e";
    else if (letter == '-')
      out += "\\-";
    else if (letter == '\'')
      out += "\\(aq";
    else if (letter == '`')
      out += "\\(ga";
    else if (letter == '^')
      out += "\\(ha";
    else if (letter == '~')
      out += "\\(ti";
    else
      out += letter;
  }
  return out;
}

std::string bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

/// Returns the part of the description before its first sentence ends, for the line of NAME.
std::string shortMeaning(const std::string& description) {
  const std::string line = description.substr(0, description.find_first_of("\n"));
  const std::size_t end = line.find(". ");
  std::string meaning = line.substr(0, end);
  if (!meaning.empty() && meaning.back() == '.') meaning.pop_back();
  return meaning;
}

std::string head(const std::string& name, const std::string& description,
                 const std::string& version) {
  return fmt::format(
      ".TH {0} 1 \"\" \"fermata {1}\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n{2} \\- {3}\n.SH "
      "SYNOPSIS\n",
      upper(name), version, plain(name), plain(shortMeaning(description)));
}

std::string synopsis(const std::string& words, const CLI::App& command) {
  std::string line = bold(words);
  if (!commandsOf(command).empty()) return line + " " + italic("COMMAND") + "\n";
  if (!optionsOf(command).empty()) line += " [" + italic("OPTION") + "]...";
  for (const CLI::Option* positional : positionalsOf(command)) {
    const bool several = positional->get_expected_max() > 1;
    std::string word = italic(upper(namesOf(*positional).front())) + (several ? "..." : "");
    line += positional->get_required() ? " " + word : " [" + word + "]";
  }
  return line + "\n";
}

std::string optionText(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : namesOf(option))
    names +=
        (names.empty() ? "" : ", ") + (option.get_positional() ? italic(upper(name)) : bold(name));
  const std::string placeholder = placeholderOf(option);
  if (!placeholder.empty() && !option.get_positional()) names += " " + italic(placeholder);
  std::string text = ".TP\n" + names + "\n" + plain(option.get_description());
  if (!option.get_default_str().empty())
    text += " " + plain(fmt::format("(default: {})", option.get_default_str()));
  if (text.back() != '.') text += '.';
  for (const CLI::Option* needed : option.get_needs())
    text += "\nNeeds " + bold(needed->get_name()) + ".";
  for (const CLI::Option* excluded : option.get_excludes())
    text += "\nNot with " + bold(excluded->get_name()) + ".";
  return text + "\n";
}

std::string optionsText(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* positional : positionalsOf(command)) text += optionText(*positional);
  for (const CLI::Option* option : optionsOf(command)) text += optionText(*option);
  return text;
}

/// Returns the end of a help as sections: its examples, and notes. Indented lines stay as they are.
std::string footerText(const std::string& footer) {
  std::istringstream lines(footer);
  std::string text;
  bool indented = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const bool example = line == "Examples:" || line == "Example:";
    const bool isIndented = line.front() == ' ';
    if (indented && !isIndented) text += example ? ".RE\n.fi\n" : ".RE\n.fi\n.PP\n";
    if (text.empty() && !example) text += ".SH NOTES\n";
    if (!indented && isIndented) text += ".nf\n.RS\n";
    indented = isIndented;
    text += example ? ".SH EXAMPLES\n" : plain(line) + "\n";
  }
  return text + (indented ? ".RE\n.fi\n" : "");
}

}  // namespace

std::string manualPage(const CLI::App& app, const std::string& version) {
  std::string text = head("fermata", "model of the on-chip memory path of a GPU", version);
  text += synopsis("fermata", app) + ".SH DESCRIPTION\n" + plain(app.get_description()) +
          "\n.SH COMMANDS\n";
  std::string pages;
  for (const CLI::App* command : commandsOf(app)) {
    text += ".TP\n" + bold(command->get_name()) + "\n" + plain(command->get_description()) + "\n";
    pages +=
        (pages.empty() ? "" : ",\n") + fmt::format(".BR fermata\\-{} (1)", command->get_name());
  }
  text += ".SH OPTIONS\n" + optionsText(app);
  text +=
      ".SH EXIT STATUS\n0: done. 1: something failed, or a check found something. 2: the input is "
      "refused.\n";
  text +=
      ".SH ENVIRONMENT\n.TP\n.B FERMATA_DATA\nFolder of platforms, kernels and studies, in the "
      "place of the one installed with the program.\n.TP\n.B NO_COLOR\nIf not empty, messages "
      "have no colour.\n";
  // A comma stands behind each reference but the last, as man(7) has it.
  std::string see = ".SH SEE ALSO\n";
  std::istringstream lines(pages);
  for (std::string line; std::getline(lines, line);) {
    const bool comma = line.back() == ',';
    if (comma) line.pop_back();
    see += line + (comma ? " ,\n" : "\n");
  }
  return text + see;
}

std::string commandPage(const CLI::App& command, const std::string& version) {
  const std::string name = command.get_name();
  std::string text = head("fermata-" + name, command.get_description(), version);
  const auto subcommands = commandsOf(command);
  if (subcommands.empty()) text += synopsis("fermata " + name, command);
  for (const CLI::App* each : subcommands)
    text += (each == subcommands.front() ? "" : ".br\n") +
            synopsis("fermata " + name + " " + each->get_name(), *each);
  text += ".SH DESCRIPTION\n" + plain(command.get_description()) + "\n";
  text += ".SH OPTIONS\n" + optionsText(command);
  for (const CLI::App* each : subcommands)
    text += ".SS " + plain("fermata " + name + " " + each->get_name()) + "\n" +
            plain(each->get_description()) + "\n" + optionsText(*each);
  text += footerText(command.get_footer());
  return text + ".SH SEE ALSO\n.BR fermata (1)\n";
}

}  // namespace fermata::platforms
