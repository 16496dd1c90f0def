// Messages on standard error as JSON, one object per line, for tools.
#pragma once

#include <cstdint>
#include <memory>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

/// One message. `kind` says what it is about:
///   compile   the compiler refuses the source
///   launch    the kernel or its launch is at fault
///   platform  the platform file or --set
///   input     any other input
///   usage     the command line
///   check     a buffer differs from its reference
///   failure   the model or the machine
///   warning, note
struct Diagnostic {
  std::string kind;
  SourceLocation where;
  std::string message;
  std::string expected;  ///< what would be right; empty: the message does not say
  std::vector<std::pair<std::string, std::string>> texts;     ///< more members: kernel, address
  std::vector<std::pair<std::string, std::int64_t>> numbers;  ///< more members: lane, warp
};

/// Parses "file:line:column: message; expected what".
Diagnostic diagnosticOf(const std::string& text, const std::string& kind);
/// Parses the messages of clang, in their order: file:line:column: kind: message.
std::vector<Diagnostic> compilerDiagnostics(const std::string& said);
/// Returns the object of a line, without the end of the line.
std::string jsonOf(const Diagnostic& diagnostic);
/// Returns the message of such a line. Throws if it is none.
Diagnostic diagnosticOfJson(const std::string& line);

/// Returns whether messages are JSON: by --diagnostics json, or FERMATA_DIAGNOSTICS=json.
bool diagnosticsAreJson();
/// Chooses the form, also for programs that this one starts. Throws InputError unless `form` is
/// "json" or "text".
void chooseDiagnostics(const std::string& form);
/// Takes --diagnostics FORM out of the words of a command line, up to "--".
void takeDiagnostics(std::vector<std::string>& words);

/// Prints "fermata: error: TEXT", or a Diagnostic of `kind`, on standard error.
void printError(const std::string& text, const std::string& kind);

/// Turns each line on standard error into a Diagnostic, while it lives.
class JsonStandardError {
 public:
  JsonStandardError();
  ~JsonStandardError();
  JsonStandardError(const JsonStandardError&) = delete;
  JsonStandardError& operator=(const JsonStandardError&) = delete;

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
  std::streambuf* before_ = nullptr;
};

/// Prints a line past JsonStandardError.
void printDiagnostic(const Diagnostic& diagnostic);

}  // namespace fermata::platforms
