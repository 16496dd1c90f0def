// Hooks that Verilator's library calls when RTL prints, and when it ends the simulation.
#include <verilated.h>

#include <fermata/models/rtl/ended.h>

#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>

namespace fermata::rtl::verilated {
namespace {

/// The last text that RTL printed: the message of an assertion comes before its end.
thread_local std::string lastPrinted;

/// `how`: message if RTL has printed nothing about the place.
[[noreturn]] void end(const std::string& file, int line, const std::string& how) {
  const std::string number = ":" + std::to_string(line) + ": ";
  const std::string place = file.substr(file.rfind('/') + 1) + number;  // as RTL prints it
  const std::string printed = std::exchange(lastPrinted, "");
  const std::size_t at = printed.rfind(place);
  if (at == std::string::npos) throw RtlEnded(file + number + how);
  const std::size_t begin = at + place.size();
  throw RtlEnded(file + number + printed.substr(begin, printed.find_last_not_of('\n') + 1 - begin));
}

}  // namespace

int print(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  lastPrinted.assign(static_cast<std::size_t>(length), '\0');
  std::vsnprintf(lastPrinted.data(), lastPrinted.size() + 1, format, again);
  va_end(again);
  std::fputs(lastPrinted.c_str(), stderr);
  return length;
}

}  // namespace fermata::rtl::verilated

// By default Verilator would only remember $finish, and the program would go on or end with 0; the
// other hooks would abort it.
void vl_finish(const char* file, int line, const char*) {
  fermata::rtl::verilated::end(file, line, "$finish");
}

void vl_stop(const char* file, int line, const char*) {
  fermata::rtl::verilated::end(file, line, "$stop");
}

void vl_fatal(const char* file, int line, const char*, const char* message) {
  fermata::rtl::verilated::end(file, line, message);
}
