// Waveform files: the signals of blocks over time.
#pragma once

#include <fermata/models/rtl/lockstep.h>

#include <cstdint>
#include <memory>
#include <string>

namespace fermata::rtl {

/// Cycles from `from` to the one before `to`.
struct WaveWindow {
  Cycle from = 0;
  Cycle to = kNever;
};

/// A cycle is one nanosecond of the file. Successive samples of one cycle are one picosecond apart.
class Waves {
 public:
  virtual ~Waves() = default;

  /// Sets the source of cycles. Call before the first sample.
  void setNow(Now now) { now_ = std::move(now); }
  /// Sets the cycle of the samples, for a block that is given its edges ahead; kNever: now.
  void setCycle(Cycle cycle) { cycle_ = cycle; }
  /// Takes a sample: a block's inputs or outputs have changed.
  void sample() {
    const Cycle cycle = cycle_ == kNever ? now_() : cycle_;
    if (cycle < window_.from || cycle >= window_.to) return;
    ++samples_;
    dump(cycle);
  }
  /// Number of blocks that have registered their signals.
  unsigned blocks() const { return blocks_; }
  std::uint64_t samples() const { return samples_; }
  /// Completes the file after the last sample.
  virtual void close() = 0;

 protected:
  explicit Waves(const WaveWindow& window) : window_(window) {}
  void addBlock() { ++blocks_; }

 private:
  virtual void dump(Cycle cycle) = 0;

  WaveWindow window_;
  Now now_;
  Cycle cycle_ = kNever;
  unsigned blocks_ = 0;
  std::uint64_t samples_ = 0;
};

/// A source of signals.
class Traced {
 public:
  virtual ~Traced() = default;
  /// Registers the signals with a waveform file, under a name. Call before the first request.
  /// Returns false if there are none.
  virtual bool trace(Waves&, const std::string&) { return false; }
};

/// Opens a file in the FST format of GTKWave. Throws BadInput in a build without Verilator.
std::unique_ptr<Waves> openWaves(const std::string& path, const WaveWindow& window);

}  // namespace fermata::rtl
