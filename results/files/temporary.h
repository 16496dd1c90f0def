// Files and folders that must not stay behind when a process ends before its time.
#pragma once

#include <signal.h>

#include <filesystem>

namespace fermata::files {

/// A file or a folder that is removed when a signal ends the process, while the object lives. There
/// is room for a fixed number of paths of a fixed length; a path without room is merely not removed
/// on a signal.
class Temporary {
 public:
  enum class Kind { File, Folder };

  Temporary() = default;
  Temporary(const std::filesystem::path& path, Kind kind);
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&& other) noexcept;
  ~Temporary() { forget(); }

  /// Forgets the path: it stays, or is gone already.
  void forget() noexcept;

 private:
  int slot_ = -1;
};

/// Holds back signals that end the process, while it lives. Steps between the making of a file and
/// its Temporary, or between the renames of a set, are done or not begun.
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
/// every Temporary of this process (folders that are empty) and then take their default action. A
/// signal that is ignored stays ignored. SIGXFSZ is ignored: a limit on the size of files becomes
/// an error like a full disk. Forked children inherit this, each for its own files.
void removeTemporariesOnSignals();

}  // namespace fermata::files
