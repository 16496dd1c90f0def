// Work in child processes: SystemC elaborates once per process, and a machine has several cores.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A piece of work. Its result travels back to the parent.
using ChildTask = std::function<std::string()>;

/// Runs every task in its own child process, `atOnce` at a time (0: one per core), and returns
/// their results in the order of the tasks. Calls `done` with the number of tasks that have ended.
/// If a task throws, ends the running children and throws its message: as InputError if the task
/// threw a BadInput, as std::runtime_error otherwise. Children do not outlive the parent.
std::vector<std::string> runInChildren(const std::vector<ChildTask>& tasks, unsigned atOnce = 0,
                                       const std::function<void(std::size_t)>& done = {});

}  // namespace fermata::platforms
