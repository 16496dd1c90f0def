#include <fermata/results/files/temporary.h>

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace fermata::files {

namespace {

constexpr std::array<int, 6> kSignals{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU};
constexpr pid_t kFree = 0;
constexpr pid_t kBeingFilled = -1;

// Fixed storage: a signal handler may neither allocate nor lock. `owner` is the process that may
// remove the path: a forked child has a copy of its parent's slots.
struct Slot {
  std::atomic<pid_t> owner{kFree};
  Temporary::Kind kind{};
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 64> slots;
static_assert(std::atomic<pid_t>::is_always_lock_free);

int takeSlot() {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    pid_t expected = kFree;
    if (slots[i].owner.compare_exchange_strong(expected, kBeingFilled)) return static_cast<int>(i);
  }
  return -1;
}

/// Calls `remove(path)` for this process's paths of this kind and forgets what is gone. Returns
/// whether any was removed.
bool removeAll(Temporary::Kind kind, int (*remove)(const char*)) {
  const pid_t self = ::getpid();
  bool removed = false;
  for (Slot& slot : slots) {
    if (slot.owner != self || slot.kind != kind || remove(slot.path.data()) != 0) continue;
    slot.owner = kFree;
    removed = true;
  }
  return removed;
}

// Calls only functions that POSIX calls async-signal-safe.
extern "C" void removeTemporaries(int signal) {
  removeAll(Temporary::Kind::File, ::unlink);
  while (removeAll(Temporary::Kind::Folder, ::rmdir)) {  // a folder is empty once its folders went
  }
  ::raise(signal);  // by now with its default action
}

sigset_t endingSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kSignals) sigaddset(&set, signal);
  return set;
}

}  // namespace

Temporary::Temporary(const std::filesystem::path& path, Kind kind) {
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).string();
  if (error || absolute.size() >= PATH_MAX) return;
  slot_ = takeSlot();
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  std::memcpy(slot.path.data(), absolute.c_str(), absolute.size() + 1);
  slot.kind = kind;
  slot.owner = ::getpid();
}

Temporary::Temporary(Temporary&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

Temporary& Temporary::operator=(Temporary&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

void Temporary::forget() noexcept {
  if (slot_ >= 0) slots[static_cast<std::size_t>(std::exchange(slot_, -1))].owner = kFree;
}

SignalsHeld::SignalsHeld() {
  const sigset_t set = endingSignals();
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
}

SignalsHeld::~SignalsHeld() {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void removeTemporariesOnSignals() {
  struct sigaction action {};
  action.sa_handler = removeTemporaries;
  action.sa_mask = endingSignals();
  action.sa_flags = SA_RESETHAND;
  for (const int signal : kSignals) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) ::sigaction(signal, &action, nullptr);
  }
  ::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace fermata::files
