// Stopwatches of the CUDA samples, in milliseconds of the host's clock.
#pragma once
#define COMMON_HELPER_TIMER_H_  // programs test whether it was included

#include <chrono>

class StopWatchInterface {
 public:
  virtual ~StopWatchInterface() {}
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void reset() = 0;
  virtual float getTime() = 0;
  virtual float getAverageTime() = 0;
};

class StopWatchLinux : public StopWatchInterface {
 public:
  void start() {
    begin_ = Clock::now();
    running_ = true;
  }
  void stop() {
    if (!running_) return;
    total_ += sinceStart();
    running_ = false;
    ++sessions_;
  }
  void reset() {
    total_ = 0.0f;
    sessions_ = 0;
    begin_ = Clock::now();
  }
  float getTime() { return running_ ? total_ + sinceStart() : total_; }
  float getAverageTime() { return sessions_ > 0 ? total_ / static_cast<float>(sessions_) : 0.0f; }

 private:
  typedef std::chrono::steady_clock Clock;
  float sinceStart() const {
    return std::chrono::duration<float, std::milli>(Clock::now() - begin_).count();
  }
  Clock::time_point begin_ = Clock::now();
  float total_ = 0.0f;
  int sessions_ = 0;
  bool running_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchLinux;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  if (*timer != nullptr) (*timer)->start();
  return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  if (*timer != nullptr) (*timer)->stop();
  return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  if (*timer != nullptr) (*timer)->reset();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) {
  return *timer != nullptr ? (*timer)->getTime() : 0.0f;
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return *timer != nullptr ? (*timer)->getAverageTime() : 0.0f;
}
