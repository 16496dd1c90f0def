// The bytes of a large memory that is mostly unused.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <tlm>
#include <unordered_map>

namespace fermata {

/// Bytes that were never written are 0.
class SparseBytes {
 public:
  void read(std::uint64_t address, std::uint8_t* to, std::uint64_t length) const;
  void write(std::uint64_t address, const std::uint8_t* from, std::uint64_t length);

  /// Carries out a payload's command for the enabled ones of its `length` bytes from `offset` on.
  /// Preconditions: it is a read or a write; the bytes lie in its data array.
  void carryOut(tlm::tlm_generic_payload& payload, std::uint64_t offset, std::uint64_t length);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  using Page = std::array<std::uint8_t, kPageBytes>;

  void move(tlm::tlm_generic_payload& payload, std::uint64_t offset, std::uint64_t length);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace fermata
