#include <fermata/platforms/compose/worker_pool.h>

#include <fermata/models/vocabulary/error.h>

#include <string>
#include <system_error>

namespace fermata::platforms {

namespace {

/// Tells the processor that a loop waits.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits a moment for a change, so that short rounds need no call of the operating system.
template <class Changed>
bool soon(Changed changed) {
  constexpr unsigned kTries = 2000;
  for (unsigned i = 0; i < kTries; ++i) {
    if (changed()) return true;
    relax();
  }
  return false;
}

}  // namespace

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
    ++round_;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::begin(unsigned count, std::function<void(unsigned)> work) {
  const unsigned workers = this->workers();
  while (threads_.size() + 1 < workers) start(static_cast<unsigned>(threads_.size()) + 1);
  work_ = std::move(work);
  for (unsigned i = 0; i < workers; ++i) {
    shares_[i].end = static_cast<unsigned>(std::uint64_t{count} * (i + 1) / workers);
    shares_[i].next = static_cast<unsigned>(std::uint64_t{count} * i / workers);
  }
  busy_ = workers - 1;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++round_;
  }
  begun_.notify_all();
}

void WorkerPool::start(unsigned worker) {
  try {
    threads_.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error& error) {
    throw BadInput("the host starts no more than " + std::to_string(worker) + " of " +
                   std::to_string(workers()) + " threads (" + error.what() +
                   "); expected a lower --jobs");
  }
}

void WorkerPool::finish() {
  workAs(0);
  const auto all = [this] { return busy_ == 0; };
  if (soon(all)) return;
  std::unique_lock<std::mutex> lock(mutex_);
  finished_.wait(lock, all);
}

void WorkerPool::serve(unsigned worker) {
  for (unsigned served = 0;;) {
    const auto called = [&] { return round_ != served; };
    if (!soon(called)) {
      std::unique_lock<std::mutex> lock(mutex_);
      begun_.wait(lock, called);
    }
    served = round_;
    if (over_) return;
    workAs(worker);
    leave();
  }
}

void WorkerPool::workAs(unsigned worker) {
  const unsigned workers = this->workers();
  for (unsigned i = 0; i < workers; ++i) {
    Share& share = shares_[(worker + i) % workers];
    for (unsigned piece = share.next++; piece < share.end; piece = share.next++) work_(piece);
  }
}

void WorkerPool::leave() {
  if (--busy_ != 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  finished_.notify_one();
}

}  // namespace fermata::platforms
