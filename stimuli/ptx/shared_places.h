// Places that a kernel's accesses of shared memory have, as far as its code alone tells: a
// register, a distance from it, and the powers of two that divide the register. Example:
//
//   shl.b32  %r2, %r1, 5;             %r2: a multiple of 32
//   add.s32  %r3, %r2, 8;
//   ld.shared.f32 %f1, [%r3+4];       %r2 + 12
//
// A register that a loop changes keeps the bits that its steps keep, if they are constants. So
// ptxas does: it joins the loads of `kmeans`, whose base grows by 16, and not those of
// `matrixscan`, whose base grows by a multiple of 32 that changes.
//
// No SystemC.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::ptx {

struct SharedPlace {
  static constexpr std::uint32_t kZero = 0xffffffffU;
  std::uint32_t root = kZero;  ///< register that `offset` starts from; kZero: address 0
  std::int64_t offset = 0;     ///< bytes
  unsigned zeros = 64;         ///< low bits of the root that are known to be 0
};

class SharedPlaces {
 public:
  /// Takes time proportional to the instructions, a few times.
  explicit SharedPlaces(const KernelCode& code);
  /// Returns the place of an ld or st of shared memory.
  SharedPlace of(std::uint32_t pc) const;
  /// Returns whether one instruction alone writes the register.
  bool writtenOnce(RegisterId id) const { return writes_[id] == 1; }
  /// Returns the last instruction that writes the register.
  std::uint32_t writer(RegisterId id) const { return writer_[id]; }

 private:
  struct Source {
    bool constant = false;
    std::uint64_t value = 0;  ///< of a constant
    RegisterId id = 0;
  };
  using Sources = std::vector<Source>;

  std::optional<Sources> sourcesOf(std::uint32_t pc, unsigned count) const;
  unsigned zerosOf(const Source& source) const;
  unsigned zerosMade(std::uint32_t pc) const;
  bool growsUnevenly(std::uint32_t pc, RegisterId id) const;
  RegisterId original(RegisterId id) const;
  void findZeros();
  bool step(SharedPlace& place) const;

  const KernelCode& code_;
  std::unordered_map<Row, std::uint64_t> constants_;  ///< values known before a launch
  std::vector<std::uint8_t> writes_;                  ///< by register; at most 2
  std::vector<std::uint32_t> writer_;
  std::vector<std::uint8_t> zeros_;  ///< by register: low bits known to be 0
};

}  // namespace fermata::ptx
