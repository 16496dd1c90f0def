// Kernels that copy by a tensor map, what runs them, and parts of the host's side of such copies.
#pragma once

#include <fermata/stimuli/ptx/tensor_map.h>
#include "tests/ptx/support.h"

#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace fermata::ptx::test {

using Byte = std::uint8_t;
using Word = std::uint32_t;
using Coordinates = TensorBox::Coordinates;

constexpr unsigned kTile = 8192, kMostBox = 4096;
constexpr std::size_t kMemory = 1 << 18;

inline std::string list(unsigned count, const std::string& prefix, unsigned first) {
  std::string text = "{";
  for (unsigned k = 0; k < count; ++k)
    text += (k == 0 ? "" : ", ") + prefix + std::to_string(first + k);
  return text + "}";
}

/// Returns an entry with the map, a buffer, five coordinates, three offsets, a number of words and
/// one of bytes. %rd1: the map; %rd2: the buffer; %r11..%r15 coordinates; %rs1..%rs3 offsets; %r20:
/// the words; %r24: the bytes; %r0: the thread; %p9: the first thread; %r1: the tile.
inline std::string entry(const std::string& name, const std::string& body) {
  std::string text = ".visible .entry " + name + "(.param .align 64 .b8 map[128], .param .u64 data";
  for (const char* const one : {"c0", "c1", "c2", "c3", "c4", "o0", "o1", "o2", "words", "bytes"})
    text += std::string(", .param .u32 ") + one;
  text +=
      ") {\n.shared .align 1024 .b8 tile[8192]; .shared .align 8 .b64 bar;\n"
      ".reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .b16 %rs<9>; .reg .pred %p<10>;\n"
      "mov.b64 %rd3, map; cvta.param.u64 %rd1, %rd3; ld.param.u64 %rd2, [data];\n"
      "mov.u32 %r0, %tid.x; setp.eq.u32 %p9, %r0, 0; mov.u32 %r1, tile;\n";
  for (unsigned k = 0; k < 5; ++k) {
    const std::string digit = std::to_string(k);
    text += "ld.param.u32 %r1" + std::to_string(k + 1) + ", [c" + digit + "];\n";
    if (k < 3) text += "ld.param.u16 %rs" + std::to_string(k + 1) + ", [o" + digit + "];\n";
  }
  return text + "ld.param.u32 %r20, [words]; ld.param.u32 %r24, [bytes];\n" + body + "ret;\n}\n";
}

/// Code that copies %r20 words between the tile and the buffer, 32 at a time.
inline std::string words(bool out) {
  return std::string("mov.u32 %r21, %r0;\nL: setp.ge.u32 %p1, %r21, %r20; @%p1 bra E;\n") +
         "mad.wide.u32 %rd4, %r21, 4, %rd2; mad.lo.u32 %r22, %r21, 4, %r1;\n" +
         (out ? "ld.shared.u32 %r23, [%r22]; st.global.u32 [%rd4], %r23;\n"
              : "ld.global.u32 %r23, [%rd4]; st.shared.u32 [%r22], %r23;\n") +
         "add.u32 %r21, %r21, 32; bra L;\nE: bar.sync 0;\n";
}

inline const std::string kBegin = "@%p9 mbarrier.init.shared.b64 [bar], 1; bar.sync 0;\n";
inline const std::string kWait =
    "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra W;\n";
inline const std::string kOutWait = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n";

inline std::string loadEntry(unsigned rank, bool im2col) {
  const std::string shape = std::to_string(rank) + "d";
  return entry((im2col ? "pixels" : "load") + shape,
               kBegin + "@%p9 mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r24;\n" +
                   "@%p9 cp.async.bulk.tensor." + shape + ".shared::cluster.global." +
                   (im2col ? "im2col" : "tile") + ".mbarrier::complete_tx::bytes [%r1], [%rd1, " +
                   list(rank, "%r", 11) + "], [bar]" +
                   (im2col ? ", " + list(rank - 2, "%rs", 1) : std::string()) + ";\n" + kWait +
                   words(true));
}
inline std::string storeEntry(unsigned rank, const std::string& reduction) {
  const std::string shape = std::to_string(rank) + "d";
  const std::string mnemonic = reduction.empty() ? "cp.async" : "cp.reduce.async";
  return entry((reduction.empty() ? "store" : reduction) + shape,
               words(false) + "@%p9 " + mnemonic + ".bulk.tensor." + shape +
                   ".global.shared::cta." + (reduction.empty() ? "" : reduction + ".") +
                   "tile.bulk_group [%rd1, " + list(rank, "%r", 11) + "], [%r1];\n" + kOutWait);
}

inline std::string tensorModule() {
  std::string items;
  for (unsigned rank = 1; rank <= 5; ++rank) {
    items += loadEntry(rank, false) + storeEntry(rank, "");
    for (const std::string op : {"add", "min", "max", "and", "or", "xor"})
      items += storeEntry(rank, op);
    if (rank >= 3) items += loadEntry(rank, true);
  }
  return moduleText(items);
}

/// The module, a tensor's memory and a buffer of the tile's words.
struct Machine {
  Machine() : module(parse(tensorModule(), "t.ptx")), executor(1, memory) {
    std::mt19937 random(5);
    bytes.resize(kMemory);
    for (Byte& byte : bytes) byte = static_cast<Byte>(random());
    tensor = memory.allocate(kMemory, "tensor");
    memory.write(tensor, bytes.data(), kMemory);
    data = memory.allocate(kTile, "data");
  }

  void run(const std::string& entry, const TensorMap& map, const Coordinates& at,
           const std::array<std::uint16_t, 3>& offsets, unsigned count, unsigned bytesOfBox = 0,
           unsigned ctas = 1) {
    Launch launch;
    launch.grid.x = ctas;
    launch.cluster = Dim3{ctas, 1, 1};
    launch.kernel = &module->kernel(entry);
    launch.block.x = 32;
    launch.parameters.resize(launch.kernel->parameterBytes());
    const TensorMap::Bytes encoded = map.encode();
    std::memcpy(launch.parameters.data(), encoded.data(), encoded.size());
    std::memcpy(launch.parameters.data() + 128, &data, 8);
    std::memcpy(launch.parameters.data() + 136, at.data(), 20);
    for (unsigned k = 0; k < 3; ++k) {
      const Word offset = offsets[k];
      std::memcpy(launch.parameters.data() + 156 + 4 * k, &offset, 4);
    }
    const Word wordCount = count / 4;
    std::memcpy(launch.parameters.data() + 168, &wordCount, 4);
    std::memcpy(launch.parameters.data() + 172, &bytesOfBox, 4);
    runFunctionally(executor, launch);
  }
  std::vector<Byte> read(std::uint64_t address, std::size_t count) const {
    std::vector<Byte> got(count);
    memory.read(address, got.data(), count);
    return got;
  }

  std::shared_ptr<const Module> module;
  DeviceMemory memory;
  Executor executor;
  std::vector<Byte> bytes;  ///< of the tensor's memory, as the host keeps them
  std::uint64_t tensor = 0, data = 0;
};

/// Returns where swizzle puts the byte at `place` of a box that starts at a multiple of 1024.
inline unsigned placeOf(TensorSwizzle swizzle, unsigned place) {
  static const char* const k32[] = {"01234567", "10325476"};
  static const char* const k64[] = {"01234567", "10325476", "23016745", "32107654"};
  static const char* const k128[] = {"01234567", "10325476", "23016745", "32107654",
                                     "45670123", "54761032", "67452301", "76543210"};
  static const char* const kAtom32[] = {"01234567", "23016745", "45670123", "67452301"};
  static const char* const kAtom64[] = {"01234567", "45670123"};
  const unsigned row = place / 128, chunk = place % 128 / 16, within = place % 16;
  const char* order = "01234567";
  bool halves = false;
  if (swizzle == TensorSwizzle::Span32) order = k32[row % 2];
  if (swizzle == TensorSwizzle::Span64) order = k64[row % 4];
  if (swizzle == TensorSwizzle::Span128) order = k128[row % 8];
  if (swizzle == TensorSwizzle::Span128Atom32) order = kAtom32[row % 4];
  if (swizzle == TensorSwizzle::Span128Atom64) order = kAtom64[row % 2];
  if (swizzle == TensorSwizzle::Span128Atom32Flip8) {
    order = kAtom32[row % 4];
    halves = row % 2 == 1;
  }
  const auto column =
      static_cast<unsigned>(std::strchr(order, '0' + static_cast<int>(chunk)) - order);
  return row * 128 + column * 16 + (halves ? (within + 8) % 16 : within);
}

/// Writes the bytes of an element outside of the tensor.
inline void fill(const TensorMap& map, Byte* to) {
  static const Byte kNan[] = {0xf7, 0x7f};
  for (unsigned byte = 0; byte < map.elementBytes(); ++byte)
    to[byte] = map.fillsNan ? kNan[byte % 2] : Byte{0};
}

}  // namespace fermata::ptx::test
