// Gives the text of a .tracez file as the .traceg file of the same trace would hold it.
//
//   header text, NUL
//   u32 bytes of the dictionary, u32 lines per chunk, the dictionary
//   for each warp: u32 instructions, u32 chunks, then for each chunk u32 bytes, one zstd frame
//   footer: u32 blocks; for each block 11 u32 (block x y z, cluster x y z, CTA in the cluster x y
//   z, rank, warps), then for each of its warps u32 instructions, u32 chunks, u64 place of the warp
//   in the file, u32 instructions of each chunk u64 place of the footer, the last bytes of the file
//
// All numbers have the byte order of the machine that wrote them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fermata/stimuli/traces/sass/trace_bytes.h>

namespace fermata::sass {

class TracezBytes : public TraceBytes {
 public:
  /// Throws InputError, as read() does.
  explicit TracezBytes(const std::string& path);
  ~TracezBytes() override;

  std::size_t read(char* to, std::size_t room) override;
  traces::ContentHash hash() override;

 private:
  struct Zstd;
  template <class Number>
  Number take(std::uint64_t& place, const char* what) const;
  void readHeader();
  void openFooter();
  bool produce();
  void beginBlock();
  void beginWarp();
  void unpackChunk();
  [[noreturn]] void fail(const std::string& what) const;

  PlacedFile file_;
  std::unique_ptr<Zstd> zstd_;
  std::string text_;          ///< text that read() has not handed out
  std::size_t given_ = 0;     ///< bytes of text_ that read() has handed out
  std::uint64_t footer_ = 0;  ///< place of the next record of the footer
  std::uint64_t end_ = 0;     ///< end of the footer
  std::uint64_t data_ = 0;    ///< place of the next chunk
  std::uint32_t blocks_ = 0;  ///< blocks not begun
  std::uint32_t warps_ = 0;   ///< warps of the block not begun
  std::uint32_t warp_ = 0;    ///< number of the next warp in its block
  std::uint32_t chunks_ = 0;  ///< chunks of the warp not unpacked
  bool inBlock_ = false;
  bool over_ = false;
};

}  // namespace fermata::sass
