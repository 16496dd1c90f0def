// What a file holds, in 128 bits: XXH3, which costs a tenth of reading the rows of a trace. It
// finds every accident; who forges a file on purpose can also forge the trace.
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

/// Hashes bytes as they come.
class ContentHasher {
 public:
  ContentHasher();
  ~ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;

  void add(const void* bytes, std::size_t size);
  ContentHash hash() const;

 private:
  struct State;  // xxHash's, kept out of this header
  std::unique_ptr<State> state_;
};

/// Of a whole file as it lies on the disk; none when it cannot be read.
std::optional<ContentHash> hashOfFile(const std::string& path);

}  // namespace fermata::traces
