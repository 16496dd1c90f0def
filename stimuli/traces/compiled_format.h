// The compiled form of a trace: what a replay read of it, ready to be replayed again. Lies beside
// the trace as FILE.compiled, holds numbers as this machine does, and is never the truth: one that
// does not belong to its trace, byte for byte, is made anew.
//
// A CompiledHeader, then records in the order of the trace, then the ContentHash of all of that.
// A record is one byte of Record, then
//   Line   length (4 bytes), then a row of a program, text, instruction, memory or grid as it
//   stands Start  nothing: the next CTA starts Exit   CTA (number), warp (1 byte) End    nothing:
//   the trace was whole Row + flags  CTA (number), warp (1 byte), PC (number), then by flag
//     kMasked   the active lanes (4 bytes); else all 32
//     kAccess   space, bytes, runs, offsetBytes of the RowHead (1 byte each), the packed addresses
//     kBarrier  threads (2 bytes), barrier, waits (1 byte each); else barrier 0, all of them, waits
//     kCopy     the store that the copy becomes: the lanes (4 bytes), then as by kAccess but for
//               the space and the bytes; else no copy began
// A number has 7 bits a byte, lowest first, the top bit set where another follows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <fermata/stimuli/traces/content_hash.h>

namespace fermata::traces {

inline constexpr const char* kCompiledSuffix = ".compiled";

struct CompiledHeader {
  std::array<char, 16> magic{'f', 'e', 'r', 'm', 'a', 't', 'a', '-',
                             'c', 'o', 'm', 'p', 'i', 'l', 'e', 'd'};
  /// Raise it with every change of the records, and of what the text of a trace may say or means.
  std::uint32_t version = 3;
  std::uint32_t byteOrder = 0x01020304;
  ContentHash trace;  ///< of the trace's file, compressed or not

  bool operator==(const CompiledHeader& other) const {
    return magic == other.magic && version == other.version && byteOrder == other.byteOrder &&
           trace == other.trace;
  }
};
static_assert(sizeof(CompiledHeader) == 40, "the header has no holes");

enum class Record : std::uint8_t { Line, Start, Exit, End, Row };
inline constexpr unsigned kMasked = 8;  ///< flags of a Row
inline constexpr unsigned kAccess = 16;
inline constexpr unsigned kBarrier = 32;
inline constexpr unsigned kCopy = 64;

/// No record but a Line is longer.
inline constexpr std::size_t kMaxRecordBytes = 1024;

}  // namespace fermata::traces
