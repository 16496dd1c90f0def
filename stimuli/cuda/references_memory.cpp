#include <fermata/stimuli/cuda/reference_functions.h>

#include <algorithm>
#include <numeric>

namespace fermata::cuda {

Bytes stride(const ReferenceInput& input) {
  constexpr std::size_t kThreads = 256;
  const std::size_t step = input.parameter("stride", 0, 64);
  const std::size_t iterations = input.parameter("iterations", 0);
  const std::size_t blocks = input.parameter("blocks");
  const auto words = input.elements<std::uint32_t>("words", 2048);
  std::vector<std::uint32_t> sums(blocks * kThreads);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::uint32_t once = 0;
    for (std::size_t k = 0; k < 16; ++k) once += words[i % 32 * step + 4 * k];
    sums[i] = once * static_cast<std::uint32_t>(iterations);
  }
  return bytesOf(sums);
}

Bytes wantedElements(const ReferenceInput& input) {
  auto out = input.elements<double>("in", input.parameter("threads") * input.parameter("blocks"));
  for (double& element : out) element = element == 123 ? element : 0;
  return bytesOf(out);
}

Bytes transpose(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n", 1, 1 << 14);
  const auto in = input.elements<float>("in", n * n);
  std::vector<float> out(n * n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) out[column * n + row] = in[row * n + column];
  }
  return bytesOf(out);
}

namespace {

/// Returns the sum of the elements of each of `blocks` blocks: block b takes every segment b + k *
/// blocks.
std::vector<std::int32_t> sumSegments(const std::vector<std::int32_t>& in, std::size_t segment,
                                      std::size_t blocks) {
  std::vector<std::uint32_t> sums(blocks);  // wraps, like the kernel's
  for (std::size_t i = 0; i < in.size(); ++i) {
    sums[i / segment % blocks] += static_cast<std::uint32_t>(in[i]);
  }
  return {sums.begin(), sums.end()};
}

std::vector<std::int32_t> reductionInput(const ReferenceInput& input) {
  return input.elements<std::int32_t>("in", input.parameter("n"));
}

template <std::size_t Bins>
Bytes countBytes(const ReferenceInput& input) {
  const bool isPicture = input.parameter("variant", 0, 1) == 0;
  const auto in =
      input.elements<std::uint8_t>(isPicture ? "picture" : "bytes", input.parameter("n"));
  std::vector<std::uint32_t> bins(Bins);
  for (const std::uint8_t value : in) ++bins[value / (256 / Bins)];
  return bytesOf(bins);
}

}  // namespace

Bytes reductionPartial(const ReferenceInput& input) {
  const std::size_t variant = input.parameter("variant", 0, 6);
  const auto in = reductionInput(input);
  const std::size_t segment = variant < 3 ? 256 : 512;
  std::size_t blocks = (in.size() + segment - 1) / segment;
  if (variant == 6) blocks = std::min<std::size_t>(blocks, 64);
  return bytesOf(sumSegments(in, segment, blocks));
}

Bytes reductionTotal(const ReferenceInput& input) {
  return bytesOf(sumSegments(reductionInput(input), 1, 1));
}

Bytes partSums(const ReferenceInput& input) {
  const std::size_t clusters = input.parameter("clusters"), part = input.parameter("part");
  return bytesOf(sumSegments(input.elements<std::int32_t>("in", clusters * part), part, clusters));
}

Bytes chainEnds(const ReferenceInput& input) {
  return bytesOf(
      std::vector<std::uint32_t>(input.parameter("ctas") * input.parameter("warps") * 32));
}

Bytes histogram64(const ReferenceInput& input) { return countBytes<64>(input); }
Bytes histogram256(const ReferenceInput& input) { return countBytes<256>(input); }

Bytes scan(const ReferenceInput& input) {
  const auto in = input.elements<std::uint32_t>("in", input.parameter("n"));
  std::vector<std::uint32_t> out(in.size());
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = sum;
    sum += in[i];
  }
  return bytesOf(out);
}

Bytes scanTotal(const ReferenceInput& input) {
  const auto in = input.elements<std::uint32_t>("in", input.parameter("n"));
  return bytesOf(
      std::vector<std::uint32_t>{std::accumulate(in.begin(), in.end(), std::uint32_t{0})});
}

}  // namespace fermata::cuda
