#include <fermata/stimuli/traces/sass/tracez_bytes.h>

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include <fermata/stimuli/refuse.h>

namespace fermata::sass {

namespace {

// Limits that bound what a torn or hostile file may ask for.
constexpr std::size_t kMostHeader = std::size_t{1} << 16;
constexpr std::size_t kMostDictionary = std::size_t{16} << 20;
constexpr std::size_t kMostFrame = std::size_t{64} << 20;  ///< packed or not
constexpr std::uint32_t kMostWarps = 32;

}  // namespace

struct TracezBytes::Zstd {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context{ZSTD_createDCtx(), &ZSTD_freeDCtx};
  std::vector<char> dictionary;
  std::vector<char> packed;
};

TracezBytes::TracezBytes(const std::string& path) : file_(path), zstd_(std::make_unique<Zstd>()) {
  if (zstd_->context == nullptr) throw std::bad_alloc();
  readHeader();
  openFooter();
}

TracezBytes::~TracezBytes() = default;

void TracezBytes::fail(const std::string& what) const {
  refuse({file_.path()}, "{}; expected a trace in the form .tracez", what);
}

template <class Number>
Number TracezBytes::take(std::uint64_t& place, const char* what) const {
  Number number{};
  if (file_.read(reinterpret_cast<char*>(&number), sizeof number, place) != sizeof number)
    fail(std::string("the file ends within ") + what);
  place += sizeof number;
  return number;
}

void TracezBytes::readHeader() {
  std::string head(kMostHeader, '\0');
  head.resize(file_.read(head.data(), head.size(), 0));
  const std::size_t end = head.find('\0');
  if (end == std::string::npos) fail("the text of the header has no end");
  text_ = head.substr(0, end) + "\n#\n";
  data_ = end + 1;
  const auto bytes = take<std::uint32_t>(data_, "the dictionary");
  take<std::uint32_t>(data_, "the dictionary");
  if (bytes > kMostDictionary) fail("a dictionary of " + std::to_string(bytes) + " bytes");
  std::vector<char>& dictionary = zstd_->dictionary;
  dictionary.resize(bytes);
  if (file_.read(dictionary.data(), bytes, data_) != bytes)
    fail("the file ends within the dictionary");
  if (ZSTD_isError(ZSTD_DCtx_loadDictionary(zstd_->context.get(), dictionary.data(), bytes)) != 0)
    fail("the dictionary is damaged");
}

void TracezBytes::openFooter() {
  const std::uint64_t size = file_.size();
  if (size < sizeof(std::uint64_t)) fail("the file is cut off");
  std::uint64_t last = end_ = size - sizeof(std::uint64_t);
  footer_ = take<std::uint64_t>(last, "the place of the footer");
  if (footer_ < data_ || footer_ >= end_)
    fail("the footer lies at byte " + std::to_string(footer_) + ", outside of the file");
  blocks_ = take<std::uint32_t>(footer_, "the footer");
}

bool TracezBytes::produce() {
  text_.clear();
  given_ = 0;
  if (chunks_ != 0) {
    unpackChunk();
  } else if (warps_ != 0) {
    beginWarp();
  } else if (inBlock_) {
    text_ = "#END_TB\n";
    inBlock_ = false;
  } else if (blocks_ != 0) {
    beginBlock();
  } else {
    return false;
  }
  return true;
}

void TracezBytes::beginBlock() {
  std::array<std::uint32_t, 11> numbers;
  for (std::uint32_t& number : numbers) number = take<std::uint32_t>(footer_, "the footer");
  --blocks_;
  warps_ = numbers[10];
  if (warps_ > kMostWarps) fail("a block of " + std::to_string(warps_) + " warps");
  warp_ = 0;
  inBlock_ = true;
  text_ = fmt::format("#BEGIN_TB\nthread block = {},{},{}\n", numbers[0], numbers[1], numbers[2]);
}

void TracezBytes::beginWarp() {
  const auto instructions = take<std::uint32_t>(footer_, "the footer");
  chunks_ = take<std::uint32_t>(footer_, "the footer");
  data_ = take<std::uint64_t>(footer_, "the footer");
  const std::uint64_t counts = std::uint64_t{chunks_} * sizeof(std::uint32_t);
  if (counts > end_ - std::min(end_, footer_)) fail("the file ends within the footer");
  footer_ += counts;
  const auto again = take<std::uint32_t>(data_, "a warp");
  const auto chunksAgain = take<std::uint32_t>(data_, "a warp");
  if (again != instructions || chunksAgain != chunks_)
    fail(fmt::format("warp {} of a block has {} instructions in the footer and {} at its place",
                     warp_, instructions, again));
  --warps_;
  text_ = fmt::format("warp = {}\ninsts = {}\n", warp_++, instructions);
}

void TracezBytes::unpackChunk() {
  --chunks_;
  const auto bytes = take<std::uint32_t>(data_, "a chunk");
  if (bytes > kMostFrame) fail("a chunk of " + std::to_string(bytes) + " bytes");
  std::vector<char>& packed = zstd_->packed;
  packed.resize(bytes);
  if (file_.read(packed.data(), bytes, data_) != bytes) fail("the file ends within a chunk");
  data_ += bytes;
  const unsigned long long plain = ZSTD_getFrameContentSize(packed.data(), bytes);
  if (plain > kMostFrame) fail("a chunk whose frame does not say its size, or is too large");
  text_.resize(static_cast<std::size_t>(plain));
  const std::size_t got = ZSTD_decompressDCtx(zstd_->context.get(), text_.data(), text_.size(),
                                              packed.data(), packed.size());
  if (ZSTD_isError(got) != 0 || got != text_.size()) fail("a chunk is damaged");
  text_ += '\n';
}

std::size_t TracezBytes::read(char* to, std::size_t room) {
  while (given_ == text_.size()) {
    if (over_ || !produce()) {
      over_ = true;
      return 0;
    }
  }
  const std::size_t size = std::min(room, text_.size() - given_);
  std::memcpy(to, text_.data() + given_, size);
  given_ += size;
  return size;
}

traces::ContentHash TracezBytes::hash() {
  const auto hash = traces::hashOfFile(file_.path());
  if (!hash) fail("the file cannot be read again");
  return *hash;
}

}  // namespace fermata::sass
