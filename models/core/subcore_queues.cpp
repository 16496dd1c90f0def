#include <fermata/models/core/subcore_queues.h>

namespace fermata {

Cycle SubcoreQueues::push(unsigned scheduler, WarpAccess& access, Cycle now) {
  Queue& queue = queues_[scheduler];
  const Cycle from = std::max(now + parameters_.latency, queue.addresses);
  queue.addresses = from + parameters_.addressInterval;
  queue.waiting.push({&access, from});
  ++waiting_;
  return from;
}

}  // namespace fermata
