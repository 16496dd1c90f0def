#include <fermata/platforms/exec/settings.h>

#include <fermata/stimuli/input_error.h>

#include <charconv>
#include <cstdlib>
#include <sstream>

namespace fermata::exec {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::optional<std::uint64_t> wholeNumber(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

std::uint64_t number(const char* name, std::uint64_t standard) {
  const std::string text = variable(name);
  if (text.empty()) return standard;
  const auto value = wholeNumber(text);
  if (!value || *value == 0) {
    throw InputError(std::string(name) + " is '" + text + "'; expected a whole number above 0");
  }
  return *value;
}

bool flag(const char* name) {
  const std::string text = variable(name);
  if (text.empty() || text == "0") return false;
  if (text == "1") return true;
  throw InputError(std::string(name) + " is '" + text + "'; expected 1, 0 or nothing");
}

std::vector<std::string> lines(const char* name) {
  std::vector<std::string> all;
  std::istringstream text(variable(name));
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) all.push_back(line);
  }
  return all;
}

}  // namespace

LaunchRange parseLaunches(const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto first = wholeNumber(text.substr(0, dash));
  const auto last = dash == std::string::npos ? first : wholeNumber(text.substr(dash + 1));
  if (!first || !last || *first > *last) {
    throw InputError("launches '" + text +
                     "'; expected a number or two, first-last, counted from 0: 3 or 3-7");
  }
  return {*first, *last};
}

void requireOneLaunch(const Settings& settings) {
  if (settings.timeline.empty()) return;
  if (!settings.functional && settings.timed && settings.timed->first == settings.timed->last)
    return;
  throw InputError("a timeline takes one launch; expected its number (--launches 3)");
}

Settings settingsOfEnvironment() {
  Settings settings;
  if (const std::string platform = variable("FERMATA_PLATFORM"); !platform.empty())
    settings.platform = platform;
  settings.sets = lines("FERMATA_SET");
  settings.out = variable("FERMATA_OUT");
  settings.functional = flag("FERMATA_FUNCTIONAL");
  if (const std::string range = variable("FERMATA_LAUNCHES"); !range.empty())
    settings.timed = parseLaunches(range);
  settings.record = variable("FERMATA_RECORD");
  settings.timeline = variable("FERMATA_TIMELINE");
  settings.timelineWindow = variable("FERMATA_TIMELINE_WINDOW");
  settings.prices = variable("FERMATA_POWER");
  settings.window = number("FERMATA_WINDOW", settings.window);
  settings.budget = number("FERMATA_BUDGET", settings.budget);
  settings.accesses = flag("FERMATA_ACCESSES");
  settings.checkUninitialised = flag("FERMATA_CHECK_UNINITIALISED");
  settings.allowStrayReads = flag("FERMATA_ALLOW_STRAY_READS");
  settings.timing = flag("FERMATA_TIMING");
  settings.table = flag("FERMATA_TABLE");
  settings.spool = variable("FERMATA_SPOOL");
  return settings;
}

}  // namespace fermata::exec
