#include <fermata/platforms/program/fst_blocks.h>

#include <fermata/results/files/output_error.h>

#include <array>
#include <fstream>
#include <string>

namespace fermata::platforms {

namespace {

/// A block: one byte of kind, then 8 bytes of length, most significant byte first. The length
/// counts its own 8 bytes but not the kind.
struct Block {
  unsigned kind = 0;
  std::uint64_t length = 0;
};
constexpr unsigned kHeaderBlock = 0;
constexpr unsigned kGeometry = 3;
constexpr unsigned kPackedHierarchy[] = {4, 6, 7};
constexpr std::uint64_t kLeastLength = 8;

bool read(std::ifstream& in, Block& block) {
  std::array<char, 9> bytes;
  if (!in.read(bytes.data(), bytes.size())) return false;
  block.kind = static_cast<unsigned char>(bytes[0]);
  block.length = 0;
  for (std::size_t i = 1; i < bytes.size(); ++i)
    block.length = block.length << 8 | static_cast<unsigned char>(bytes[i]);
  return block.length >= kLeastLength;
}

bool isWhole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::uint64_t size = in ? std::filesystem::file_size(file) : 0;
  bool geometry = false;
  bool hierarchy = false;
  for (std::uint64_t at = 0; at < size;) {
    Block block;
    in.seekg(static_cast<std::streamoff>(at));
    if (!read(in, block) || block.length > size - at - 1) return false;
    if (at == 0 && block.kind != kHeaderBlock) return false;
    geometry = geometry || block.kind == kGeometry;
    for (const unsigned kind : kPackedHierarchy) hierarchy = hierarchy || block.kind == kind;
    at += 1 + block.length;
  }
  return geometry && hierarchy;
}

}  // namespace

void requireWholeFst(const std::filesystem::path& file, const char* what) {
  if (isWhole(file)) return;
  throw files::OutputError("cannot write the " + std::string(what) + " to " + file.string() +
                           ": the file is cut off; is there room for it?");
}

}  // namespace fermata::platforms
