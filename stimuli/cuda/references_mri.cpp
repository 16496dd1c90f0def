#include <algorithm>
#include <numeric>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {
namespace {

constexpr std::size_t kSegment = 1024;

std::vector<std::uint32_t> words(const ReferenceInput& input, std::size_t count) {
  return input.elements<std::uint32_t>("data", count);
}

/// Returns the numbers of the keys, ordered by the digit of the pass; equal digits keep their
/// order.
std::vector<std::uint32_t> orderByDigit(const ReferenceInput& input) {
  const std::size_t count = input.parameter("blocks", 1, 1 << 16) * kSegment;
  const std::size_t shift = 4 * input.parameter("pass", 0, 7);
  const auto keys = input.elements<std::uint32_t>("keys", count);
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return (keys[a] >> shift & 15U) < (keys[b] >> shift & 15U);
  });
  return order;
}

Bytes ordered(const ReferenceInput& input, std::string_view buffer) {
  auto order = orderByDigit(input);
  const auto values = input.elements<std::uint32_t>(buffer, order.size());
  for (std::uint32_t& place : order) place = values[place];
  return bytesOf(order);
}

}  // namespace

Bytes segmentScan(const ReferenceInput& input) {
  auto data = words(input, input.parameter("n"));
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (i % kSegment == 0) sum = 0;
    sum += data[i];
    data[i] = sum - data[i];
  }
  return bytesOf(data);
}

Bytes segmentSums(const ReferenceInput& input) {
  const auto data = words(input, input.parameter("n"));
  std::vector<std::uint32_t> sums((data.size() + kSegment - 1) / kSegment);
  for (std::size_t i = 0; i < data.size(); ++i) sums[i / kSegment] += data[i];
  return bytesOf(sums);
}

// Sets word i of the tree to the sum of as many words, up to word i, as the lowest bit of i + 1
// says.
Bytes treeSums(const ReferenceInput& input) {
  const auto data = words(input, std::size_t{1} << input.parameter("log2n", 0, 24));
  std::vector<std::uint32_t> sums(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t first = (i + 1) & i;  // without its lowest bit
    sums[i] = std::accumulate(data.begin() + static_cast<std::ptrdiff_t>(first),
                              data.begin() + static_cast<std::ptrdiff_t>(i + 1), 0U);
  }
  return bytesOf(sums);
}

// Sums the nodes that the bits of i name to get the sum of the words before i. The last word, in
// the root's place, is added to every sum.
Bytes treePrefixes(const ReferenceInput& input) {
  const auto tree = words(input, std::size_t{1} << input.parameter("log2n", 0, 24));
  std::vector<std::uint32_t> prefixes(tree.size(), tree.back());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    for (std::size_t bits = i; bits > 0; bits &= bits - 1) prefixes[i] += tree[bits - 1];
  }
  return bytesOf(prefixes);
}

Bytes keysByDigit(const ReferenceInput& input) { return ordered(input, "keys"); }
Bytes valuesByDigit(const ReferenceInput& input) { return ordered(input, "values"); }

}  // namespace fermata::cuda
