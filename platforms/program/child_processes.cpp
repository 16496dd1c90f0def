#include <fermata/platforms/program/child_processes.h>

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <stdexcept>
#include <thread>

#include <fermata/platforms/program/caught.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

namespace {

/// First byte of a child's message.
enum Kind : char { kResult = 'r', kBadInput = 'b', kFailure = 'f' };

void writeAll(int descriptor, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = write(descriptor, bytes.data() + sent, bytes.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) _exit(1);
    sent += static_cast<std::size_t>(n);
  }
}

std::string outcome(const ChildTask& task) {
  try {
    return std::string(1, kResult) + task();
  } catch (...) {
    const Caught wrong = caught();
    return std::string(1, wrong.badInput ? kBadInput : kFailure) + wrong.what;
  }
}

struct Child {
  std::size_t task = 0;
  pid_t process = 0;
  int descriptor = -1;
  std::string received;
};

class Children {
 public:
  explicit Children(const std::vector<ChildTask>& tasks) : tasks_(tasks), results_(tasks.size()) {}
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() {
    for (const Child& child : running_) {
      kill(child.process, SIGKILL);
      waitpid(child.process, nullptr, 0);
      close(child.descriptor);
    }
  }

  std::size_t running() const { return running_.size(); }
  std::size_t ended() const { return ended_; }
  std::vector<std::string> results() { return std::move(results_); }

  void start(std::size_t task) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
    std::cout.flush();
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("cannot start a process");
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);  // the parent died before prctl took effect
      close(ends[0]);
      writeAll(ends[1], outcome(tasks_[task]));
      _exit(0);
    }
    close(ends[1]);
    running_.push_back({task, process, ends[0], {}});
  }

  /// Waits until at least one child has sent something, and reads from all that have.
  void listen() {
    std::vector<pollfd> waits;
    for (const Child& child : running_) waits.push_back({child.descriptor, POLLIN, 0});
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) {
      throw std::runtime_error("cannot wait for a process");
    }
    for (std::size_t i = running_.size(); i-- > 0;) {
      if (waits[i].revents != 0) hear(i);
    }
  }

 private:
  void hear(std::size_t i) {
    Child& child = running_[i];
    char buffer[4096];
    const ssize_t n = read(child.descriptor, buffer, sizeof buffer);
    if (n > 0) {
      child.received.append(buffer, static_cast<std::size_t>(n));
    } else if (n == 0 || errno != EINTR) {
      end(i);
    }
  }

  void end(std::size_t i) {
    const Child child = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    close(child.descriptor);
    int status = 0;
    waitpid(child.process, &status, 0);
    if (status != 0 || child.received.empty()) {
      throw std::runtime_error("a child process ended without a result");
    }
    const std::string text = child.received.substr(1);
    if (child.received[0] == kBadInput) throw InputError(text);
    if (child.received[0] == kFailure) throw std::runtime_error(text);
    results_[child.task] = text;
    ++ended_;
  }

  const std::vector<ChildTask>& tasks_;
  std::vector<std::string> results_;
  std::vector<Child> running_;
  std::size_t ended_ = 0;
};

}  // namespace

std::vector<std::string> runInChildren(const std::vector<ChildTask>& tasks, unsigned atOnce,
                                       const std::function<void(std::size_t)>& done) {
  if (atOnce == 0) atOnce = std::max(1U, std::thread::hardware_concurrency());
  Children children(tasks);
  std::size_t next = 0;
  while (children.ended() < tasks.size()) {
    while (next < tasks.size() && children.running() < atOnce) children.start(next++);
    children.listen();
    if (done) done(children.ended());
  }
  return children.results();
}

}  // namespace fermata::platforms
