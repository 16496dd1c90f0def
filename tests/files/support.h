// A full disk, and errors of files.
#pragma once

#include <sys/resource.h>

#include <csignal>
#include "tests/support/children.h"
#include "tests/support/says.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test.h"

namespace fermata::files::test {

using fermata::test::begins;
using fermata::test::bytesOf;
using fermata::test::errorOf;
using fermata::test::has;
using fermata::test::inChild;
using fermata::test::startChild;
using fermata::test::TemporaryFolder;
using fermata::test::waitFor;

/// Gives each case of a suite a folder of its own.
struct InFolder {
  const TemporaryFolder folder;
};

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

}  // namespace fermata::files::test
