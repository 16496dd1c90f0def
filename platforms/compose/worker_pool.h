// Threads that carry out pieces of work together with their caller.
#pragma once

#include <fermata/models/core/epochs.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fermata::platforms {

/// The crew of a chip. Not for work that calls SystemC, which stays on the caller's thread.
class WorkerPool final : public Epochs::Crew {
 public:
  /// `workers`: threads that work, with that of the caller, which works when it finishes; 1 or
  /// more. The others start with the first work.
  explicit WorkerPool(unsigned workers) : shares_(workers) {}
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned workers() const { return static_cast<unsigned>(shares_.size()); }
  /// Throws BadInput if the host starts no such number of threads; nothing has begun then.
  void begin(unsigned count, std::function<void(unsigned)> work) override;
  void finish() override;

 private:
  /// Pieces [next, end) are one worker's; another takes from them when it has none left. A worker
  /// so meets mostly the pieces that it had the last time, whose memory its core still holds.
  struct alignas(64) Share {
    std::atomic<unsigned> next{0};
    unsigned end = 0;
  };

  void start(unsigned worker);
  void serve(unsigned worker);
  void workAs(unsigned worker);
  void leave();

  std::vector<Share> shares_;
  std::function<void(unsigned)> work_;
  std::atomic<unsigned> round_{0};  ///< rises when there is work
  std::atomic<unsigned> busy_{0};   ///< threads of the pool that have not finished the round
  std::atomic<bool> over_{false};
  std::mutex mutex_;
  std::condition_variable begun_, finished_;
  std::vector<std::thread> threads_;
};

}  // namespace fermata::platforms
