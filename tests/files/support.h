// A full disk, and child processes for tests.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>

#include "tests/support/temporary_folder.h"

namespace fermata::files::test {

using fermata::test::bytesOf;
using fermata::test::TemporaryFolder;

/// Returns the message of the `Error` that `act` throws; empty if it throws none.
template <class Error, class Act>
std::string errorOf(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Limits every file that this process writes to `bytes` while the object lives: a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

/// Starts a child process that runs `act` and ends with the code that `act` returns.
template <class Act>
pid_t startChild(Act act) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    int code = 99;
    try {
      code = act();
    } catch (...) {
    }
    ::_exit(code);
  }
  return child;
}

/// Waits for the child; returns its wait status.
inline int waitFor(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

template <class Act>
int inChild(Act act) {
  return waitFor(startChild(act));
}

}  // namespace fermata::files::test
