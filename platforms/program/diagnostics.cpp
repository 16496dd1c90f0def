#include <fermata/platforms/program/diagnostics.h>

#include <fermata/platforms/program/error_text.h>
#include <fermata/stimuli/refuse.h>

#include <unistd.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>

namespace fermata::platforms {

namespace {

constexpr const char* kVariable = "FERMATA_DIAGNOSTICS";
constexpr std::string_view kError = "fermata: error: ";
constexpr std::string_view kWarning = "fermata: warning: ";

/// Writes whole lines to standard error: a write of one line is not mixed with another process's.
void writeLine(const std::string& line) {
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool take(std::string_view& text, std::string_view start) {
  if (!startsWith(text, start)) return false;
  text.remove_prefix(start.size());
  return true;
}

/// Takes a number and the colon behind it.
bool takeNumber(std::string_view& text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || !startsWith(text.substr(digits), ":")) return false;
  text.remove_prefix(digits + 1);
  return true;
}

/// Takes "FILE:LINE: " or "FILE:LINE:COLUMN: ".
std::optional<SourceLocation> takePlace(std::string_view& text) {
  for (std::size_t end = text.find(':'); end != text.npos; end = text.find(':', end + 1)) {
    std::string_view rest = text.substr(end + 1);
    SourceLocation where;
    if (end == 0 || !takeNumber(rest, where.line)) continue;
    takeNumber(rest, where.column);
    if (!take(rest, " ")) continue;
    where.file = text.substr(0, end);
    text = rest;
    return where;
  }
  return std::nullopt;
}

/// Returns whether a name has an extension and no blank, so that no word before a colon is taken
/// for a file.
bool namesFile(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return name.find_first_of(" \t") == name.npos && dot != name.npos && dot != 0 &&
         std::isalnum(static_cast<unsigned char>(name.back())) != 0;
}

/// Takes the word of a compiler's message for its kind, and returns ours.
std::optional<std::string> takeKind(std::string_view& text) {
  for (const auto& [word, kind] :
       {std::pair("fatal error: ", "compile"), std::pair("error: ", "compile"),
        std::pair("warning: ", "warning"), std::pair("note: ", "note"),
        std::pair("remark: ", "note")})
    if (take(text, word)) return kind;
  return std::nullopt;
}

/// Returns one message of clang or of its linker.
std::optional<Diagnostic> compilerDiagnostic(std::string_view text) {
  Diagnostic diagnostic;
  if (const auto place = takePlace(text)) {
    diagnostic.where = *place;
  } else {
    const std::size_t end = text.find(": ");
    const std::string_view program = text.substr(0, end);
    if (end != text.npos && (program.find("clang") != program.npos || startsWith(program, "ld")))
      text.remove_prefix(end + 2);
  }
  const auto kind = takeKind(text);
  if (!kind) return std::nullopt;
  diagnostic.kind = *kind;
  diagnostic.message = text;
  return diagnostic;
}

}  // namespace

Diagnostic diagnosticOf(const std::string& text, const std::string& kind) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  std::string_view rest = text;
  if (const auto place = takePlace(rest); place && namesFile(place->file)) {
    diagnostic.where = *place;
  } else {
    rest = text;
  }
  constexpr std::string_view expected = "; expected ";
  const std::size_t at = rest.find(expected);
  diagnostic.message = rest.substr(0, at);
  if (at != rest.npos) diagnostic.expected = rest.substr(at + expected.size());
  return diagnostic;
}

std::vector<Diagnostic> compilerDiagnostics(const std::string& said) {
  std::vector<Diagnostic> all;
  std::istringstream lines(said);
  for (std::string text; std::getline(lines, text);)
    if (auto one = compilerDiagnostic(text)) all.push_back(std::move(*one));
  return all;
}

std::string jsonOf(const Diagnostic& diagnostic) {
  nlohmann::ordered_json object;
  const auto number = [](std::size_t value) {
    return value == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  };
  const auto text = [](const std::string& value) {
    return value.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  };
  object["kind"] = diagnostic.kind;
  object["file"] = text(diagnostic.where.file);
  object["line"] = number(diagnostic.where.line);
  object["column"] = number(diagnostic.where.column);
  object["message"] = readable(diagnostic.message);
  object["expected"] = text(readable(diagnostic.expected));
  for (const auto& [name, value] : diagnostic.texts) object[name] = value;
  for (const auto& [name, value] : diagnostic.numbers) object[name] = value;
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Diagnostic diagnosticOfJson(const std::string& line) {
  const nlohmann::ordered_json object = nlohmann::ordered_json::parse(line);
  Diagnostic diagnostic;
  for (const auto& [name, value] : object.items()) {
    if (name == "kind")
      diagnostic.kind = value;
    else if (name == "message")
      diagnostic.message = value;
    else if (name == "file")
      diagnostic.where.file = value.is_null() ? "" : value.get<std::string>();
    else if (name == "line")
      diagnostic.where.line = value.is_null() ? 0 : value.get<std::size_t>();
    else if (name == "column")
      diagnostic.where.column = value.is_null() ? 0 : value.get<std::size_t>();
    else if (name == "expected")
      diagnostic.expected = value.is_null() ? "" : value.get<std::string>();
    else if (value.is_string())
      diagnostic.texts.emplace_back(name, value);
    else
      diagnostic.numbers.emplace_back(name, value);
  }
  return diagnostic;
}

bool diagnosticsAreJson() {
  const char* const form = std::getenv(kVariable);
  return form != nullptr && std::string_view(form) == "json";
}

void chooseDiagnostics(const std::string& form) {
  if (form != "json" && form != "text") refuse("--diagnostics '{}'; expected json or text", form);
  ::setenv(kVariable, form.c_str(), 1);
}

void takeDiagnostics(std::vector<std::string>& words) {
  const std::string option = "--diagnostics";
  for (std::size_t i = 0; i < words.size() && words[i] != "--";) {
    std::size_t taken = 0;
    std::string form;
    if (words[i] == option) {
      taken = i + 1 < words.size() ? 2 : 1;
      if (taken == 2) form = words[i + 1];
    } else if (startsWith(words[i], option + "=")) {
      taken = 1;
      form = words[i].substr(option.size() + 1);
    }
    if (taken == 0) {
      ++i;
      continue;
    }
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
    words.erase(at, at + static_cast<std::ptrdiff_t>(taken));
    chooseDiagnostics(form);
  }
}

void printDiagnostic(const Diagnostic& diagnostic) {
  writeLine(jsonOf(diagnostic) + '\n');
}

void printError(const std::string& text, const std::string& kind) {
  if (diagnosticsAreJson()) {
    printDiagnostic(diagnosticOf(text, kind));
  } else {
    std::cerr << "fermata: " << inked("error:", Ink::Error, STDERR_FILENO) << ' ' << text << '\n';
  }
}

/// Collects characters until a line is whole. What a carriage return ends is progress on a
/// terminal, and dropped.
class JsonStandardError::Lines : public std::streambuf {
 public:
  void end() {
    if (!line_.empty()) put();
  }

 protected:
  int_type overflow(int_type c) override {
    if (c == traits_type::eof()) return 0;
    if (c == '\r') {
      line_.clear();
    } else if (c == '\n') {
      put();
    } else {
      line_ += traits_type::to_char_type(c);
    }
    return c;
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    for (std::streamsize i = 0; i < count; ++i) overflow(traits_type::to_int_type(text[i]));
    return count;
  }

 private:
  void put() {
    std::string text = std::exchange(line_, {});
    std::string kind = "note";
    if (startsWith(text, kError)) {
      kind = "failure";
      text.erase(0, kError.size());
    } else if (startsWith(text, kWarning)) {
      kind = "warning";
      text.erase(0, kWarning.size());
    }
    if (!text.empty()) printDiagnostic(diagnosticOf(text, kind));
  }

  std::string line_;
};

JsonStandardError::JsonStandardError() {
  if (!diagnosticsAreJson()) return;
  lines_ = std::make_unique<Lines>();
  before_ = std::cerr.rdbuf(lines_.get());
}

JsonStandardError::~JsonStandardError() {
  if (lines_ == nullptr) return;
  lines_->end();
  std::cerr.rdbuf(before_);
}

}  // namespace fermata::platforms
