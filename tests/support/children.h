// Child processes of a test.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace fermata::test {

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

/// Starts a program with its arguments; its output is dropped.
inline pid_t startProgram(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + words[0]);
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

}  // namespace fermata::test
