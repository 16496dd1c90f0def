#include <fermata/platforms/program/child_processes.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <thread>

#include <fermata/platforms/program/caught.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

namespace {

/// First byte of a task's message.
enum Kind : char { kResult = 'r', kBadInput = 'b', kFailure = 'f' };
/// Ends each diagnostic of an error, which its text follows.
constexpr char kEnd = '\0';

std::string outcome(const ChildTask& task) {
  try {
    return std::string(1, kResult) + task();
  } catch (...) {
    const Caught wrong = diagnose();
    std::string text(1, wrong.badInput ? kBadInput : kFailure);
    for (const Diagnostic& one : wrong.diagnostics) text += jsonOf(one) + kEnd;
    return text + wrong.what;
  }
}

/// Error of a task, as its process told it.
template <class Error>
struct ChildError : Error, Diagnosed {
  ChildError(const std::string& what, std::vector<Diagnostic> said)
      : Error(what), Diagnosed{std::move(said)} {}
};

/// Throws the error that `text` tells: its diagnostics, then what it says.
template <class Error>
[[noreturn]] void throwTold(std::string text) {
  std::vector<Diagnostic> said;
  for (std::size_t end = text.find(kEnd); end != text.npos; end = text.find(kEnd)) {
    said.push_back(diagnosticOfJson(text.substr(0, end)));
    text.erase(0, end + 1);
  }
  throw ChildError<Error>(text, std::move(said));
}

std::string resultOf(const Children::Child& child) {
  if (child.status != 0 || child.said.empty())
    throw std::runtime_error("a child process ended without a result");
  std::string text = child.said.substr(1);
  if (child.said[0] == kBadInput) throwTold<InputError>(std::move(text));
  if (child.said[0] == kFailure) throwTold<std::runtime_error>(std::move(text));
  return text;
}

/// Reads from a child. Returns false at the end of its messages.
bool hear(Children::Child& child) {
  std::array<char, 4096> part{};
  const ssize_t n = ::read(child.hears, part.data(), part.size());
  if (n > 0) child.said.append(part.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

}  // namespace

Children::~Children() {
  for (const Child& child : running_) {
    ::kill(child.process, SIGKILL);
    ::waitpid(child.process, nullptr, 0);
    ::close(child.hears);
  }
}

void Children::start(std::size_t task, const std::function<int(int)>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  std::cout.flush();
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // the parent died before prctl took effect
    ::close(ends[0]);
    ::_exit(work(ends[1]));
  }
  ::close(ends[1]);
  running_.push_back({task, process, ends[0], {}, 0});
}

std::optional<Children::Child> Children::listen(int milliseconds) {
  std::vector<pollfd> waits;
  for (const Child& child : running_) waits.push_back({child.hears, POLLIN, 0});
  if (::poll(waits.data(), waits.size(), milliseconds) < 0 && errno != EINTR)
    throw std::runtime_error("cannot wait for a process");
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i].revents == 0 || hear(running_[i])) continue;
    Child child = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    ::close(child.hears);
    while (::waitpid(child.process, &child.status, 0) < 0) {
      if (errno != EINTR) throw std::runtime_error("cannot wait for a process");
    }
    return child;
  }
  return std::nullopt;
}

void sayTo(int descriptor, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::write(descriptor, bytes.data() + sent, bytes.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    sent += static_cast<std::size_t>(n);
  }
}

std::vector<std::string> runInChildren(const std::vector<ChildTask>& tasks, unsigned atOnce,
                                       const std::function<void(std::size_t)>& done) {
  if (atOnce == 0) atOnce = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> results(tasks.size());
  Children children;
  std::size_t next = 0;
  for (std::size_t ended = 0; ended < tasks.size();) {
    for (; next < tasks.size() && children.running().size() < atOnce; ++next) {
      children.start(next, [&](int parent) {
        sayTo(parent, outcome(tasks[next]));
        return 0;
      });
    }
    if (const auto child = children.listen(-1)) {
      results[child->task] = resultOf(*child);
      ++ended;
    }
    if (done) done(ended);
  }
  return results;
}

}  // namespace fermata::platforms
