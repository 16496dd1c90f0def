// Work in child processes: SystemC elaborates once per process, and a machine has several cores.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Child processes that send bytes to their parent. None outlives the parent or this object.
class Children {
 public:
  struct Child {
    std::size_t task = 0;
    pid_t process = 0;
    int hears = -1;    ///< the parent's end of the pipe
    std::string said;  ///< bytes sent so far
    int status = 0;    ///< as waitpid gives it; valid once the child has ended
  };

  Children() = default;
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children();

  const std::vector<Child>& running() const { return running_; }
  /// Starts a child: it calls `work` with a descriptor for sayTo(), and exits with the code that
  /// `work` returns.
  void start(std::size_t task, const std::function<int(int)>& work);
  /// Waits up to `milliseconds` (-1: without limit) until a child sends bytes or ends. Returns a
  /// child that has ended, if any.
  std::optional<Child> listen(int milliseconds);

 private:
  std::vector<Child> running_;
};

/// Sends bytes from a child to its parent. Does nothing more if the parent no longer reads.
void sayTo(int descriptor, const std::string& bytes);

/// A piece of work. Its result travels back to the parent.
using ChildTask = std::function<std::string()>;

/// Runs every task in its own child process, `atOnce` at a time (0: one per core), and returns
/// their results in the order of the tasks. Calls `done` with the number of tasks that have ended.
/// If a task throws, ends the running children and throws its message: as InputError if the task
/// threw a BadInput, as std::runtime_error otherwise, both Diagnosed. Children do not outlive the
/// parent.
std::vector<std::string> runInChildren(const std::vector<ChildTask>& tasks, unsigned atOnce = 0,
                                       const std::function<void(std::size_t)>& done = {});

}  // namespace fermata::platforms
