// Tiles of 64 halves per row that an engine copies and matrix descriptors read, as boxes whose rows
// have a swizzle's bytes (PTX ISA, tensor map swizzles and matrix descriptors). For targets of 9.0.
#pragma once

/// Boxes of `Rows` rows of `Span` bytes, side by side: for descriptors, 16 without a swizzle, so
/// that 8 rows are a core matrix. `Kind`: the bits of a matrix descriptor that name the swizzle.
/// `Swizzle`: bits of an address that are exchanged by the bits three above them.
template <unsigned Rows, unsigned Span, uint64_t Kind = 0, unsigned Swizzle = Span - 16>
struct BoxTile {
  static constexpr unsigned kHalves = 64;
  static constexpr unsigned kBoxes = 2 * kHalves / Span;
  static constexpr unsigned kColumns = kHalves / kBoxes;
  static constexpr unsigned kBoxBytes = Rows * Span;
  static constexpr unsigned kBytes = kBoxes * kBoxBytes;

  FERMATA_DEVICE void fetch(unsigned to, uint64_t map, unsigned column, unsigned row,
                            unsigned barrier) {
#pragma unroll
    for (unsigned b = 0; b < kBoxes; ++b)
      fermataFetchBox(to + b * kBoxBytes, map, column + b * kColumns, row, barrier);
  }
  FERMATA_DEVICE void store(uint64_t map, unsigned column, unsigned row, unsigned from) {
#pragma unroll
    for (unsigned b = 0; b < kBoxes; ++b)
      fermataStoreBox(map, column + b * kColumns, row, from + b * kBoxBytes);
  }
  /// The descriptor of columns 16 step to 16 step + 15 of all rows.
  FERMATA_DEVICE uint64_t descriptor(unsigned tile, unsigned step) {
    const unsigned at = tile + 32 * step / Span * kBoxBytes + 32 * step % Span;
    constexpr uint64_t kLeading = Span == 16 ? kBoxBytes : 16;
    constexpr uint64_t kStride = 8 * Span;
    return (at & 0x3ffff) >> 4 | kLeading / 16 << 16 | kStride / 16 << 32 | Kind;
  }
  /// The place of piece 0 to 7, of 16 bytes, of a row.
  FERMATA_DEVICE unsigned at(unsigned row, unsigned piece) {
    const unsigned inside = row * Span + piece * 16 % Span;
    return piece * 16 / Span * kBoxBytes + (inside ^ (inside >> 3 & Swizzle));
  }
};
