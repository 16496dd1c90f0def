#include <fermata/platforms/cudart/copies.h>

#include <fermata/stimuli/ptx/warp.h>

#include <cstring>
#include <utility>

namespace fermata::cudart {
namespace {

enum class Side { Host, Device };

std::uint64_t addressOf(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// Returns the bytes from the first byte of the rows to behind their last.
std::size_t extent(const Place& place, const Rows& rows) {
  return sum(sum(product(rows.depth - 1, place.slicePitch), product(rows.height - 1, place.pitch)),
             rows.width);
}

bool isEmpty(const Rows& rows) { return rows.width == 0 || rows.height == 0 || rows.depth == 0; }

Side sideOf(Session& session, const void* pointer) {
  return session.launcher.memory().find(addressOf(pointer)) != nullptr ? Side::Device : Side::Host;
}

std::pair<Side, Side> sidesOf(Session& session, const void* to, const void* from,
                              cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return {Side::Host, Side::Host};
    case cudaMemcpyHostToDevice:
      return {Side::Device, Side::Host};
    case cudaMemcpyDeviceToHost:
      return {Side::Host, Side::Device};
    case cudaMemcpyDeviceToDevice:
      return {Side::Device, Side::Device};
    case cudaMemcpyDefault:
      return {sideOf(session, to), sideOf(session, from)};
  }
  throw ApiError(cudaErrorInvalidMemcpyDirection, "a direction that there is not");
}

/// Returns the bytes of a place as this process reaches them.
std::uint8_t* bytesOf(Session& session, const Place& place, const Rows& rows, Side side,
                      const char* what) {
  const std::uint64_t address = addressOf(place.pointer);
  const std::size_t bytes = extent(place, rows);
  (void)sum(address, bytes);
  ptx::DeviceMemory& memory = session.launcher.memory();
  const auto wrong = [&](const std::string& why) {
    fail(cudaErrorInvalidValue, "{} of {} bytes at {}{}", what, bytes, ptx::hexAddress(address),
         why);
  };
  if (place.pointer == nullptr) wrong(": a null pointer");
  if (side == Side::Device) {
    if (memory.find(address, bytes) == nullptr)
      wrong(" is not within memory of the device; " + memory.describe(address));
    return memory.host(address);
  }
  const Block* const block = session.heap.find(address);
  if (block == nullptr) return static_cast<std::uint8_t*>(const_cast<void*>(place.pointer));
  if (block->kind == MemoryKind::Device) wrong(" is not of the host; " + memory.describe(address));
  if (session.heap.find(address, bytes) == nullptr)
    wrong(" is out of bounds; " + memory.describe(address));
  return static_cast<std::uint8_t*>(const_cast<void*>(place.pointer));
}

void requirePitch(const Place& place, const Rows& rows) {
  constexpr cudaError_t kCode = cudaErrorInvalidPitchValue;
  require(place.pitch >= rows.width, kCode, "a pitch that is less than the width");
  require(rows.height == 1 || place.pitch <= kMostPitch, kCode,
          "a pitch of more than 2147483647 bytes");
  require(rows.depth == 1 || place.slicePitch >= product(place.pitch, rows.height - 1, kCode),
          kCode, "slices that are less than their rows");
}

template <class Row>
void forEachRow(const Rows& rows, Row row) {
  for (std::size_t z = 0; z < rows.depth; ++z) {
    for (std::size_t y = 0; y < rows.height; ++y) row(y, z);
  }
}

void markWritten(Session& session, const Place& to, const Rows& rows) {
  ptx::DeviceMemory& memory = session.launcher.memory();
  if (!memory.tracksWritten() || memory.find(addressOf(to.pointer)) == nullptr) return;
  forEachRow(rows, [&](std::size_t y, std::size_t z) {
    memory.markInitialised(addressOf(to.pointer) + z * to.slicePitch + y * to.pitch, rows.width);
  });
}

}  // namespace

Place placeAt(const Place& start, std::size_t x, std::size_t y, std::size_t z) {
  const std::size_t offset = sum(sum(product(z, start.slicePitch), product(y, start.pitch)), x);
  const std::size_t address = sum(addressOf(start.pointer), offset);
  return {reinterpret_cast<const void*>(address), start.pitch, start.slicePitch};
}

void copy(Session& session, const Place& to, const Place& from, const Rows& rows,
          cudaMemcpyKind kind) {
  session.requireSound();
  if (isEmpty(rows)) return;
  requirePitch(to, rows);
  requirePitch(from, rows);
  const auto [toSide, fromSide] = sidesOf(session, to.pointer, from.pointer, kind);
  std::uint8_t* const target = bytesOf(session, to, rows, toSide, "a copy's target");
  const std::uint8_t* const source = bytesOf(session, from, rows, fromSide, "a copy's source");
  forEachRow(rows, [&](std::size_t y, std::size_t z) {
    std::memmove(target + z * to.slicePitch + y * to.pitch,
                 source + z * from.slicePitch + y * from.pitch, rows.width);
  });
  markWritten(session, to, rows);
}

void copy(Session& session, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  copy(session, {to, bytes, bytes}, {from, bytes, bytes}, {bytes}, kind);
}

void fill(Session& session, const Place& to, const Rows& rows, std::uint32_t value, unsigned unit) {
  session.requireSound();
  if (isEmpty(rows)) return;
  requirePitch(to, rows);
  std::uint8_t* const target = bytesOf(session, to, rows, Side::Device, "a fill");
  forEachRow(rows, [&](std::size_t y, std::size_t z) {
    std::uint8_t* const row = target + z * to.slicePitch + y * to.pitch;
    if (unit == 1) {
      std::memset(row, static_cast<int>(value & 0xffU), rows.width);
    } else {
      for (std::size_t x = 0; x + unit <= rows.width; x += unit) std::memcpy(row + x, &value, unit);
    }
  });
  markWritten(session, to, rows);
}

void fill(Session& session, void* to, std::size_t bytes, int value) {
  fill(session, {to, bytes, bytes}, {bytes}, static_cast<std::uint32_t>(value));
}

}  // namespace fermata::cudart
