// Comparison of a buffer with its expected contents.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <fermata/stimuli/launch/plan.h>

namespace fermata::launch {

/// A wrong result: the first element that differs, and how many elements differ.
class CheckError : public std::runtime_error {
 public:
  CheckError(const std::string& what, std::string buffer, std::uint64_t index, std::string got,
             std::string expected)
      : std::runtime_error(what),
        buffer_(std::move(buffer)),
        index_(index),
        got_(std::move(got)),
        expected_(std::move(expected)) {}

  const std::string& buffer() const { return buffer_; }
  std::uint64_t index() const { return index_; }
  const std::string& got() const { return got_; }
  const std::string& expected() const { return expected_; }

 private:
  std::string buffer_;
  std::uint64_t index_;
  std::string got_;
  std::string expected_;
};

/// Throws CheckError if an element of `got` is further from `expected` than the check's tolerance.
/// A NaN equals only a NaN. Precondition: both have the buffer's size.
void compareBuffer(const Check& check, const PlannedBuffer& buffer, const std::uint8_t* got,
                   const std::vector<std::uint8_t>& expected);

}  // namespace fermata::launch
