// Work in child processes: SystemC elaborates once a process, and a machine has several cores.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A piece of work: what it returns travels back to the parent.
using ChildTask = std::function<std::string()>;

/// Runs every task in a child process of its own, `atOnce` (0: one a core) at a time, and returns
/// what they returned, in the order of the tasks. `done` is told how many have ended. A task that
/// throws: the children that run are ended, and the parent throws InputError with its message when
/// it threw a BadInput, std::runtime_error otherwise. Children do
/// not outlive the parent.
std::vector<std::string> runInChildren(const std::vector<ChildTask>& tasks, unsigned atOnce = 0,
                                       const std::function<void(std::size_t)>& done = {});

}  // namespace fermata::platforms
