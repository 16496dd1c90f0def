// A timeline as signals, for waveform viewers: one scope per group and per track. Slices show
// whether there is one, its name and its number; instants show how many there have been; counts and
// measures show their value. Within a cycle the last value counts.
#pragma once

#include <fermata/results/timeline/event.h>

#include <memory>
#include <optional>
#include <string>

namespace fermata::results::timeline {

/// A file of signals. Scopes and signals come first, then begin(), then the new values of each
/// cycle that has some.
class SignalFile {
 public:
  /// Number of a signal in the file.
  using Signal = std::uint32_t;

  virtual ~SignalFile() = default;
  virtual void openScope(const std::string& name) = 0;
  virtual void closeScope() = 0;
  virtual Signal addWire(const std::string& name, unsigned bits) = 0;
  virtual Signal addText(const std::string& name) = 0;
  virtual Signal addReal(const std::string& name) = 0;

  /// `unit`: unit of time, in words.
  virtual void begin(const std::string& unit) = 0;
  virtual void time(Cycle cycle) = 0;
  /// Without a value the wire is unknown.
  virtual void wire(Signal signal, unsigned bits, std::optional<std::uint64_t> value) = 0;
  virtual void text(Signal signal, const std::string& value) = 0;
  virtual void real(Signal signal, double value) = 0;
  virtual void end() = 0;
};

std::unique_ptr<Writer> makeSignalWriter(std::unique_ptr<SignalFile> file);

}  // namespace fermata::results::timeline
