// AES with keys of 128 or 256 bits by the text of FIPS 197, byte by byte, and the contents of its
// tables.
#include <algorithm>
#include <array>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {
namespace {

constexpr std::size_t kBlock = 16;

/// A state; byte 4 c + r is row r of column c.
using State = std::array<std::uint8_t, kBlock>;
using Column = std::array<std::uint8_t, 4>;
using Substitutes = std::array<std::uint8_t, 256>;
/// Keys of the rounds, in the order in which the forward cipher adds them.
using RoundKeys = std::vector<State>;

constexpr Column kMix = {2, 1, 1, 3};  ///< contribution of row 0 of a column to each row
constexpr Column kInverseMix = {14, 9, 13, 11};

std::uint8_t byteOf(unsigned value) { return static_cast<std::uint8_t>(value & 0xFFU); }

/// Returns the product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (4.2).
std::uint8_t product(std::uint8_t a, std::uint8_t b) {
  unsigned sum = 0;
  unsigned power = a;
  for (unsigned rest = b; rest != 0; rest >>= 1U) {
    if ((rest & 1U) != 0) sum ^= power;
    power = (power << 1U) ^ ((power & 0x80U) != 0 ? 0x11BU : 0U);
  }
  return byteOf(sum);
}

/// Returns the substitute of a byte: its inverse, which is its 254th power, then the affine map
/// (5.1.1).
std::uint8_t substituteOf(std::uint8_t byte) {
  std::uint8_t inverse = 1;
  for (int i = 0; i < 254; ++i) inverse = product(inverse, byte);
  unsigned sum = 0x63;
  for (unsigned turn = 0; turn < 5; ++turn)
    sum ^= (unsigned{inverse} << turn) | (unsigned{inverse} >> (8 - turn));
  return byteOf(sum);
}

const Substitutes& substitutes() {
  static const Substitutes kAll = [] {
    Substitutes all{};
    for (unsigned byte = 0; byte < all.size(); ++byte) all[byte] = substituteOf(byteOf(byte));
    return all;
  }();
  return kAll;
}

const Substitutes& inverseSubstitutes() {
  static const Substitutes kAll = [] {
    Substitutes all{};
    for (unsigned byte = 0; byte < all.size(); ++byte) all[substitutes()[byte]] = byteOf(byte);
    return all;
  }();
  return kAll;
}

void substitute(State& state, const Substitutes& by) {
  for (std::uint8_t& byte : state) byte = by[byte];
}

void add(State& state, const State& key) {
  for (std::size_t i = 0; i < kBlock; ++i) state[i] ^= key[i];
}

/// Moves row r of each column in from the column `step` r further on.
void shiftRows(State& state, std::size_t step) {
  const State old = state;
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t r = 0; r < 4; ++r) state[4 * c + r] = old[4 * ((c + step * r) % 4) + r];
  }
}

void mixColumns(State& state, const Column& mix) {
  const State old = state;
  state = {};
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t from = 0; from < 4; ++from) {
      for (std::size_t r = 0; r < 4; ++r)
        state[4 * c + r] ^= product(old[4 * c + from], mix[(r + 4 - from) % 4]);
    }
  }
}

/// Returns the round keys by the key schedule (5.2): 11 of a key of 4 words, 15 of one of 8.
RoundKeys expand(const Bytes& key) {
  const std::size_t words = key.size() / 4;
  Bytes all = key;
  std::uint8_t constant = 1;
  for (std::size_t word = words; word < 4 * (words + 7); ++word) {
    Column next{};
    std::copy(all.end() - 4, all.end(), next.begin());
    if (word % words == 0) std::rotate(next.begin(), next.begin() + 1, next.end());
    const bool substituted = word % words == 0 || (words > 6 && word % words == 4);
    if (substituted) {
      for (std::uint8_t& byte : next) byte = substitutes()[byte];
    }
    if (word % words == 0) {
      next[0] ^= constant;
      constant = product(constant, 2);
    }
    for (std::size_t r = 0; r < 4; ++r) all.push_back(next[r] ^ all[4 * (word - words) + r]);
  }
  RoundKeys keys(all.size() / kBlock);
  for (std::size_t i = 0; i < all.size(); ++i) keys[i / kBlock][i % kBlock] = all[i];
  return keys;
}

void encrypt(State& state, const RoundKeys& keys) {
  add(state, keys[0]);
  for (std::size_t round = 1; round < keys.size(); ++round) {
    substitute(state, substitutes());
    shiftRows(state, 1);
    if (round + 1 < keys.size()) mixColumns(state, kMix);
    add(state, keys[round]);
  }
}

void decrypt(State& state, const RoundKeys& keys) {
  add(state, keys.back());
  for (std::size_t round = keys.size() - 1; round-- > 0;) {
    shiftRows(state, 3);
    substitute(state, inverseSubstitutes());
    add(state, keys[round]);
    if (round > 0) mixColumns(state, kInverseMix);
  }
}

RoundKeys roundKeys(const ReferenceInput& input) {
  const auto key = input.buffers.find("key");
  const bool wide = key != input.buffers.end() && key->second.size() == 2 * kBlock;
  return expand(input.elements<std::uint8_t>("key", wide ? 2 * kBlock : kBlock));
}

Bytes bytesOfKeys(const RoundKeys& keys) {
  Bytes bytes;
  for (const State& key : keys) bytes.insert(bytes.end(), key.begin(), key.end());
  return bytes;
}

Bytes eachBlock(const ReferenceInput& input, void (*cipher)(State&, const RoundKeys&)) {
  const RoundKeys keys = roundKeys(input);
  Bytes text = input.elements<std::uint8_t>("text", 1024 * input.parameter("ctas", 1, 65535));
  State state{};
  for (auto at = text.begin(); at != text.end(); at += kBlock) {
    std::copy_n(at, kBlock, state.begin());
    cipher(state, keys);
    std::copy(state.begin(), state.end(), at);
  }
  return text;
}

/// Returns the tables: table r holds for each byte the column that it adds if it stands in row r.
Bytes tables(const Substitutes& by, const Column& mix) {
  Bytes bytes;
  for (std::size_t from = 0; from < 4; ++from) {
    for (const std::uint8_t substitute : by) {
      for (std::size_t r = 0; r < 4; ++r)
        bytes.push_back(product(substitute, mix[(r + 4 - from) % 4]));
    }
  }
  return bytes;
}

}  // namespace

Bytes encryptedBlocks(const ReferenceInput& input) { return eachBlock(input, encrypt); }

Bytes decryptedBlocks(const ReferenceInput& input) { return eachBlock(input, decrypt); }

Bytes encryptionKeys(const ReferenceInput& input) { return bytesOfKeys(roundKeys(input)); }

Bytes decryptionKeys(const ReferenceInput& input) {
  RoundKeys keys = roundKeys(input);
  std::reverse(keys.begin(), keys.end());
  for (std::size_t round = 1; round + 1 < keys.size(); ++round)
    mixColumns(keys[round], kInverseMix);
  return bytesOfKeys(keys);
}

Bytes encryptionTables(const ReferenceInput& /*input*/) { return tables(substitutes(), kMix); }

Bytes decryptionTables(const ReferenceInput& /*input*/) {
  return tables(inverseSubstitutes(), kInverseMix);
}

Bytes decryptionSubstitutes(const ReferenceInput& /*input*/) {
  const Substitutes& by = inverseSubstitutes();
  return {by.begin(), by.end()};
}

}  // namespace fermata::cuda
