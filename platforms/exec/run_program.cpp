#include <fermata/platforms/exec/run_program.h>

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include <fermata/stimuli/input_error.h>

extern char** environ;

namespace fermata::exec {

namespace {

constexpr int kOfSignals = 128;

volatile std::sig_atomic_t program = 0;  ///< the process that runs; 0: none
volatile std::sig_atomic_t early = 0;    ///< a signal that came before it ran; 0: none

extern "C" void passOn(int signal) {
  const int error = errno;
  if (program != 0)
    ::kill(program, signal);
  else
    early = signal;
  errno = error;
}

/// While an object lives, signals end the program but not this process, which keeps the results.
/// The program gets those of a terminal by itself; others are passed on.
class Signals {
 public:
  Signals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction action = {};
      action.sa_handler = kSignals[i].ofTerminal ? SIG_IGN : &passOn;
      ::sigaction(kSignals[i].number, &action, &before_[i]);
    }
  }
  ~Signals() {
    program = early = 0;
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      ::sigaction(kSignals[i].number, &before_[i], nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  struct Signal {
    int number;
    bool ofTerminal;
  };
  static constexpr std::array<Signal, 4> kSignals{
      {{SIGINT, true}, {SIGQUIT, true}, {SIGTERM, false}, {SIGHUP, false}}};
  std::array<struct sigaction, kSignals.size()> before_{};
};

pid_t start(const std::vector<std::string>& command, const posix_spawn_file_actions_t* actions) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t normal;
  sigemptyset(&normal);
  sigaddset(&normal, SIGINT);
  sigaddset(&normal, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &normal);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words[0], actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw InputError("'" + command[0] + "' cannot be started: " + std::strerror(error) +
                     "; expected a program made by 'fermata cc', and its arguments");
  }
  return child;
}

/// Waits for a process and returns its exit code, as a shell does.
int waitFor(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("cannot wait for the program");
  }
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  std::cerr << "fermata: the program was ended by a signal: " << strsignal(WTERMSIG(status))
            << '\n';
  return kOfSignals + WTERMSIG(status);
}

}  // namespace

int runProgram(const std::vector<std::string>& command, bool quietOutput) {
  const Signals signals;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (quietOutput) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  try {
    child = start(command, &actions);
  } catch (...) {
    posix_spawn_file_actions_destroy(&actions);
    throw;
  }
  posix_spawn_file_actions_destroy(&actions);
  program = child;
  if (early != 0) ::kill(child, early);
  return waitFor(child);
}

}  // namespace fermata::exec
