#include <fermata/models/core/subcore_queues.h>

namespace fermata {

Cycle SubcoreQueues::push(unsigned scheduler, WarpAccess& access, unsigned registers, Cycle now) {
  Queue& queue = queues_[scheduler];
  const Cycle from = std::max(now + parameters_.latency, queue.addresses);
  queue.addresses =
      from + std::max(parameters_.addressInterval, parameters_.registerInterval * registers);
  if (queue.waiting.empty()) {
    queue.first = from;
    earliest_ = std::min(earliest_, from);
  }
  queue.waiting.push({&access, from});
  return from;
}

}  // namespace fermata
