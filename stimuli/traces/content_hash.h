// A 128-bit hash of a file's contents: XXH3, which costs a tenth of reading the rows of a trace. It
// detects every accident; whoever forges a file on purpose can also forge the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace fermata::traces {

struct ContentHash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const ContentHash& other) const { return low == other.low && high == other.high; }
};

/// Hashes bytes piece by piece.
class ContentHasher {
 public:
  ContentHasher();
  ~ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;

  void add(const void* bytes, std::size_t size);
  ContentHash hash() const;

 private:
  struct State;  // xxHash's own, kept out of this header
  std::unique_ptr<State> state_;
};

/// Returns the hash of a whole file as it lies on the disk; nothing if it cannot be read.
std::optional<ContentHash> hashOfFile(const std::string& path);

}  // namespace fermata::traces
