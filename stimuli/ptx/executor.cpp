#include <fermata/stimuli/ptx/executor.h>

#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/executor_state.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/machine_code.h>
#include <fermata/stimuli/ptx/needed_capability.h>
#include <fermata/stimuli/ptx/tensor_memory.h>

namespace fermata::ptx {
namespace {

constexpr std::uint64_t kMaxThreads = 1024;
constexpr std::size_t kPaddingBytes = 16;

std::uint32_t sharedBytesOf(const Launch& launch) {
  return launch.kernel->staticSharedBytes() + launch.dynamicSharedBytes;
}

std::string dimText(const Dim3& dim) {
  return fmt::format("({},{},{})", dim.x, dim.y, dim.z);
}

void checkLaunch(const Launch& launch, const ExecutorOptions& options, unsigned slots) {
  if (launch.kernel == nullptr) refuse("a launch without a kernel");
  const Kernel& kernel = *launch.kernel;
  const auto refuseLaunch = [&](const auto&... text) {
    refuse("kernel '{}': {}", kernel.name(), message(text...));
  };
  // Bound each dimension before the product of three 32-bit numbers, which might overflow.
  const Dim3 &block = launch.block, &grid = launch.grid;
  const bool sane = block.x <= kMaxThreads && block.y <= kMaxThreads && block.z <= kMaxThreads;
  const std::uint64_t threads = sane ? block.count() : kMaxThreads + 1;
  if (threads == 0 || threads > kMaxThreads) {
    refuseLaunch("block {} has {} threads; expected 1 to 1024", dimText(block),
                 sane ? std::to_string(threads) : "too many");
  }
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffU || grid.y > 65535 ||
      grid.z > 65535)
    refuseLaunch("grid {}; expected 1 to 2147483647, 65535, 65535", dimText(grid));
  const std::uint32_t required = kernel.requiredThreads(), most = kernel.maximumThreads();
  if (required != 0 && threads != required)
    refuseLaunch("block of {} threads; .reqntid expects {}", threads, required);
  if (most != 0 && threads > most)
    refuseLaunch("block of {} threads; .maxntid allows {}", threads, most);
  if (launch.parameters.size() != kernel.parameterBytes()) {
    refuseLaunch("{} bytes of parameters; expected {}", launch.parameters.size(),
                 kernel.parameterBytes());
  }
  const std::uint64_t shared =
      std::uint64_t{kernel.staticSharedBytes()} + launch.dynamicSharedBytes;
  if (shared > options.sharedLimit) {
    refuseLaunch("{} bytes of shared memory ({} static); expected at most {}", shared,
                 kernel.staticSharedBytes(), options.sharedLimit);
  }
  if (const std::uint64_t warps = (threads + kWarpLanes - 1) / kWarpLanes; warps > slots)
    refuseLaunch("a CTA has {} warps; the executor has {} slots", warps, slots);
  checkCluster(launch);
}

constexpr std::uint64_t kMostLocalBytes = std::uint64_t{1} << 30;  ///< over all warps

/// Returns the bytes of local memory per thread: the kernel's own and, if functions are called, a
/// stack of at most `stackBytes`, as large as the limit over all warps allows.
std::uint32_t localLimitOf(const KernelCode& code, std::uint32_t stackBytes, std::size_t slots) {
  const std::uint64_t most = kMostLocalBytes / slots / kWarpLanes / 4 * 4;
  const std::uint64_t own = (std::uint64_t{code.localBytes} + 3) / 4 * 4;
  if (own > most) {
    refuse(
        "kernel '{}': {} bytes of local memory a thread do not fit; expected at most 1 "
        "GiB over {} warps",
        code.name, own, slots);
  }
  const std::uint64_t stack = code.called.empty() ? 0 : stackBytes / 4 * 4;
  return static_cast<std::uint32_t>(own + std::min(stack, most - own));
}

}  // namespace

Executor::Executor(unsigned warpSlots, DeviceMemory& memory, ExecutorOptions options)
    : state_(std::make_unique<State>(warpSlots, memory, options)) {
  if (warpSlots == 0) refuse("an executor without warp slots");
}
Executor::Executor(Executor& other, unsigned warpSlots)
    : state_(std::make_unique<State>(*other.state_, warpSlots)) {}
Executor::~Executor() = default;

void Executor::State::takeOver() {
  if (beside == nullptr) return;
  const Machine& its = beside->machine;
  machine.options = its.options;
  machine.options.launches = nullptr;
  machine.textures = its.textures;
  machine.surfaces = its.surfaces;
  gridNumber = beside->gridNumber++;
}

void Executor::load(const Module& module) {
  state_->modules.load(module.data());
}

void Executor::place(const Module& module, const std::string& name, void* data) {
  state_->modules.place(module.data(), name, data);
}

std::uint64_t Executor::symbolAddress(const Module& module, const std::string& name) {
  load(module);
  return state_->modules.addressOf(state_->modules.variableNamed(module.data(), name, false));
}

std::uint64_t Executor::State::constantValue(const ConstantRow& row, unsigned lane) const {
  using Kind = ConstantRow::Kind;
  if (row.kind == Kind::Value) return row.value;
  if (row.kind == Kind::Address) return modules.addressOf(*row.variable) + row.value;
  if (row.kind == Kind::Function) return machine.functionBase + row.value * kFunctionStride;
  const Dim3 &block = machine.launch.block, &grid = machine.launch.grid;
  const Dim3& cluster = machine.cluster;
  const std::uint64_t bit = std::uint64_t{1} << lane;
  const std::uint64_t values[] = {lane,
                                  bit,
                                  (bit << 1) - 1,
                                  bit - 1,
                                  kAllLanes & ~(bit - 1),
                                  kAllLanes & ~((bit << 1) - 1),
                                  block.x,
                                  block.y,
                                  block.z,
                                  grid.x,
                                  grid.y,
                                  grid.z,
                                  warpSlots,
                                  machine.launch.dynamicSharedBytes,
                                  machine.sharedBytes,
                                  gridNumber,
                                  cluster.x,
                                  cluster.y,
                                  cluster.z,
                                  machine.clusterCtas,
                                  grid.x / cluster.x,
                                  grid.y / cluster.y,
                                  grid.z / cluster.z};  // order of Kind, from LaneId on
  return values[static_cast<std::size_t>(row.kind) - static_cast<std::size_t>(Kind::LaneId)];
}

void Executor::State::fillConstants() {
  constants = AlignedBytes(machine.code->constantBytes + kWideRowBytes);
  for (const ConstantRow& row : machine.code->constants) {
    std::uint8_t* at = constants.get() + (row.row & ~kConstantBit);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint64_t value = constantValue(row, lane);
      std::memcpy(at + lane * (row.wide ? 8 : 4), &value, row.wide ? 8 : 4);
    }
  }
}

void Executor::State::prepareRows() {
  const KernelCode& code = *machine.code;
  // One extra cache line keeps equal rows of different warps out of the same cache sets.
  registerStride = code.registerBytes + AlignedBytes::kAlignment;
  // Reuse the allocation: one per launch would leave the heap fragmented. startWarp() clears the
  // rows.
  if (const std::size_t bytes = registerStride * warps.size(); bytes > registerBytes) {
    registers = AlignedBytes();
    registers = AlignedBytes::uninitialised(registerBytes = bytes);
  }
  predicates.assign(std::size_t{code.predicateCount} * warps.size(), 0);
  machine.frameBytes = 0;
  local.clear();
  localWritten.clear();
  local.resize(warps.size());
  localWritten.resize(warps.size());
  for (std::size_t slot = 0; slot < warps.size(); ++slot) {
    Warp& warp = warps[slot];
    warp = Warp{};
    warp.machine = &machine;
    warp.slot = static_cast<std::uint32_t>(slot);
    warp.base[0] = registers.get() + slot * registerStride;
    warp.base[1] = constants.get();
    warp.predicates = predicates.data() + slot * code.predicateCount;
    warp.entryRows = warp.base[0];
    warp.entryPredicates = warp.predicates;
  }
  for (Cta& cta : ctas) cta = Cta{};
}

void Executor::begin(const Launch& launch, bool unseen) {
  State& s = *state_;
  checkLaunch(launch, s.machine.options, static_cast<unsigned>(s.warps.size()));
  s.modules.load(*launch.kernel->code().module);
  s.takeOver();
  Machine& machine = s.machine;
  const bool lowers = machine.options.code == MachineLevel::Sass && !unseen;
  machine.lowered = lowers ? &launch.kernel->machineCode() : nullptr;
  machine.code = lowers ? machine.lowered->code.get() : &launch.kernel->code();
  s.refusing = refusingWhatLacks(*machine.code, machine.options.capability);
  if (s.refusing != nullptr) machine.code = s.refusing.get();
  machine.launch = launch;
  machine.sharedBytes = sharedBytesOf(launch);
  machine.cluster = clusterOf(launch);
  machine.clusterCtas = clusterCtas(launch);
  machine.explicitCluster = launch.cluster || launch.kernel->requiredCluster()[0] != 0;
  machine.filling.reset();
  machine.takeCluster = nullptr;
  beginTensorMemory(machine);
  machine.functionBase = s.modules.functionBase(*machine.code->module);
  machine.localLimit = localLimitOf(*machine.code, machine.options.stackBytes, s.warps.size());
  machine.localBytesPerWarp = (machine.localLimit + 15) / 16 * 16 * kWarpLanes;
  machine.parameters = launch.parameters;
  machine.parameters.resize(launch.parameters.size() + kPaddingBytes);
  machine.hints.assign(machine.code->instructions.size(), nullptr);
  machine.hintGeneration = machine.memory->generation();
  s.joinMachines();
  machine.executed = 0;
  machine.printfCalls = 0;
  machine.awaitsGrids = false;
  machine.signalled = 0;
  machine.warpsPerCta = static_cast<unsigned>((launch.block.count() + kWarpLanes - 1) / kWarpLanes);
  s.fillConstants();
  s.prepareRows();
  s.beginTurns();
  if (unseen) s.askForCode();
  ++s.gridNumber;
}

void Executor::giveClusters(std::function<std::uint64_t()> take) {
  state_->machine.takeCluster = std::move(take);
}

void Executor::startCta(std::uint64_t cta, unsigned firstSlot) {
  State& s = *state_;
  const Launch& launch = s.machine.launch;
  if (s.machine.code == nullptr || cta >= launch.grid.count() ||
      firstSlot + s.machine.warpsPerCta > s.warps.size()) {
    refuse("startCta: CTA {} in slot {} is outside the grid or the slots", cta, firstSlot);
  }
  if (s.machine.crew != nullptr) s.tellCrew(*s.warps[firstSlot].machine);
  Cta& place = s.ctas[firstSlot];
  const bool track = s.machine.options.checkUninitialised;
  const std::size_t sharedBytes = s.machine.sharedBytes + kPaddingBytes;
  if (place.shared == nullptr) {
    place.shared = std::make_unique<std::uint8_t[]>(sharedBytes);
    if (track) place.sharedWritten = std::make_unique<std::uint8_t[]>(sharedBytes);
  } else {
    std::memset(place.shared.get(), 0, sharedBytes);
    if (track) std::memset(place.sharedWritten.get(), 0, sharedBytes);
  }
  place.live = true;
  place.number = cta;
  place.firstSlot = firstSlot;
  place.index = ctaIndex(launch.grid, s.machine.cluster, cta);
  place.signalled = false;
  place.reductions = {};
  place.waves.clear();
  joinCluster(*s.warps[firstSlot].machine, place);
  for (unsigned k = 0; k < s.machine.warpsPerCta; ++k) {
    Warp& warp = s.warps[firstSlot + k];
    s.startWarp(warp, place, k);
    if (s.machine.lowered != nullptr) State::passFree(warp);
  }
}

void Executor::State::startWarp(Warp& warp, Cta& cta, unsigned index) {
  const KernelCode& code = *machine.code;
  const std::uint64_t threads = machine.launch.block.count() - std::uint64_t{index} * kWarpLanes;
  warp.alive = warp.active = threads >= kWarpLanes ? kAllLanes : (LaneMask{1} << threads) - 1;
  warp.pc = warp.step = 0;
  warp.reconverge = kNoReconvergence;
  enterFrame(warp, 0);
  warp.localTop = warp.localCleared = code.localBytes;
  warp.carry = 0;
  warp.cta = &cta;
  warp.indexInCta = index;
  warp.reductionsDone.fill(0);
  warp.paths.clear();
  warp.splits.clear();
  warp.turns = {};
  warp.wasSplit = warp.atCluster = false;
  warp.copies.clear();
  std::memset(warp.base[0], 0, code.registerBytes);
  std::fill_n(warp.predicates, code.predicateCount, 0);
  warp.predicates[kTruePredicate] = kAllLanes;
  if (machine.localLimit != 0) {  // clearLocal() clears what calls add
    const std::size_t bytes = machine.localBytesPerWarp;
    const std::size_t cleared = std::size_t{code.localBytes} * kWarpLanes;
    auto& memory = local[warp.slot];
    if (memory == nullptr) memory.reset(new std::uint8_t[bytes]);
    std::memset(memory.get(), 0, cleared);
    warp.local = memory.get();
    if (machine.options.checkUninitialised) {
      auto& written = localWritten[warp.slot];
      if (written == nullptr) written.reset(new std::uint8_t[bytes]);
      std::memset(written.get(), 0, cleared);
      warp.localWritten = written.get();
    }
  }
  fillWarpRows(warp);
}

void Executor::endCta(unsigned firstSlot) {
  State& s = *state_;
  if (firstSlot >= s.ctas.size() || !s.ctas[firstSlot].live)
    refuse("endCta: no CTA starts in slot {}", firstSlot);
  for (unsigned k = 0; k < s.machine.warpsPerCta; ++k) landOut(s.warps[firstSlot + k]);
  endTensorMemory(*s.warps[firstSlot].machine, s.ctas[firstSlot]);
  signal(*s.warps[firstSlot].machine, s.ctas[firstSlot]);
  s.ctas[firstSlot].live = false;
}

const StaticInstruction* Executor::peek(unsigned slot) const {
  const Warp& warp = state_->warps[slot];
  if (warp.active == 0) return nullptr;
  const Machine& machine = state_->machine;
  if (machine.lowered == nullptr) return &machine.code->statics[warp.pc];
  return &machine.lowered->statics[machine.lowered->first[warp.pc] + warp.step];
}

void Executor::setStackBytes(std::uint32_t bytes) {
  state_->machine.options.stackBytes = bytes;
}
void Executor::setHeapBytes(std::uint64_t bytes) {
  state_->machine.options.heapBytes = bytes;
}

void Executor::setWarpSlots(unsigned slots) {
  if (slots == 0) refuse("an executor without warp slots");
  state_->warpSlots = slots;
  state_->resize(slots);
}

void Executor::makeRoom(unsigned slots) {
  state_->resize(std::max(slots, state_->warpSlots));
}

void Executor::State::resize(unsigned slots) {
  if (slots == warps.size()) return;
  machine.code = nullptr;
  joinMachines();
  warps = std::vector<Warp>(slots);
  ctas = std::vector<Cta>(slots);
  atomics.assign(slots, nullptr);
}

MachineLevel Executor::code() const {
  return state_->machine.options.code;
}
const Launch& Executor::launch() const {
  return state_->machine.launch;
}
unsigned Executor::warpsPerCta() const {
  return state_->machine.warpsPerCta;
}
unsigned Executor::ctasPerCluster() const {
  return state_->machine.clusterCtas;
}
unsigned Executor::warpSlots() const {
  return state_->warpSlots;
}
unsigned Executor::roomForWarps() const {
  return static_cast<unsigned>(state_->warps.size());
}
void Executor::setModel(const ModelState* model) {
  state_->machine.model = model;
  for (const auto& machine : state_->apart) machine->model = model;
}

unsigned Executor::jobs() const {
  return state_->machine.options.jobs;
}
std::uint64_t Executor::printfCalls() const {
  return state_->machine.printfCalls;
}

const StrayReads& Executor::strayReads() const {
  return state_->machine.strayReads;
}

std::string Executor::describe(unsigned slot) const {
  const Warp& warp = state_->warps[slot];
  if (warp.cta == nullptr) return fmt::format("slot {} is empty", slot);
  if (warp.active == 0) return describeWarp(warp) + ", exited";
  const KernelCode& code = *state_->machine.code;
  const CodeText& text = code.texts[warp.pc];
  return fmt::format("{}, at {}:{} ({})", describeWarp(warp), code.fileName, text.ptxLine,
                     text.opcode);
}

}  // namespace fermata::ptx
