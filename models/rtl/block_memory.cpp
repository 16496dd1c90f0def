#include <fermata/models/rtl/block_memory.h>

#include <fermata/models/rtl/clocked_block.h>
#include <fermata/models/rtl/lane_words.h>
#include <fermata/models/vocabulary/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fermata::rtl {

namespace {

std::string lanesText(LaneMask lanes) {
  std::string text;
  for (; lanes != 0; lanes &= lanes - 1)
    text += (text.empty() ? "" : " ") + std::to_string(__builtin_ctz(lanes));
  return text;
}

void report(const std::string& what) {
  SC_REPORT_ERROR("fermata/rtl", what.c_str());
}

std::string pcText(const WarpAccess& access) {
  return fmt::format("pc {}, warp slot {}", access.instruction.pc, access.slot);
}

/// Returns the lanes of `lanes` that ask for the word.
LaneMask lanesOf(const Lanes& words, std::uint32_t word, LaneMask lanes) {
  LaneMask found = 0;
  forEachLane(lanes, [&](unsigned lane) {
    if (words[lane] == word) found |= laneBit(lane);
  });
  return found;
}

}  // namespace

BlockMemory::BlockMemory(const sc_core::sc_module_name& name, const Parameters& parameters,
                         const Behaviour& behaviour)
    : LateWarpTarget(name), parameters_(parameters), behaviour_(behaviour) {
  if (parameters.shape.bankBytes != sizeof(std::uint32_t))
    throw BadInput(
        fmt::format("a memory of RTL has words of 32 bits, the platform's have {}; expected "
                    "scratchpad.bank_bytes = 4",
                    8 * parameters.shape.bankBytes));
  if (behaviour.tags < 1 || behaviour.tags > kMostTags)
    throw BadInput(fmt::format("a memory of RTL has {} tags; expected 1 to {}", behaviour.tags,
                               unsigned{kMostTags}));
  steps_.resize(behaviour.tags);
}

bool BlockMemory::trace(Waves& waves, const std::string& name) {
  if (!traceBlock(waves, name)) return false;
  waves_ = &waves;
  return true;
}

// The protocol

tlm::tlm_sync_enum BlockMemory::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return LateWarpTarget::nb_transport_fw(payload, phase, delay);
  const Clock& clock = parameters_.clock;
  const sc_core::sc_time now = clock.stamp();
  const Cycle arrival = clock.cycles(now + delay);
  advance(arrival);
  take(payload);
  WarpAccess& access = warpAccess(payload);
  access.occupancy = at_ - arrival;
  account(access);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  delay = clock.time(at_) - now;
  if (!underWay(payload)) {
    delay += clock.time(parameters_.latency);
    return tlm::TLM_COMPLETED;
  }
  keep(payload);
  arm();
  phase = TRY_OUTCOME;
  return tlm::TLM_UPDATED;
}

void BlockMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  drain();
  const Cycle begin = at_;
  untimed(payload);
  delay += parameters_.clock.time(at_ - begin + parameters_.latency);
  at_ = begin;
  account(warpAccess(payload));
}

unsigned BlockMemory::transport_dbg(tlm::tlm_generic_payload& payload) {
  WarpAccess& access = warpAccess(payload);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    access.passes = access.freePasses = access.wordsPerLane;
    access.groups = 0;
  } else if (access.instruction.hasData) {
    const Cycle at = at_;
    drain();
    untimed(payload);
    at_ = at;  // the block is at rest, and earlier accesses were answered in their cycle
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return payload.get_data_length();
}

// Precondition: the block is at rest.
void BlockMemory::untimed(tlm::tlm_generic_payload& payload) {
  taking_ = &payload;
  take(payload);
  taking_ = &payload;  // its last answers are not sent
  drain();
  taking_ = nullptr;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void BlockMemory::account(WarpAccess& access) const {
  const bool atomic = access.instruction.operation == MemoryOperation::Atomic;
  access.passes = passes_;
  access.firstPass = at_ - std::min<Cycle>(at_, passes_);
  access.freePasses = atomic ? passes_ : access.wordsPerLane;
  access.degree = mostPasses_;
  access.groups = 1;
  access.groupPasses[0] = static_cast<std::uint8_t>(std::min(passes_, 255U));
  setLeaders(access);
  access.bankSet = 0;
  access.allPasses += access.passes;
  access.allFreePasses += access.freePasses;
  Probe* const probe = parameters_.probe;
  if (probe == nullptr) return;
  probe->sharedTry(access);
  if (access.lastTry()) probe->sharedAccess(access);
}

/// Names the lanes that each read or write a word of a bank: the lowest lane of those that merge.
void BlockMemory::setLeaders(WarpAccess& access) const {
  access.leaders.fill(0);
  std::fill_n(access.leaders.begin(), access.wordsPerLane, access.asked);
  if (!behaviour_.mergesEqualWords) return;
  if (access.instruction.operation == MemoryOperation::Atomic) return;  // lane after lane
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (LaneMask m = access.asked; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if ((access.leaders[k] >> lane & 1) != 0)
        access.leaders[k] &= ~lanesOf(access.word[k], access.word[k][lane], m & (m - 1));
    }
  }
}

// How accesses are taken

// Offers the words of a lane one after another.
void BlockMemory::take(tlm::tlm_generic_payload& payload) {
  taking_ = &payload;
  passes_ = mostPasses_ = 0;
  const WarpAccess& access = warpAccess(payload);
  const WarpInstruction& instruction = access.instruction;
  if (instruction.operation == MemoryOperation::Atomic) {
    takeAtomic(payload);
  } else {
    const bool write = instruction.operation == MemoryOperation::Store;
    for (unsigned k = 0; k < access.wordsPerLane; ++k)
      offer(payload, k, access.asked, write, instruction.data);
  }
  taking_ = nullptr;
}

// A lane reads, has its value, and writes, before the next lane reads.
void BlockMemory::takeAtomic(tlm::tlm_generic_payload& payload) {
  const WarpAccess& access = warpAccess(payload);
  for (LaneMask lanes = access.asked; lanes != 0; lanes &= lanes - 1) {
    const LaneMask lane = lanes & (0U - lanes);
    for (unsigned k = 0; k < access.wordsPerLane; ++k)
      offer(payload, k, lane, false, access.instruction.before);
    while (underWay(payload)) rise();
    for (unsigned k = 0; k < access.wordsPerLane; ++k)
      offer(payload, k, lane, true, access.instruction.data);
  }
}

/// Offers word `k` of the lanes until all are taken. `data`: what they write, or should find.
void BlockMemory::offer(tlm::tlm_generic_payload& payload, unsigned k, LaneMask lanes, bool write,
                        const LaneData& data) {
  WarpAccess& access = warpAccess(payload);
  Step& step = openStep();
  step.payload = &payload;
  step.access = &access;
  step.expected = access.instruction.hasData && !write ? &data : nullptr;
  step.k = k;
  request_.write = write;
  request_.tag = static_cast<unsigned>(&step - steps_.data());
  request_.word = access.word[k];
  request_.bank = access.bank[k];
  request_.row = access.row[k];
  forEachLane(write ? lanes : 0, [&](unsigned lane) {
    packWord(access, lane, k, data, request_.data[lane], request_.enable[lane]);
  });
  const std::uint32_t before = passes_;
  for (request_.valid = lanes; request_.valid != 0;) {
    const LaneMask taken = rise();
    request_.valid &= ~taken;
    if (taken != 0) checkMerging(taken, request_.valid);
  }
  while (untold_ != 0) rise();
  mostPasses_ = std::max(mostPasses_, passes_ - before);
}

void BlockMemory::checkMerging(LaneMask taken, LaneMask left) const {
  if (!behaviour_.mergesEqualWords || request_.write) return;
  for (; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    const LaneMask others = lanesOf(request_.word, request_.word[lane], taken);
    if (others == 0) continue;
    return report(
        fmt::format("a memory of RTL, {}, takes lanes {} of word {} in cycle {} and leaves lane "
                    "{}, which asks for it, too; expected all of them at once, or "
                    "Behaviour::mergesEqualWords = false",
                    name(), lanesText(others), request_.word[lane], at_ - 1, lane));
  }
}

/// Returns a step with a free tag. Gives the block edges until there is one.
BlockMemory::Step& BlockMemory::openStep() {
  for (unsigned looked = 0;; next_ = (next_ + 1) % behaviour_.tags) {
    if (looked++ == behaviour_.tags) {
      rise();
      looked = 0;
    }
    if (steps_[next_].waiting != 0) continue;
    Step& step = steps_[next_];
    next_ = (next_ + 1) % behaviour_.tags;
    return step;
  }
}

// Edges

void BlockMemory::drain() {
  while (open_ != 0) rise();
}

void BlockMemory::advance(Cycle cycle) {
  while (open_ != 0 && at_ < cycle) rise();
  at_ = std::max(at_, cycle);
}

// An edge comes at its cycle's end: by then everything that arrives in the cycle has come.
void BlockMemory::clockEdge() {
  const sc_core::sc_time now = parameters_.clock.stamp();
  while (open_ != 0 && parameters_.clock.time(at_ + 1) <= now) rise();
  arm();
}

void BlockMemory::arm() {
  edge_.cancel();
  if (open_ == 0) return;
  edge_.set(parameters_.clock.time(at_ + 1));
}

LaneMask BlockMemory::rise() {
  response_.valid = 0;
  response_.passes = 0;
  if (waves_ != nullptr) waves_->setCycle(at_);
  const LaneMask taken =
      inBlock([&] { return edge(request_, response_); }, [&] { return atWork(); });
  if (waves_ != nullptr) waves_->setCycle(kNever);
  ++at_;
  const LaneMask stray = taken & ~request_.valid;
  if (stray != 0) report("a block takes lanes that it was not offered: " + lanesText(stray));
  countPasses(taken);
  quiet_ = taken == 0 && response_.valid == 0 && response_.passes == 0 ? quiet_ + 1 : 0;
  if (quiet_ > kMostEdges) hang();
  if (taken != 0 && (!request_.write || behaviour_.answersStores)) {
    Step& step = steps_[request_.tag];
    if (step.waiting == 0) ++open_;
    step.waiting |= taken & request_.valid;
  }
  forEachLane(response_.valid, [&](unsigned lane) { answer(lane); });
  return taken;
}

void BlockMemory::countPasses(LaneMask taken) {
  if (!behaviour_.tellsPasses) {
    if (taken != 0) ++passes_;
    return;
  }
  if (taken != 0) ++untold_;
  if (response_.passes == 0) return;
  passes_ += response_.passes;
  if (untold_ != 0) {
    --untold_;
    return;
  }
  report(fmt::format("a block tells {} passes, and has told those of all lanes that it took",
                     response_.passes));
}

BlockAtWork BlockMemory::atWork() const {
  const std::string words =
      lanesText(request_.valid, [&](unsigned lane) { return std::to_string(request_.word[lane]); });
  return {"memory " + std::string(name()), at_, words.empty() ? "" : "lane:word " + words};
}

void BlockMemory::answer(unsigned lane) {
  const unsigned tag = response_.tag[lane];
  const LaneMask bit = laneBit(lane);
  if (tag >= behaviour_.tags || (steps_[tag].waiting & bit) == 0) {
    return report(fmt::format("a block answers lane {} with tag {}, of which nothing is under way",
                              lane, tag));
  }
  Step& step = steps_[tag];
  if (step.expected != nullptr) compare(step, lane, response_.data[lane]);
  step.waiting &= ~bit;
  if (step.waiting != 0) return;
  --open_;
  tlm::tlm_generic_payload& payload = *step.payload;
  if (&payload == taking_ || underWay(payload)) return;
  respond(payload, parameters_.clock.time(at_ + parameters_.latency) - parameters_.clock.stamp());
}

bool BlockMemory::underWay(const tlm::tlm_generic_payload& payload) const {
  return open_ != 0 && std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
           return step.waiting != 0 && step.payload == &payload;
         });
}

void BlockMemory::compare(const Step& step, unsigned lane, std::uint32_t word) {
  if (step.k == 0) ++compared_;
  bool differs = false;
  forEachByte(*step.access, lane, step.k, [&](unsigned b, unsigned inWord) {
    const std::uint8_t found = byteOf(word, inWord);
    const std::uint8_t expected = (*step.expected)[lane][b];
    if (found == expected || differs) return;
    differs = true;
    reportMismatch(*step.access, lane, b, sizeof(std::uint32_t), found, expected);
  });
}

void BlockMemory::hang() const {
  std::string fails;
  if (request_.valid != 0) {
    fails = fmt::format("takes none of lanes {} of {}", lanesText(request_.valid),
                        pcText(*steps_[request_.tag].access));
  } else if (untold_ != 0) {
    fails = "tells no passes of " + pcText(*steps_[request_.tag].access);
  } else {
    const auto step = std::find_if(steps_.begin(), steps_.end(),
                                   [](const Step& one) { return one.waiting != 0; });
    fails = fmt::format("answers none of lanes {} with tag {}, of {}", lanesText(step->waiting),
                        step - steps_.begin(), pcText(*step->access));
  }
  throw std::runtime_error(fmt::format("a memory of RTL, {}, hangs in cycle {}: in {} edges it {}",
                                       name(), at_, unsigned{kMostEdges}, fails));
}

}  // namespace fermata::rtl
