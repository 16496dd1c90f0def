#include <fermata/stimuli/ptx/memory_access.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fermata/stimuli/ptx/bits.h>
#include <fermata/stimuli/ptx/clusters.h>

namespace fermata::ptx {
namespace {

std::string_view spaceName(MemorySpace space) {
  constexpr std::string_view kNames[] = {"global",   "shared",    "global",  "local",
                                         "constant", "parameter", "texture", "global"};
  return kNames[static_cast<std::size_t>(space)];  // order of MemorySpace
}

std::string_view operationName(const Instruction& instruction) {
  return instruction.operation == MemoryOperation::Store    ? "store"
         : instruction.operation == MemoryOperation::Atomic ? "atomic"
                                                            : "load";
}

std::string sharedText(const Machine& machine) {
  std::string text = message("the CTA has {} bytes of shared memory", machine.sharedBytes);
  for (std::size_t k = 0; k < machine.code->sharedNames.size() && k < 8; ++k) {
    text += (k == 0 ? ": " : ", ") + machine.code->sharedNames[k];
  }
  return text;
}

/// The windows of generic addressing.
constexpr std::pair<MemorySpace, std::uint64_t> kWindows[] = {
    {MemorySpace::Shared, kSharedWindow},
    {MemorySpace::Local, kLocalWindow},
    {MemorySpace::Parameter, kParameterWindow}};

Window parameterWindow(const Warp& warp) {
  return {warp.machine->parameters.data(), nullptr, 0, warp.machine->code->parameterBytes, false};
}

/// Returns the window of shared, local or parameter space.
Window windowOfSpace(const Warp& warp, MemorySpace space) {
  return space == MemorySpace::Shared  ? sharedWindow(warp)
         : space == MemorySpace::Local ? localWindow(warp)
                                       : parameterWindow(warp);
}

Window globalWindow(const Warp& warp, const Instruction& instruction, std::uint64_t address) {
  Machine& machine = *warp.machine;
  Allocation* allocation = machine.memory->find(address, instruction.bytesPerLane);
  if (allocation == nullptr) return {};
  machine.hints[static_cast<std::size_t>(&instruction - machine.code->instructions.data())] =
      allocation;
  return windowOf(*allocation);
}

bool holds(const Window& window, std::uint64_t address, unsigned bytes) {
  return bytes <= window.bytes && address >= window.base &&
         address - window.base <= window.bytes - bytes;
}

std::string outsideText(const Warp& warp, MemorySpace space, std::uint64_t address) {
  const Machine& machine = *warp.machine;
  switch (space) {
    case MemorySpace::Shared:
      return sharedText(machine);
    case MemorySpace::Local:
      return fmt::format("a thread has {} bytes of local memory", warp.localTop);
    case MemorySpace::Parameter:
      return fmt::format("the kernel has {} bytes of parameters", machine.code->parameterBytes);
    default:
      return machine.memory->describe(address);
  }
}

std::string accessText(const Instruction& instruction, MemorySpace space, std::uint64_t address) {
  return fmt::format("{} {} of {} bytes at address {:#x}", spaceName(space),
                     operationName(instruction), instruction.bytesPerLane, address);
}

bool mayStray(const Instruction& instruction, MemorySpace space) {
  return instruction.operation == MemoryOperation::Load &&
         (space == MemorySpace::Global || space == MemorySpace::Constant);
}

std::string cureText(const Instruction& instruction, MemorySpace space) {
  return mayStray(instruction, space) ? "; expected a buffer there, or --allow-stray-reads" : "";
}

/// Reads a load of one lane outside of the allocations, if that is allowed. Returns false for any
/// other access.
bool readStray(const Warp& warp, const Instruction& instruction, unsigned lane,
               const WarpInstruction& out, std::uint8_t* data) {
  Machine& machine = *warp.machine;
  if (!machine.options.allowStrayReads || !mayStray(instruction, out.space)) return false;
  const DeviceMemory& memory = *machine.memory;
  const std::uint64_t address = out.address[lane];
  const unsigned bytes = instruction.bytesPerLane;
  if (address % bytes != 0 || memory.find(address, bytes) != nullptr) return false;
  for (unsigned byte = 0; byte < bytes; ++byte) {
    data[byte] = memory.find(address + byte) != nullptr ? *memory.host(address + byte) : 0;
  }
  StrayReads& stray = machine.strayReads;
  if (stray.count++ == 0) {
    stray.first = errorAt(warp, instruction, lane,
                          message("{}: {}", accessText(instruction, out.space, address),
                                  memory.describe(address)))
                      .what();
  }
  return true;
}

}  // namespace

Window localWindow(const Warp& warp) {
  return {warp.local, warp.localWritten, 0, warp.localTop, true};
}

std::uint64_t windowBase(MemorySpace space) {
  for (const auto& [windowed, base] : kWindows) {
    if (windowed == space) return base;
  }
  return 0;
}

MemorySpace spaceOfGeneric(std::uint64_t address) {
  if (address >= DeviceMemory::kArenaBase) return MemorySpace::Global;
  for (const auto& [space, base] : kWindows) {
    if (address >= base && address < base + kWindowBytes) return space;
  }
  const bool ofCluster = address >= kClusterWindow && address < kClusterWindowEnd;
  return ofCluster ? MemorySpace::Shared : MemorySpace::Global;
}

LaneMask resolveGeneric(Warp& warp, const Instruction& instruction, LaneMask mask,
                        WarpInstruction& out) {
  out.space = spaceOfGeneric(out.address[firstLane(mask)]);
  const LaneMask others = lanesWhere(
      mask, [&](unsigned lane) { return spaceOfGeneric(out.address[lane]) != out.space; });
  const std::uint64_t base = windowBase(out.space);
  for (std::uint64_t& address : out.address) address -= base;
  if (others != 0) {
    executeAgain(warp, instruction, others);
    out.active = mask & ~others;
  }
  return mask & ~others;
}

LaneMask laneAddresses(Warp& warp, const Instruction& i, LaneMask mask, WarpInstruction& out) {
  const bool pointers = i.wideBase && out.space != MemorySpace::Shared;
  const std::uint64_t width = pointers ? ~std::uint64_t{0} : 0xffffffffU;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    out.address[lane] =
        (laneValue(warp, i.a, i.wideBase, lane) + static_cast<std::uint64_t>(i.offset)) & width;
  }
  return out.space == MemorySpace::Generic ? resolveGeneric(warp, i, mask, out) : mask;
}

Window laneWindow(const Warp& warp, const Instruction& instruction, unsigned lane,
                  const WarpInstruction& out) {
  const std::uint64_t address = out.address[lane];
  const unsigned bytes = instruction.bytesPerLane;
  const bool windowed = windowBase(out.space) != 0;
  const Window window = out.space == MemorySpace::Shared
                            ? sharedWindowAt(warp, instruction, lane, address)
                        : windowed ? windowOfSpace(warp, out.space)
                                   : globalWindow(warp, instruction, address);
  if (!holds(window, address, bytes)) {
    failAtAddress(warp, instruction, lane, FaultKind::Address, address, "{} is out of bounds; {}{}",
                  accessText(instruction, out.space, address),
                  outsideText(warp, out.space, address), cureText(instruction, out.space));
  }
  if (address % bytes != 0) {
    failAtAddress(warp, instruction, lane, FaultKind::Misaligned, address,
                  "{} is misaligned; expected a multiple of {}",
                  accessText(instruction, out.space, address), bytes);
  }
  return window;
}

void readLane(const Window& window, std::uint64_t address, unsigned lane, unsigned bytes,
              std::uint8_t* to) {
  for (unsigned done = 0; done < bytes;) {
    const unsigned chunk = window.interleaved && bytes - done > 4 ? 4 : bytes - done;
    std::memcpy(to + done, window.data + window.index(address + done, lane), chunk);
    done += chunk;
  }
}

void writeLane(const Window& window, std::uint64_t address, unsigned lane, unsigned bytes,
               const std::uint8_t* from) {
  for (unsigned done = 0; done < bytes;) {
    const unsigned chunk = window.interleaved && bytes - done > 4 ? 4 : bytes - done;
    const std::uint64_t at = window.index(address + done, lane);
    std::memcpy(window.data + at, from + done, chunk);
    if (window.written != nullptr) std::memset(window.written + at, 1, chunk);
    done += chunk;
  }
}

StoreLog::Bytes& addTo(StoreLog& log, const Warp& warp, const Window& window, LaneMask lanes,
                       const WarpInstruction& out, StoreLog::Update update) {
  const ModelState* const time = warp.machine->model;
  return log.add(time == nullptr ? 0 : time->cycles(), lanes, out.address, out.bytesPerLane,
                 reinterpret_cast<std::uintptr_t>(window.data) - window.base, update);
}

bool mayBeLogged(const Warp& warp, LaneMask lanes, unsigned bytes, const WarpInstruction& out) {
  const StoreLog* const log = logOf(warp, out.space);
  if (log == nullptr || log->empty()) return false;
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  for (const unsigned lane : lanesIn(lanes)) {
    low = std::min(low, out.address[lane]);
    high = std::max(high, out.address[lane]);
  }
  return log->mayMeet(low, high + bytes);
}

void readSeen(const Warp& warp, MemorySpace space, const Window& window, std::uint64_t address,
              unsigned lane, unsigned bytes, std::uint8_t* to) {
  readLane(window, address, lane, bytes, to);
  const StoreLog* const log = logOf(warp, space);
  if (log != nullptr && !log->empty()) log->patch(address, bytes, to);
}

namespace {

/// Returns the window of a generic address, and makes the address one of its space. No window holds
/// bytes that do not lie in the lane's memory.
Window windowOfGeneric(const Warp& warp, std::uint64_t& address, unsigned bytes) {
  const MemorySpace space = spaceOfGeneric(address);
  address -= windowBase(space);
  if (space == MemorySpace::Global) {
    const Allocation* allocation = warp.machine->memory->find(address, bytes);
    return allocation != nullptr ? windowOf(*allocation) : Window();
  }
  if (space == MemorySpace::Shared && namesRank(address)) return windowOfRank(warp, address);
  return windowOfSpace(warp, space);
}

}  // namespace

bool readGeneric(const Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes,
                 std::uint8_t* to) {
  const Window window = windowOfGeneric(warp, address, bytes);
  if (!holds(window, address, bytes) || address % bytes != 0) return false;
  readLane(window, address, lane, bytes, to);
  return true;
}

bool writeGeneric(const Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes,
                  const std::uint8_t* from) {
  const Window window = windowOfGeneric(warp, address, bytes);
  if (!holds(window, address, bytes) || address % bytes != 0) return false;
  writeLane(window, address, lane, bytes, from);
  return true;
}

std::optional<std::string> readString(const Warp& warp, unsigned lane, std::uint64_t address,
                                      std::size_t most) {
  std::string text;
  while (text.size() < most) {
    std::uint8_t c = 0;
    if (!readGeneric(warp, lane, address + text.size(), 1, &c)) return std::nullopt;
    if (c == 0) break;
    text += static_cast<char>(c);
  }
  return text;
}

void checkWritten(const Warp& warp, const Instruction& instruction, const Window& window,
                  std::uint64_t address, unsigned lane, unsigned bytes) {
  if (window.written == nullptr || !warp.machine->options.checkUninitialised) return;
  for (unsigned byte = 0; byte < bytes; ++byte) {
    if (window.written[window.index(address + byte, lane)] != 0) continue;
    failAtAddress(
        warp, instruction, lane, FaultKind::Other, address,
        "{} {} of {} bytes at address {:#x} reads memory that was never written (byte {})",
        spaceName(warp.machine->out->space), operationName(instruction), bytes, address, byte);
  }
}

void loadElements(const Warp& warp, const Instruction& i, unsigned lane, const std::uint8_t* from) {
  const unsigned bytes = i.bytesPerLane / i.elements;
  for (unsigned e = 0; e < i.elements; ++e) {
    std::uint64_t value = 0;
    if (from != nullptr) std::memcpy(&value, from + e * bytes, bytes);
    if (i.signExtend) value = extended(value, 8 * bytes, true);
    setLane(warp, i.vector[e], i.wideData, lane, extended(value, 8U * i.registerBytes, false));
  }
}

void storeElements(const Warp& warp, const Instruction& i, unsigned lane, std::uint8_t* to) {
  const unsigned bytes = i.bytesPerLane / i.elements;
  for (unsigned e = 0; e < i.elements; ++e) {
    const std::uint64_t value = laneValue(warp, i.vector[e], i.wideData, lane);
    std::memcpy(to + e * bytes, &value, bytes);
  }
}

void loadByLane(Warp& warp, const Instruction& instruction, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  const bool carry = warp.machine->options.carryData;
  for (const unsigned lane : lanesIn(mask)) {
    std::uint8_t data[WarpInstruction::kMaxBytesPerLane];
    if (!readStray(warp, instruction, lane, out, data)) {
      const Window window = laneWindow(warp, instruction, lane, out);
      checkWritten(warp, instruction, window, out.address[lane], lane, instruction.bytesPerLane);
      readSeen(warp, out.space, window, out.address[lane], lane, instruction.bytesPerLane, data);
    }
    if (carry) std::memcpy(out.data[lane].data(), data, instruction.bytesPerLane);
    loadElements(warp, instruction, lane, data);
  }
  out.hasData = carry;
  if (out.space == MemorySpace::Local) exposeLocalAddresses(warp, out);
}

void storeByLane(Warp& warp, const Instruction& instruction, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  const bool carry = warp.machine->options.carryData;
  if (out.space == MemorySpace::Parameter)
    failAt(warp, instruction, -1, "store to a kernel parameter");
  // Check all lanes before any is stored.
  for (const unsigned lane : lanesIn(mask)) laneWindow(warp, instruction, lane, out);
  for (const unsigned lane : lanesIn(mask)) {
    const Window window = laneWindow(warp, instruction, lane, out);
    std::uint8_t data[WarpInstruction::kMaxBytesPerLane];
    storeElements(warp, instruction, lane, data);
    if (StoreLog* const log = logOf(warp, out.space); log != nullptr) {
      StoreLog::Bytes& bytes = addTo(*log, warp, window, LaneMask{1} << lane, out);
      std::memcpy(&bytes[std::size_t{lane} * instruction.bytesPerLane], data,
                  instruction.bytesPerLane);
    } else {
      writeLane(window, out.address[lane], lane, instruction.bytesPerLane, data);
    }
    if (carry) std::memcpy(out.data[lane].data(), data, instruction.bytesPerLane);
  }
  out.hasData = carry;
  if (out.space == MemorySpace::Local) exposeLocalAddresses(warp, out);
}

// Words of a lane lie 32 words apart (CUDA C++ Programming Guide, local memory), or as far as the
// model has threads side by side. The words of a wider access are shown side by side; for a whole
// warp the lines are equal.
void exposeLocalAddresses(const Warp& warp, WarpInstruction& out) {
  constexpr std::uint64_t kRow = std::uint64_t{kWarpLanes} * 4;  // a word of each lane
  const Machine& machine = *warp.machine;
  const LocalPlace place =
      machine.model != nullptr ? machine.model->localPlace(warp.slot) : LocalPlace{};
  std::uint64_t base = kLocalTimingBase + std::uint64_t{warp.slot} * machine.localBytesPerWarp;
  std::uint64_t pitch = kRow;
  if (place.warps != 0) {
    base = kLocalTimingBase + place.warp % place.warps * kRow +
           place.warp / place.warps * place.warps * machine.localBytesPerWarp;
    pitch = place.warps * kRow;
  }
  const std::uint64_t unit = std::max<std::uint64_t>(4, out.bytesPerLane);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint64_t offset = out.address[lane];
    const std::uint64_t within = offset & (unit - 1);
    const std::uint64_t side = lane * unit;
    out.address[lane] = base + ((offset - within) / 4 + side / kRow) * pitch + side % kRow + within;
  }
}

}  // namespace fermata::ptx
