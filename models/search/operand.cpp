#include <fermata/models/search/operand.h>

#include <cstdio>

#include <fermata/models/indexing/indexer.h>

namespace fermata::search {
namespace {

using indexing::IndexingError;

constexpr unsigned kWaveLanes = 64;     ///< of a matrix instruction of CDNA
constexpr unsigned kMostBytes = 16;     ///< of a lane
constexpr unsigned kCore = 8;           ///< rows of a core matrix, of kMostBytes each
constexpr unsigned kDepthBytes = 32;    ///< that wgmma and tcgen05.mma multiply at once
constexpr unsigned kMostColumns = 256;  ///< of the second factor

std::string sizes(unsigned rows, unsigned depth) {
  return std::to_string(rows) + "k" + std::to_string(depth);
}

std::optional<Operand> parseMfma(const std::string& name, std::uint32_t elementBytes) {
  unsigned m = 0, n = 0, k = 0;
  if (std::sscanf(name.c_str(), "mfma.%2ux%2ux%3u", &m, &n, &k) != 3) return std::nullopt;
  const auto number = [](unsigned value) { return std::to_string(value); };
  if (name != "mfma." + number(m) + "x" + number(n) + "x" + number(k)) return std::nullopt;
  const bool square = m == n && (m == 16 || m == 32);
  const std::uint64_t bytes = std::uint64_t{m} * k * elementBytes / kWaveLanes;
  const bool whole = std::uint64_t{m} * k % kWaveLanes == 0;
  if (!square || !whole || bytes == 0 || bytes > kMostBytes || (bytes & (bytes - 1)) != 0) {
    throw IndexingError("'" + name + "' of elements of " + std::to_string(elementBytes) +
                        " bytes; expected 16x16xK or 32x32xK of which each of 64 lanes reads 1, 2, "
                        "4, 8 or 16 bytes");
  }
  return Operand{Operand::Order::Wave, m, k, m * k / kWaveLanes};
}

/// A factor of wgmma or tcgen05.mma, "wgmma.m64k16", "tcgen05.n256k16.mn".
std::optional<Operand> parseFactor(const std::string& name, std::uint32_t elementBytes) {
  const bool group = name.rfind("wgmma.", 0) == 0;
  if (!group && name.rfind("tcgen05.", 0) != 0) return std::nullopt;
  const std::string shape = name.substr(name.find('.') + 1);
  char side = 0;
  unsigned rows = 0, depth = 0;
  const bool read = std::sscanf(shape.c_str(), "%c%3uk%3u", &side, &rows, &depth) == 3;
  const bool turned = shape == side + sizes(rows, depth) + ".mn";
  const unsigned chunk = kMostBytes / elementBytes;
  const bool first = side == 'm' && (rows == 64 || (!group && rows == 128));
  const bool second = side == 'n' && rows >= 8 && rows <= kMostColumns && rows % kCore == 0;
  const bool bits = elementBytes == 1 || elementBytes == 2 || elementBytes == 4;
  if (!read || !(first || second) || !bits || depth * elementBytes != kDepthBytes ||
      (!turned && shape != side + sizes(rows, depth)) || (turned && rows % chunk != 0)) {
    throw IndexingError(
        "'" + name + "' of elements of " + std::to_string(elementBytes) + " bytes; expected " +
        (group ? "wgmma.m64kK" : "tcgen05.m64kK, .m128kK") +
        " or .nNkK, where K has 32 bytes and N is 8 to 256, perhaps with .mn behind "
        "it");
  }
  return Operand{turned ? Operand::Order::TurnedCores : Operand::Order::Cores, rows, depth, chunk};
}

}  // namespace

std::uint64_t Operand::element(std::uint64_t address) const {
  const std::uint64_t lane = address % kCore, core = address / kCore;
  switch (order) {
    case Order::Wave:
      return address % rows + address / rows * chunk * rows;
    case Order::Cores: {
      const std::uint64_t along = depth / chunk;
      return kCore * (core / along) + lane + core % along * chunk * rows;
    }
    case Order::TurnedCores: {
      const std::uint64_t along = depth / kCore;
      return chunk * (core / along) + (kCore * (core % along) + lane) * rows;
    }
    default:
      return address * chunk;
  }
}

std::optional<Operand> parseOperand(const std::string& name, std::uint32_t elementBytes) {
  if (name == "tma" && kMostBytes % elementBytes == 0)
    return Operand{Operand::Order::Chunks, kMostBytes / elementBytes, 1, kMostBytes / elementBytes};
  if (auto operand = parseMfma(name, elementBytes)) return operand;
  return parseFactor(name, elementBytes);
}

}  // namespace fermata::search
