// What must not stay behind when a process ends before its time.
#pragma once

#include <signal.h>

#include <filesystem>

namespace fermata::files {

/// A file or a folder that goes away again when a signal ends the process, while the object lives.
/// There is room for a fixed number, of paths of a fixed length: what finds none is not known to
/// the signal, no more.
class Temporary {
 public:
  enum class Kind { File, Folder };

  Temporary() = default;
  Temporary(const std::filesystem::path& path, Kind kind);
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&& other) noexcept;
  ~Temporary() { forget(); }

  /// It stays, or is gone already.
  void forget() noexcept;

 private:
  int slot_ = -1;
};

/// While it lives, signals that end the process wait: what is between a file's making and its
/// Temporary, or between the renames of a set, is done or not begun.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

/// For a program's main: from now on SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE and SIGXCPU remove
/// every Temporary of this process (folders that are empty) and then do what they do by default. A
/// signal that is ignored stays so. SIGXFSZ is ignored: a limit on the size of files becomes an
/// error as a full disk is. Children that are forked inherit it, each for its own.
void removeTemporariesOnSignals();

}  // namespace fermata::files
