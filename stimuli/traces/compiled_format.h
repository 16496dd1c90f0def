// The compiled form of a trace: a copy of what a replay read, to be replayed faster next time. It
// lies beside the trace as FILE.compiled and holds numbers in this machine's byte order. It is
// never the truth: a file that does not belong to its trace, byte for byte, is made anew.
//
// The file holds a CompiledHeader, then records in the order of the trace, then the ContentHash of
// all of that. A record is one byte of Record, then
//   Line         length (4 bytes), then the text of a row of a program, text, instruction, memory
//                or grid
//   Start        nothing: the next CTA starts
//   Exit         CTA (number), warp (1 byte)
//   End          nothing: the trace was whole
//   Row + flags  CTA (number), warp (1 byte), PC (number), then by flag
//     kMasked    the active lanes (4 bytes); without it: all 32
//     kAccess    space, bytes, runs, offsetBytes of the RowHead (1 byte each), the packed addresses
//     kBarrier   threads (2 bytes), barrier, waits (1 byte each); without it: barrier 0, all
//                threads, waits. RowHead says what else they are
//     kCopy      the store that the copy becomes, or the mbarriers of answers: the lanes (4
//                bytes), then as for kAccess but without the space and the bytes; without it: no
//                copy begins
// A number has 7 bits per byte, lowest first; the top bit is set if another byte follows.
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
  /// Raise it with every change of the records, and of what the text of a trace may say or mean.
  std::uint32_t version = 7;
  std::uint32_t byteOrder = 0x01020304;
  ContentHash trace;  ///< hash of the trace's file as it is, compressed or not

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

/// Largest bytes of a record, except of a Line.
inline constexpr std::size_t kMaxRecordBytes = 1024;

}  // namespace fermata::traces
