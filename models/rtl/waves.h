// The signals of blocks over time, in a file of waves.
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

/// A cycle is a nanosecond of the file; what blocks of a cycle are asked one after another is a
/// picosecond apart.
class Waves {
 public:
  virtual ~Waves() = default;

  /// Before the first sample: where cycles come from.
  void setNow(Now now) { now_ = std::move(now); }
  /// Samples are of that cycle, as of a block that is given its edges ahead; kNever: of now.
  void setCycle(Cycle cycle) { cycle_ = cycle; }
  /// A block's inputs or outputs have changed.
  void sample() {
    const Cycle cycle = cycle_ == kNever ? now_() : cycle_;
    if (cycle < window_.from || cycle >= window_.to) return;
    ++samples_;
    dump(cycle);
  }
  /// Blocks that have given their signals.
  unsigned blocks() const { return blocks_; }
  std::uint64_t samples() const { return samples_; }
  /// The last sample has been taken: the file is whole.
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

/// What has signals.
class Traced {
 public:
  virtual ~Traced() = default;
  /// Before it is first asked: its signals go there, under the name. Returns false where it has
  /// none.
  virtual bool trace(Waves&, const std::string&) { return false; }
};

/// In the FST format of GTKWave. Throws BadInput in a build without Verilator.
std::unique_ptr<Waves> openWaves(const std::string& path, const WaveWindow& window);

}  // namespace fermata::rtl
