#include <fermata/stimuli/native/kernel_compiler.h>

#include <pthread.h>
#include <signal.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include <fermata/stimuli/native/host_compiler.h>
#include <fermata/stimuli/native/kernel_writer.h>
#include <fermata/stimuli/ptx/module.h>

namespace fermata::native {
namespace {

/// Instructions after which a kernel is hot: the executor takes some 20 ms for them, a compilation
/// some 200.
constexpr std::uint64_t kHot = 1'000'000;
/// Most instructions of a kernel that is compiled.
constexpr std::size_t kMostInstructions = 6000;

struct Job {
  std::string text;
  Pieces pieces;
  std::shared_ptr<ptx::CompiledPlace> place;
};

class Compiler : public ptx::KernelCompiler {
 public:
  explicit Compiler(When when) : when_(when) {}
  ~Compiler() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ends_ = true;
    }
    host_.stop();
    more_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  void launched(const ptx::Kernel& kernel) override {
    if (when_ == When::Now && take(kernel)) compile(jobOf(kernel));
  }
  void executed(const ptx::Kernel& kernel, unsigned instructions) override {
    if (when_ != When::Hot) return;
    std::atomic<std::uint64_t>& sum = kernel.compiled().executed;
    if (sum.fetch_add(instructions, std::memory_order_relaxed) < kHot || !take(kernel)) return;
    Job job = jobOf(kernel);
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(std::move(job));
    if (!thread_.joinable()) start();
    more_.notify_all();
  }

 private:
  /// Returns true for the first caller, if the kernel can be compiled.
  static bool take(const ptx::Kernel& kernel) {
    return !kernel.compiled().asked.load(std::memory_order_relaxed) &&
           !kernel.compiled().asked.exchange(true) &&
           kernel.instructionCount() <= kMostInstructions;
  }
  static Job jobOf(const ptx::Kernel& kernel) {
    Job job;
    job.pieces = cut(kernel.code());
    job.text = textOf(kernel.code(), job.pieces);
    job.place = kernel.sharedPlace();
    return job;
  }
  void compile(Job job) {
    const auto library = host_.compile(job.text);
    if (!library) return;
    auto code = std::make_unique<const CompiledCode>(std::move(job.pieces), *library);
    job.place->owned = std::move(code);
    job.place->code.store(job.place->owned.get(), std::memory_order_release);
  }
  /// Starts the thread. The program's signals do not reach it.
  void start() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    try {
      thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {  // no thread, no code
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      more_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
      if (ends_) return;
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      compile(std::move(job));
      lock.lock();
    }
  }

  When when_;
  HostCompiler host_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Job> jobs_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<ptx::KernelCompiler> makeKernelCompiler(When when) {
  if (when == When::Never) return nullptr;
  return std::make_unique<Compiler>(when);
}

}  // namespace fermata::native
