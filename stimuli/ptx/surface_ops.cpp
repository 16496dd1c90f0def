// suld.b and sust.b: access bytes of an array, with checks at its edges.
#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

const Surface& surfaceOf(const Warp& warp, const Instruction& i, unsigned lane) {
  const std::uint64_t handle = laneValue(warp, i.a, i.wideBase, lane);
  const auto& surfaces = warp.machine->surfaces;
  const std::uint64_t at = handle - kFirstSurface;
  if (handle < kFirstSurface || at >= surfaces.size() || surfaces[at].address == 0) {
    failAt(warp, i, lane, "there is no surface of handle {:#x}, or it was destroyed", handle);
  }
  return surfaces[at];
}

/// Finds the address of a lane's bytes. Returns false beyond an edge, if the access is left out
/// there.
bool locate(const Warp& warp, const Instruction& i, unsigned lane, std::uint64_t& address) {
  const Surface& surface = surfaceOf(warp, i, lane);
  const std::array<std::uint64_t, 3> sizes = {surface.widthBytes, surface.height, surface.depth};
  const std::array<Row, 3> rows = {i.b, i.c, i.d};
  std::array<std::uint64_t, 3> at{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if ((i.surface.axes >> axis & 1U) == 0) continue;
    const std::int64_t room = axis == 0 ? i.bytesPerLane : 1;
    const std::int64_t last = static_cast<std::int64_t>(sizes[axis]) - room;
    const std::int64_t wanted =
        static_cast<std::int32_t>(rowOf<std::uint32_t>(warp, rows[axis])[lane]);
    if (axis == 0 && wanted % room != 0) {
      failAt(warp, i, lane,
             "surface access of {} bytes at byte {} of a row; expected a multiple of {}", room,
             wanted, room);
    }
    if (wanted < 0 || wanted > last) {
      const auto edge = i.surface.edge;
      if (edge == SurfaceEdge::Trap || last < 0) {
        constexpr const char* kNames[] = {"byte", "row", "slice or layer"};
        failAt(warp, i, lane, "surface access out of bounds: {} {} of {}", kNames[axis], wanted,
               sizes[axis]);
      }
      if (edge == SurfaceEdge::Zero) return false;
    }
    at[axis] = static_cast<std::uint64_t>(std::clamp<std::int64_t>(wanted, 0, last / room * room));
  }
  const std::uint64_t row = surface.rowBytes != 0 ? surface.rowBytes : surface.widthBytes;
  const std::uint64_t slice = surface.sliceBytes != 0 ? surface.sliceBytes : row * surface.height;
  address = surface.address + at[2] * slice + at[1] * row + at[0];
  return true;
}

}  // namespace

void executeSurface(Warp& warp, const Instruction& i, LaneMask mask) {
  Machine& machine = *warp.machine;
  WarpInstruction& out = *machine.out;
  out.hasData = machine.options.carryData;
  LaneMask inside = 0;
  for (const unsigned lane : lanesIn(mask)) {
    std::uint64_t address = 0;
    if (!locate(warp, i, lane, address)) {
      if (i.operation == MemoryOperation::Load) loadElements(warp, i, lane, nullptr);
      continue;
    }
    inside |= LaneMask{1} << lane;
    out.address[lane] = address;
    const Window window = laneWindow(warp, i, lane, out);
    std::uint8_t* at = window.data + (address - window.base);
    if (i.operation == MemoryOperation::Load) {
      checkWritten(warp, i, window, address, lane, i.bytesPerLane);
      loadElements(warp, i, lane, at);
    } else {
      storeElements(warp, i, lane, at);
      if (window.written != nullptr)
        std::memset(window.written + (address - window.base), 1, i.bytesPerLane);
    }
    if (out.hasData) std::memcpy(out.data[lane].data(), at, i.bytesPerLane);
  }
  out.active = inside;
}

}  // namespace fermata::ptx
