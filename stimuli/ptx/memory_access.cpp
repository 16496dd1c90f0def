#include <fermata/stimuli/ptx/memory_access.h>

#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {
namespace {

std::string_view spaceName(MemorySpace space) {
  switch (space) {
    case MemorySpace::Shared:
      return "shared";
    case MemorySpace::Local:
      return "local";
    case MemorySpace::Constant:
      return "constant";
    case MemorySpace::Parameter:
      return "parameter";
    case MemorySpace::Texture:
      return "texture";
    default:
      return "global";
  }
}

std::string_view operationName(const Instruction& instruction) {
  switch (instruction.operation) {
    case MemoryOperation::Store:
      return "store";
    case MemoryOperation::Atomic:
      return "atomic";
    case MemoryOperation::Load:
      break;
  }
  return "load";
}

std::string sharedText(const Machine& machine) {
  std::string text = message("the CTA has {} bytes of shared memory", machine.sharedBytes);
  for (std::size_t k = 0; k < machine.code->sharedNames.size() && k < 8; ++k) {
    text += (k == 0 ? ": " : ", ") + machine.code->sharedNames[k];
  }
  return text;
}

MemorySpace spaceOfGeneric(std::uint64_t address) {
  if (address >= kSharedWindow && address < kSharedWindow + kWindowBytes)
    return MemorySpace::Shared;
  if (address >= kLocalWindow && address < kLocalWindow + kWindowBytes) return MemorySpace::Local;
  if (address >= kParameterWindow && address < kParameterWindow + kWindowBytes)
    return MemorySpace::Parameter;
  return MemorySpace::Global;
}

std::uint64_t windowBase(MemorySpace space) {
  switch (space) {
    case MemorySpace::Shared:
      return kSharedWindow;
    case MemorySpace::Local:
      return kLocalWindow;
    case MemorySpace::Parameter:
      return kParameterWindow;
    default:
      return 0;
  }
}

Window parameterWindow(const Warp& warp) {
  return {warp.machine->parameters.data(), nullptr, 0, warp.machine->code->parameterBytes, false};
}

Window globalWindow(const Warp& warp, const Instruction& instruction, std::uint64_t address) {
  Machine& machine = *warp.machine;
  Allocation* allocation = machine.memory->find(address, instruction.bytesPerLane);
  if (allocation == nullptr) return {};
  machine.hints[static_cast<std::size_t>(&instruction - machine.code->instructions.data())] =
      allocation;
  return windowOf(*allocation);
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

LaneMask resolveGeneric(Warp& warp, const Instruction& instruction, LaneMask mask,
                        WarpInstruction& out) {
  out.space = spaceOfGeneric(out.address[firstLane(mask)]);
  LaneMask others = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    if (spaceOfGeneric(out.address[firstLane(rest)]) != out.space) others |= rest & (0U - rest);
  }
  const std::uint64_t base = windowBase(out.space);
  for (std::uint64_t& address : out.address) address -= base;
  if (others != 0) {
    executeAgain(warp, instruction, others);
    out.active = mask & ~others;
  }
  return mask & ~others;
}

Window laneWindow(const Warp& warp, const Instruction& instruction, unsigned lane,
                  const WarpInstruction& out) {
  const std::uint64_t address = out.address[lane];
  const unsigned bytes = instruction.bytesPerLane;
  Window window;
  switch (out.space) {
    case MemorySpace::Shared:
      window = sharedWindow(warp);
      break;
    case MemorySpace::Local:
      window = localWindow(warp);
      break;
    case MemorySpace::Parameter:
      window = parameterWindow(warp);
      break;
    default:
      window = globalWindow(warp, instruction, address);
      break;
  }
  if (bytes > window.bytes || address < window.base ||
      address - window.base > window.bytes - bytes) {
    failAt(warp, instruction, lane, FaultKind::Address, "{} is out of bounds; {}{}",
           accessText(instruction, out.space, address), outsideText(warp, out.space, address),
           cureText(instruction, out.space));
  }
  const unsigned alignment = instruction.bytesPerLane;
  if (address % alignment != 0) {
    failAt(warp, instruction, lane, FaultKind::Misaligned,
           "{} is misaligned; expected a multiple of {}",
           accessText(instruction, out.space, address), alignment);
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

bool readGeneric(const Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes,
                 std::uint8_t* to) {
  const MemorySpace space = spaceOfGeneric(address);
  address -= windowBase(space);
  Window window;
  if (space == MemorySpace::Global) {
    const Allocation* allocation = warp.machine->memory->find(address, bytes);
    if (allocation != nullptr) window = windowOf(*allocation);
  } else {
    window = space == MemorySpace::Shared  ? sharedWindow(warp)
             : space == MemorySpace::Local ? localWindow(warp)
                                           : parameterWindow(warp);
  }
  if (bytes > window.bytes || address < window.base ||
      address - window.base > window.bytes - bytes || address % bytes != 0)
    return false;
  readLane(window, address, lane, bytes, to);
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
    failAt(warp, instruction, lane,
           "{} {} of {} bytes at address {:#x} reads memory that was never written (byte {})",
           spaceName(warp.machine->out->space), operationName(instruction), bytes, address, byte);
  }
}

void loadByLane(Warp& warp, const Instruction& instruction, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  const unsigned elementBytes = instruction.bytesPerLane / instruction.elements;
  const bool carry = warp.machine->options.carryData;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1U) == 0) continue;
    std::uint8_t data[WarpInstruction::kMaxBytesPerLane];
    if (!readStray(warp, instruction, lane, out, data)) {
      const Window window = laneWindow(warp, instruction, lane, out);
      checkWritten(warp, instruction, window, out.address[lane], lane, instruction.bytesPerLane);
      readLane(window, out.address[lane], lane, instruction.bytesPerLane, data);
    }
    if (carry) std::memcpy(out.data[lane].data(), data, instruction.bytesPerLane);
    for (unsigned e = 0; e < instruction.elements; ++e) {
      std::uint64_t value = 0;
      std::memcpy(&value, data + e * elementBytes, elementBytes);
      const unsigned unused = 64 - 8 * elementBytes;
      if (instruction.signExtend)
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
      if (instruction.registerBytes < 8)
        value &= (std::uint64_t{1} << (8 * instruction.registerBytes)) - 1;
      if (instruction.wideData) {
        rowOf<std::uint64_t>(warp, instruction.vector[e])[lane] = value;
      } else {
        rowOf<std::uint32_t>(warp, instruction.vector[e])[lane] = static_cast<std::uint32_t>(value);
      }
    }
  }
  out.hasData = carry;
  if (out.space == MemorySpace::Local) exposeLocalAddresses(warp, out);
}

void storeByLane(Warp& warp, const Instruction& instruction, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  const unsigned elementBytes = instruction.bytesPerLane / instruction.elements;
  const bool carry = warp.machine->options.carryData;
  if (out.space == MemorySpace::Parameter)
    failAt(warp, instruction, -1, "store to a kernel parameter");
  // Check all lanes before any is stored.
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1U) != 0) laneWindow(warp, instruction, lane, out);
  }
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1U) == 0) continue;
    const Window window = laneWindow(warp, instruction, lane, out);
    std::uint8_t data[WarpInstruction::kMaxBytesPerLane];
    for (unsigned e = 0; e < instruction.elements; ++e) {
      const std::uint64_t value =
          laneValue(warp, instruction.vector[e], instruction.wideData, lane);
      std::memcpy(data + e * elementBytes, &value, elementBytes);
    }
    writeLane(window, out.address[lane], lane, instruction.bytesPerLane, data);
    if (carry) std::memcpy(out.data[lane].data(), data, instruction.bytesPerLane);
  }
  out.hasData = carry;
  if (out.space == MemorySpace::Local) exposeLocalAddresses(warp, out);
}

// Consecutive words of a lane lie 32 words apart (CUDA C++ Programming Guide, local memory). The
// words of a wider access are shown side by side; for a whole warp the lines are equal.
void exposeLocalAddresses(const Warp& warp, WarpInstruction& out) {
  const std::uint64_t base =
      kLocalTimingBase + std::uint64_t{warp.slot} * warp.machine->localBytesPerWarp;
  const std::uint64_t unit = std::max<std::uint64_t>(4, out.bytesPerLane);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint64_t offset = out.address[lane];
    const std::uint64_t within = offset & (unit - 1);
    out.address[lane] = base + (offset - within) * kWarpLanes + lane * unit + within;
  }
}

}  // namespace fermata::ptx
