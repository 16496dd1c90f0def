#include <fermata/stimuli/ptx/cta_runs.h>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/message.h>

namespace fermata::ptx {
namespace {

constexpr std::size_t kDeadlockText = 1000;

}  // namespace

CtaRun::CtaRun(Executor& executor, ClusterRun& cluster, unsigned rank, unsigned first,
               ExecutionCounts* counts)
    : executor_(executor),
      cluster_(cluster),
      counts_(counts),
      rank_(rank),
      first_(first),
      warps_(executor.warpsPerCta()),
      barriers_(warps_),
      barrierOf_(warps_) {}

void CtaRun::start(std::uint64_t cta) {
  executor_.startCta(cta, first_);
  barriers_.startCta(0, warps_);
  live_ = ~SlotMask{0} >> (kMaxWarpSlots - warps_);
}

void CtaRun::round() {
  for (unsigned warp = 0; warp < warps_; ++warp) {
    if ((live_ & ~waiting_ & bit(warp)) != 0) turn(warp);
  }
  for (const Arrival& one : arrivals_)
    executor_.storeCopy(first_ + one.warp, one.copy, instruction_);
  arrivals_.clear();
  if (live_ == 0) executor_.endCta(first_);
}

void CtaRun::turn(unsigned warp) {
  const unsigned turn = executor_.turn();
  if (!executor_.hasCode()) {
    unsigned k = 0;
    while (k < turn && step(warp)) ++k;
    return executor_.executedWithoutCode(k);
  }
  for (unsigned k = 0; k < turn && (waiting_ & bit(warp)) == 0; ++k) {
    if (k += executor_.executeCompiled(first_ + warp, turn - k); k >= turn || !step(warp)) return;
  }
}

bool CtaRun::step(unsigned warp) {
  if ((waiting_ & bit(warp)) != 0) return false;
  const StaticInstruction* next = executor_.peek(first_ + warp);
  if (next == nullptr) {
    exit(warp);
    return false;
  }
  const InstructionClass its = next->instructionClass;
  const bool arrival = next->copyStep == CopyStep::Arrive || next->copyStep == CopyStep::Complete;
  if (arrival) instruction_.copy = WarpInstruction::kNoCopy;
  executor_.execute(first_ + warp, instruction_);
  if (counts_ != nullptr) counts_->add(its, instruction_);
  if (arrival && instruction_.copy != WarpInstruction::kNoCopy)
    arrivals_.push_back({warp, instruction_.copy});
  if (its == InstructionClass::Barrier && instruction_.active != 0) arrive(warp);
  return true;
}

void CtaRun::arrive(unsigned warp) {
  barrierOf_[warp] = instruction_.barrier;
  if (instruction_.barrier >= kClusterArrive) {
    if (cluster_.reaches(rank_, warp, instruction_.barrier)) waiting_ |= bit(warp);
    return;
  }
  if (instruction_.barrierWaits) waiting_ |= bit(warp);
  waiting_ &= ~barriers_.arrive(0, warp, instruction_.barrier, instruction_.barrierThreads,
                                instruction_.barrierWaits);
}

void CtaRun::exit(unsigned warp) {
  live_ &= ~bit(warp);
  waiting_ &= ~barriers_.exit(0, warp);
  cluster_.exits(rank_, warp);
}

void CtaRun::addWaits(std::string& text) const {
  for (unsigned warp = 0; warp < warps_; ++warp) {
    if ((waiting_ & bit(warp)) == 0) continue;
    const bool ofCluster = barrierOf_[warp] >= kClusterArrive;
    text += fmt::format("; {} waits at ", executor_.describe(first_ + warp));
    text += ofCluster ? "the cluster's barrier" : fmt::format("barrier {}", barrierOf_[warp]);
    if (text.size() > kDeadlockText) break;
  }
}

ClusterRun::ClusterRun(Executor& executor, unsigned firstSlot, ExecutionCounts* counts)
    : warps_(executor.warpsPerCta()) {
  const unsigned ctas = executor.ctasPerCluster();
  ctas_.reserve(ctas);
  for (unsigned rank = 0; rank < ctas; ++rank)
    ctas_.emplace_back(executor, *this, rank, firstSlot + rank * warps_, counts);
}

void ClusterRun::start(std::uint64_t cluster) {
  number_ = cluster;
  barrier_.start(static_cast<unsigned>(ctas_.size()) * warps_);
  std::uint64_t cta = cluster * ctas_.size();
  for (CtaRun& one : ctas_) one.start(cta++);
}

bool ClusterRun::round() {
  bool live = false, moves = false;
  for (CtaRun& one : ctas_) {
    if (one.goesOn()) {
      moves = true;
      one.round();
    }
    live = live || one.live();
  }
  if (live && !moves) deadlock();
  return live;
}

bool ClusterRun::reaches(unsigned rank, unsigned warp, std::uint16_t barrier) {
  warp += rank * warps_;
  if (barrier == kClusterWait) return !barrier_.wait(warp);
  barrier_.arrive(warp, [this](unsigned freed) { freeWarp(freed); });
  return false;
}

void ClusterRun::exits(unsigned rank, unsigned warp) {
  barrier_.exit(rank * warps_ + warp, [this](unsigned freed) { freeWarp(freed); });
}

void ClusterRun::deadlock() const {
  std::string text =
      "deadlock: every warp that has not exited waits at a barrier that cannot complete";
  for (const CtaRun& one : ctas_) {
    if (text.size() <= kDeadlockText) one.addWaits(text);
  }
  throw InputError(text);
}

}  // namespace fermata::ptx
