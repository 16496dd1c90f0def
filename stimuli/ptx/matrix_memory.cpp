// ldmatrix and stmatrix: move the matrices of a fragment between shared memory and registers.
// movmatrix: transposes one in registers. Parts of wmma loads and stores, besides plain loads and
// stores.
#include <cstring>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/warp_splits.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kSide = 8;        // rows of a matrix, and elements per row
constexpr unsigned kSideBytes = 16;  // bytes per row

using Matrix = std::array<std::uint16_t, kSide * kSide>;

LaneMask lanesWithRows(const Instruction& i) {
  return kAllLanes >> (kWarpLanes - kSide * i.elements);
}

void matrixAddresses(const Warp& warp, const Instruction& i, WarpInstruction& out) {
  const std::uint64_t base = i.matrixAccess.generic ? kSharedWindow : 0;
  const auto add = static_cast<std::uint64_t>(i.offset);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint64_t address = laneValue(warp, i.a, i.wideBase, lane) + add - base;
    // Offsets in shared memory have 32 bits, even from a 64-bit register.
    out.address[lane] = base != 0 ? address : static_cast<std::uint32_t>(address);
  }
}

/// Returns a lane's row in shared memory; throws like laneWindow().
std::uint8_t* matrixRow(const Warp& warp, const Instruction& i, const Window& window, unsigned lane,
                        const WarpInstruction& out) {
  const std::uint64_t address = out.address[lane];
  if (address % kSideBytes != 0 || window.bytes < kSideBytes ||
      address > window.bytes - kSideBytes) {
    laneWindow(warp, i, lane, out);
  }
  return window.data + address;
}

/// Transposes a matrix. Lane 4r + c has elements 2c and 2c + 1 of row r in its register, or of
/// column r with .trans (PTX ISA, ldmatrix). A register is thus the words of the rows, one after
/// another.
Matrix transposed(const Matrix& m) {
  Matrix t;
  for (unsigned r = 0; r < kSide; ++r) {
    for (unsigned c = 0; c < kSide; ++c) t[c * kSide + r] = m[r * kSide + c];
  }
  return t;
}

bool beginMatrices(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return false;
  WarpInstruction& out = *warp.machine->out;
  matrixAddresses(warp, i, out);
  out.active = lanesWithRows(i);
  out.hasData = warp.machine->options.carryData;
  return true;
}

void executeLoadMatrix(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!beginMatrices(warp, i, mask)) return;
  WarpInstruction& out = *warp.machine->out;
  const Window window = sharedWindow(warp);
  std::array<Matrix, 4> loaded;
  for (unsigned lane = 0; lane < kSide * i.elements; ++lane) {
    const std::uint8_t* from = matrixRow(warp, i, window, lane, out);
    checkWritten(warp, i, window, out.address[lane], lane, kSideBytes);
    if (out.hasData) std::memcpy(out.data[lane].data(), from, kSideBytes);
    std::memcpy(&loaded[lane / kSide][lane % kSide * kSide], from, kSideBytes);
  }
  for (unsigned e = 0; e < i.elements; ++e) {
    const Matrix& m = loaded[e];
    const Matrix words = i.matrixAccess.transposed ? transposed(m) : m;
    std::memcpy(rowBytes(warp, i.vector[e]), words.data(), sizeof words);
  }
}

void executeStoreMatrix(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!beginMatrices(warp, i, mask)) return;
  WarpInstruction& out = *warp.machine->out;
  const Window window = sharedWindow(warp);
  for (unsigned lane = 0; lane < kSide * i.elements; ++lane) matrixRow(warp, i, window, lane, out);
  for (unsigned e = 0; e < i.elements; ++e) {
    Matrix words;
    std::memcpy(words.data(), rowBytes(warp, i.vector[e]), sizeof words);
    if (i.matrixAccess.transposed) words = transposed(words);
    for (unsigned r = 0; r < kSide; ++r) {
      const unsigned lane = kSide * e + r;
      const auto* from = reinterpret_cast<const std::uint8_t*>(&words[r * kSide]);
      writeLane(window, out.address[lane], lane, kSideBytes, from);
      if (out.hasData) std::memcpy(out.data[lane].data(), from, kSideBytes);
    }
  }
}

void executeMoveMatrix(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  Matrix words;
  std::memcpy(words.data(), rowBytes(warp, i.a), sizeof words);
  words = transposed(words);
  std::memcpy(rowBytes(warp, i.d), words.data(), sizeof words);
}

/// Takes an address in the shared space or, unless the space is `named`, a generic address of it.
void sharedAddress(Decoding& d, std::size_t k, bool named) {
  d.address(d.addressOperand(k), named ? MemorySpace::Shared : MemorySpace::Generic);
  if (d.i.space == MemorySpace::Generic) d.i.matrixAccess.generic = true;
  if (d.i.space != MemorySpace::Generic && d.i.space != MemorySpace::Shared)
    d.fail(d.operand(k).at, "expected an address in shared memory");
  d.i.space = MemorySpace::Shared;
}

}  // namespace

bool isWholeWarp(Warp& warp, const Instruction& i, LaneMask mask) {
  if (mask == kAllLanes) return true;
  if (lanesOfOtherSplits(warp, kAllLanes) != 0 && waitsForOthers(warp, i)) return false;
  failAt(warp, i, firstLane(~mask),
         "the lane does not execute it; expected all 32 lanes of the warp together (.aligned)");
}

void executeTileAddress(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  const std::uint32_t* stride = rowOf<std::uint32_t>(warp, i.b);
  const bool lanesAcross = i.tile.lanesAcross;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const unsigned x = lane / 4, y = lane % 4 * i.elements;
    const std::uint64_t elements = lanesAcross ? x + std::uint64_t{y + i.tile.at} * stride[lane]
                                               : std::uint64_t{x + i.tile.at} * stride[lane] + y;
    const std::uint64_t address =
        laneValue(warp, i.a, i.wideBase, lane) + elements * i.tile.elementBits / 8;
    setLane(warp, i.d, i.wideData, lane, address);
  }
}

void executeCopiedLoad(Warp& warp, const Instruction& i, LaneMask mask) {
  i.inner(warp, i, mask);
  for (unsigned copy = 1; copy <= i.copies; ++copy)
    std::memcpy(rowBytes(warp, i.vector[copy]), rowBytes(warp, i.vector[0]), kRowBytes);
}

void decodeMatrixMemory(Decoding& d) {
  const bool isLoad = d.mnemonic() == "ldmatrix";
  takeAligned(d);
  if (!d.take("m8n8")) d.unsupported("expected .m8n8");
  const std::string_view count = d.takeOneOf({"x1", "x2", "x4"});
  if (count.empty()) d.unsupported("expected .x1, .x2 or .x4");
  if (d.take("trans")) d.i.matrixAccess.transposed = true;
  const bool named = !d.takeOneOf({"shared", "shared::cta"}).empty();
  if (d.takeType() != Type::B16) d.unsupported("expected .b16");
  d.finishModifiers();
  d.expectOperands(2);
  d.i.elements = d.matrices = static_cast<std::uint8_t>(count[1] - '0');
  d.i.bytesPerLane = 16;
  d.i.operation = isLoad ? MemoryOperation::Load : MemoryOperation::Store;
  d.i.handler = isLoad ? &executeLoadMatrix : &executeStoreMatrix;
  sharedAddress(d, isLoad ? 1 : 0, named);
  const auto data = fragment(d, d.operand(isLoad ? 0 : 1), d.i.elements);
  for (unsigned e = 0; e < d.i.elements; ++e)
    d.i.vector[e] = isLoad ? d.destination(*data[e], Type::B32) : d.source(*data[e], Type::B32);
  d.emit(InstructionClass::Memory);
}

void decodeMoveMatrix(Decoding& d) {
  takeAligned(d);
  if (!d.take("m8n8") || !d.take("trans")) d.unsupported("expected .m8n8.trans");
  if (d.takeType() != Type::B16) d.unsupported("expected .b16");
  d.finishModifiers();
  d.expectOperands(2);
  d.i.d = d.destination(0, Type::B32);
  d.i.a = d.source(1, Type::B32);
  d.i.handler = &executeMoveMatrix;
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
