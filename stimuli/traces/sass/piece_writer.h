// Collects the rows of warps into pieces, for the compiled form of a trace.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/traces/sass/kernel_form.h>
#include <fermata/stimuli/traces/sass/row_coding.h>

namespace fermata::sass {

/// Rows of one warp that are not written yet.
struct OpenWarp {
  std::uint64_t block = 0;  ///< number in the grid
  std::uint32_t warp = 0;
  std::size_t used = 0;  ///< bytes of `bytes` that hold rows
  std::vector<char> bytes;
  /// Raw traces give a copy two rows: the first, if the second has not come.
  struct HalfCopy {
    std::uint32_t index = 0;
    RowAddresses target;
  };
  std::unique_ptr<HalfCopy> halfCopy;
};

class PieceWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// `sink` takes the bytes of all pieces, in order.
  explicit PieceWriter(Sink sink) : sink_(std::move(sink)) {}

  /// Returns the warp that all rows so far name by these numbers, or a new one.
  OpenWarp& warpOf(std::uint64_t block, std::uint32_t warp);
  /// Returns a place with room for a row. rowEnds() must follow.
  char* rowBegins(OpenWarp& warp) {
    if (warp.bytes.size() - warp.used < kMostRow) makeRoom(warp);
    return warp.bytes.data() + warp.used;
  }
  void rowEnds(OpenWarp& warp, const char* end) {
    warp.used = static_cast<std::size_t>(end - warp.bytes.data());
  }
  /// Writes the rows of the warp that are left, and forgets it.
  void end(OpenWarp& warp);
  /// Ends every warp. `each` is called for it before.
  void endAll(const std::function<void(OpenWarp&)>& each);
  /// Moves the pieces into the form, in the order of blocks and warps.
  void fill(KernelForm& form);

 private:
  struct Written {
    std::uint64_t block;
    KernelForm::Piece piece;
  };
  /// Bytes of the rows that wait, from which on all are written.
  static constexpr std::size_t kMostWaiting = std::size_t{64} << 20;
  static constexpr std::size_t kFirstBytes = 2048;
  static constexpr std::size_t kMostBytes = 32768;

  void makeRoom(OpenWarp& warp);
  void write(OpenWarp& warp);

  Sink sink_;
  std::uint64_t place_ = 0;
  std::size_t waiting_ = 0;  ///< capacity of all warps
  std::unordered_map<std::uint64_t, std::unique_ptr<OpenWarp>> warps_;
  OpenWarp* last_ = nullptr;
  std::vector<Written> written_;
  std::vector<std::vector<char>> free_;
};

}  // namespace fermata::sass
