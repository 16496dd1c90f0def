#include <fermata/platforms/cudart/program_end.h>

#include <fermata/platforms/cudart/session.h>
#include <fermata/platforms/program/diagnostics.h>

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

// Drops the destructor of each static object: no static object of this library is destroyed.
// Destructors of a library run in the reverse order of construction, mixed with the program's own
// exit handlers. A launch in a handler, or the writing of the tables, would otherwise find
// destroyed what an earlier launch made.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}

namespace fermata::cudart {
namespace {

sigset_t sizeLimit() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

/// Runs when the loader closes the library: after all handlers and static objects of the program.
__attribute__((destructor)) void finishAtEnd() { finishSession(); }

}  // namespace

void endProgram(const std::string& why, int code) {
  std::cout.flush();
  std::fflush(nullptr);
  platforms::printError(why, code == 2 ? "input" : "failure");
  ::_exit(code);
}

SizeLimitHeld::SizeLimitHeld() {
  const sigset_t set = sizeLimit();
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
}

SizeLimitHeld::~SizeLimitHeld() {
  const sigset_t set = sizeLimit();
  const timespec now{};
  while (::sigtimedwait(&set, nullptr, &now) == SIGXFSZ) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace fermata::cudart
