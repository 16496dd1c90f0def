// Calls of functions that are not inlined: a stack of frames, and lanes that part by the function
// they call.
#include <algorithm>
#include <array>
#include <cstring>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

constexpr std::uint64_t kMostFrameBytes = std::uint64_t{1} << 30;  ///< over all warps
constexpr std::size_t kWordBytes = 4;
constexpr std::uint32_t kLeastStackBytes = 16;  ///< bytes that a call takes

/// Returns the rows of the frame that a call made now gives to the callee. Creates the frame at
/// first use.
std::uint8_t* calleeRows(Warp& warp, const Instruction& i, LaneMask mask) {
  const KernelCode& code = *warp.machine->code;
  if (warp.frames.size() <= warp.depth) {
    std::uint64_t& taken = warp.machine->frameBytes;
    taken += code.calledNarrowBytes + code.calledWideBytes;
    if (taken > kMostFrameBytes) {
      failAt(
          warp, i, firstLane(mask),
          "calls that have not returned, {} deep, take more than 1 GiB of registers over all warps",
          warp.depth);
    }
    CallFrame frame;
    frame.rows =
        AlignedBytes(code.calledNarrowBytes + code.calledWideBytes + AlignedBytes::kAlignment);
    frame.predicates.assign(code.calledPredicates, 0);
    frame.predicates[kTruePredicate] = kAllLanes;
    warp.frames.push_back(std::move(frame));
  }
  return warp.frames[warp.depth].rows.get();
}

void copyLanes(std::uint8_t* to, const std::uint8_t* from, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask))
    std::memcpy(to + lane * kWordBytes, from + lane * kWordBytes, kWordBytes);
}

std::string nameOfAddress(const Warp& warp, std::uint64_t address) {
  const auto& functions = warp.machine->code->module->ast->functions;
  const std::uint64_t number = (address - warp.machine->functionBase) / kFunctionStride;
  const std::string value = fmt::format("an indirect call of {:#x}", address);
  if (address < warp.machine->functionBase || number >= functions.size() ||
      address % kFunctionStride != 0)
    return value + ", where there is no function of this module";
  const Function& function = *functions[number];
  if (!function.isDefined) return value + ": '" + function.name + "' is declared but not defined";
  return value + ": '" + function.name +
         "' does not fit the prototype of the call, or is not among its .calltargets";
}

const CalledFunction& callee(const Warp& warp, const Instruction& i, unsigned lane) {
  const KernelCode& code = *warp.machine->code;
  if (i.call.direct) return code.called[i.call.callee];
  const std::vector<std::uint32_t>& targets = code.callTargets[i.call.callee];
  const std::uint64_t address = laneValue(warp, i.a, i.wideBase, lane);
  const std::uint64_t number = (address - warp.machine->functionBase) / kFunctionStride;
  const bool known = address >= warp.machine->functionBase && address % kFunctionStride == 0 &&
                     number < targets.size() && targets[number] != kNoFunction;
  if (!known) failAt(warp, i, lane, nameOfAddress(warp, address));
  return code.called[targets[number]];
}

LaneMask sameCallee(const Warp& warp, const Instruction& i, LaneMask mask) {
  if (i.call.direct) return mask;
  const std::uint64_t address = laneValue(warp, i.a, i.wideBase, firstLane(mask));
  return lanesWhere(
      mask, [&](unsigned lane) { return laneValue(warp, i.a, i.wideBase, lane) == address; });
}

/// Zeroes local memory up to `top` where no earlier call has reached.
void clearLocal(Warp& warp, std::uint32_t top) {
  if (top <= warp.localCleared) return;
  const std::size_t from = std::size_t{warp.localCleared} * kWarpLanes;
  const std::size_t bytes = std::size_t{top - warp.localCleared} * kWarpLanes;
  std::memset(warp.local + from, 0, bytes);
  if (warp.localWritten != nullptr) std::memset(warp.localWritten + from, 0, bytes);
  warp.localCleared = top;
}

/// Returns the path on which the function begins.
Path enter(Warp& warp, const Instruction& i, const CalledFunction& function, LaneMask mask) {
  const std::uint32_t align = function.localAlignment;
  const std::uint32_t base = (warp.localTop + align - 1) / align * align;
  const std::uint64_t top = std::max(std::uint64_t{base} + function.localBytes,
                                     std::uint64_t{warp.localTop} + kLeastStackBytes);
  if (top > warp.machine->localLimit) {
    failAt(warp, i, firstLane(mask),
           "stack overflow: '{}', {} calls deep, needs {} bytes of local memory; a thread has {}",
           function.function->name, warp.depth, top, warp.machine->localLimit);
  }
  clearLocal(warp, static_cast<std::uint32_t>(top));
  return {function.first, function.end, mask, warp.depth + 1, static_cast<std::uint32_t>(top)};
}

}  // namespace

void executeArgument(Warp& warp, const Instruction& i, LaneMask mask) {
  std::uint8_t* rows = calleeRows(warp, i, mask) + i.call.frameByte;
  for (unsigned word = 0; word < i.elements; ++word)
    copyLanes(rows + word * kRowBytes, rowBytes(warp, i.vector[word]), mask);
}

void executeResult(Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint8_t* rows = calleeRows(warp, i, mask) + i.call.frameByte;
  for (unsigned word = 0; word < i.elements; ++word)
    copyLanes(rowBytes(warp, i.vector[word]), rows + word * kRowBytes, mask);
}

void executeCall(Warp& warp, const Instruction& i, LaneMask mask) {
  calleeRows(warp, i, mask);
  warp.paths.push_back(pathAt(warp, warp.pc, warp.reconverge, warp.active));
  std::array<Path, kWarpLanes> sides;
  std::size_t count = 0;
  for (LaneMask rest = mask; rest != 0;) {
    const CalledFunction& function = callee(warp, i, firstLane(rest));
    const LaneMask side = sameCallee(warp, i, rest);
    sides[count++] = enter(warp, i, function, side);
    rest &= ~side;
  }
  while (count-- > 0) warp.paths.push_back(sides[count]);
  reconverge(warp);
}

// Runs when the function begins, not at the call: lanes that call another function first may have
// rows of another width at the same places.
void executePrologue(Warp& warp, const Instruction& i, LaneMask mask) {
  const KernelCode& code = *warp.machine->code;
  const CalledFunction& function = code.called[i.call.callee];
  for (unsigned k = 0; k < kWarpRows; ++k) {
    if (function.warpRows[k] != kUnusedRow)
      copyLanes(warp.base[0] + function.warpRows[k], warp.entryRows + code.warpRows[k], mask);
  }
  const std::uint64_t base = warp.localTop - function.localBytes;
  for (const unsigned lane : lanesIn(mask)) {
    if (function.localBase[0] != kUnusedRow)
      rowOf<std::uint32_t>(warp, function.localBase[0])[lane] = static_cast<std::uint32_t>(base);
    if (function.localBase[1] != kUnusedRow)
      rowOf<std::uint64_t>(warp, function.localBase[1])[lane] = base;
  }
}

void executeReturn(Warp&, const Instruction&, LaneMask) {}

}  // namespace fermata::ptx
