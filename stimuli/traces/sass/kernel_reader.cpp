#include <fermata/stimuli/traces/sass/kernel_reader.h>

#include <charconv>

#include <fermata/stimuli/traces/sass/row_words.h>

namespace fermata::sass {

namespace {

constexpr std::uint64_t kMostRows = std::uint64_t{1} << 40;

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && endsWord(text.front())) text.remove_prefix(1);
  while (!text.empty() && endsWord(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

KernelReader::KernelReader(TraceLines& lines, const OpcodeTable& opcodes,
                           const TraceSettings& settings, PieceWriter::Sink sink)
    : lines_(lines), opcodes_(opcodes), settings_(settings), pieces_(std::move(sink)) {}

KernelForm KernelReader::read() {
  form_.header = readHeader(lines_, settings_);
  sharedLimit_ = sharedLimit(form_.header, settings_);
  parser_ = std::make_unique<RowParser>(lines_, form_.header, opcodes_, settings_);
  while (lines_.next()) {
    const std::string_view text = lines_.text();
    if (counted_.left != 0) {
      if (!text.empty() && hexDigit(text[0]) != kNoDigit) {
        readRow();
        continue;
      }
    }
    const char* const first = skipBlanks(text.data());
    if (first >= text.data() + text.size()) continue;
    if (*first == '#') {
      readMark();
    } else if (*first >= 'a' && *first <= 'z' && text.find('=') != std::string_view::npos) {
      readWord();
    } else {
      readRow();
    }
  }
  if (inBlock_)
    lines_.fail(nullptr, "the trace ends within a block, it is cut off; expected '#END_TB'");
  pieces_.endAll([this](OpenWarp& warp) { writeHalf(warp); });
  pieces_.fill(form_);
  form_.instructions = parser_->instructions();
  form_.tallies.unknownOpcodes = parser_->unknownOpcodes();
  if (form_.blocks.empty())
    lines_.fail(nullptr, "the trace has no rows; expected the instructions of a kernel");
  return std::move(form_);
}

void KernelReader::readMark() {
  const std::string_view text = trimmed(lines_.text());
  if (text == "#BEGIN_TB") {
    if (inBlock_)
      lines_.fail(text.data(), "a block begins within another; expected '#END_TB' before");
    inBlock_ = true;
    named_ = false;
    warpsSeen_ = 0;
    return;
  }
  if (text != "#END_TB") return;  // prose
  if (!inBlock_) lines_.fail(text.data(), "'#END_TB' without a block; expected '#BEGIN_TB' before");
  requireWhole();
  finishWarp();
  inBlock_ = false;
}

void KernelReader::finishWarp() {
  if (warp_ == nullptr) return;
  writeHalf(*warp_);
  pieces_.end(*warp_);
  warp_ = nullptr;
}

void KernelReader::requireWhole() const {
  if (counted_.left == 0) return;
  lines_.fail(nullptr, "warp {} has {} rows; expected {}, which its 'insts' says", counted_.warp,
              counted_.rows - counted_.left, counted_.rows);
}

void KernelReader::readWord() {
  const std::string_view text = lines_.text();
  const std::size_t equals = text.find('=');
  const std::string_view key = trimmed(text.substr(0, equals));
  const std::string_view value = trimmed(text.substr(equals + 1));
  if (!inBlock_)
    lines_.fail(text.data(), "'{}' outside of a block; expected '#BEGIN_TB' before", key);
  if (startsWith(key, "cluster")) return;
  if (key == "thread block") return beginBlock(value);
  if (key == "warp") return beginWarp(value);
  if (key != "insts")
    lines_.fail(key.data(), "'{}'; expected 'thread block', 'warp' or 'insts'", key);
  if (warp_ == nullptr) lines_.fail(key.data(), "'insts' without a warp; expected 'warp' before");
  counted_.rows = counted_.left = number(value, kMostRows, "insts");
}

std::uint64_t KernelReader::number(std::string_view text, std::uint64_t most,
                                   const char* what) const {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end && value <= most) return value;
  lines_.fail(text.data(), "{} = '{}'; expected a whole number up to {}", what, text, most);
}

void KernelReader::beginBlock(std::string_view value) {
  std::array<std::uint32_t, 3> block{};
  const char* at = value.data();
  const char* const end = at + value.size();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [stop, error] = std::from_chars(at, end, block[k]);
    const bool last = k == 2;
    if (error != std::errc{} || (last ? stop != end : stop == end || *stop != ','))
      lines_.fail(value.data(), "thread block = '{}'; expected x,y,z", value);
    at = stop + (last ? 0 : 1);
  }
  if (named_) lines_.fail(value.data(), "a second 'thread block'; expected '#END_TB' before");
  named_ = true;
  block_ = blockNumber(block);
  requireNew(value);
}

// Refuses a block that stood before. Blocks that come in rising order need no list.
void KernelReader::requireNew(std::string_view value) {
  const bool rises = blocksSeen_ == 0 || block_ > highestBlock_;
  const bool again = !rises && (block_ == highestBlock_ || !lateBlocks_.insert(block_).second);
  if (again) lines_.fail(value.data(), "thread block {} stands twice; expected each once", value);
  if (rises) highestBlock_ = block_;
  ++blocksSeen_;
}

void KernelReader::beginWarp(std::string_view value) {
  if (!named_)
    lines_.fail(value.data(), "a warp before its block; expected 'thread block = x,y,z'");
  requireWhole();
  finishWarp();
  counted_.warp = static_cast<std::uint32_t>(number(value, form_.header.warps() - 1, "warp"));
  counted_.rows = counted_.left = 0;
  if ((warpsSeen_ >> counted_.warp & 1U) != 0)
    lines_.fail(value.data(), "warp {} stands twice in its block; expected each once", value);
  warpsSeen_ |= 1U << counted_.warp;
  warp_ = &pieces_.warpOf(block_, counted_.warp);
}

std::uint64_t KernelReader::blockNumber(const std::array<std::uint32_t, 3>& block) const {
  const auto& grid = form_.header.grid;
  if (block[0] >= grid[0] || block[1] >= grid[1] || block[2] >= grid[2])
    lines_.fail(nullptr, "block {},{},{} is outside of the grid; expected one of ({},{},{})",
                block[0], block[1], block[2], grid[0], grid[1], grid[2]);
  return (std::uint64_t{block[2]} * grid[1] + block[1]) * grid[0] + block[0];
}

void KernelReader::readRow() {
  parser_->parse(row_);
  ++form_.tallies.rows;
  if (inBlock_) {
    if (counted_.left == 0)
      lines_.fail(nullptr,
                  warp_ == nullptr
                      ? "a row before its warp; expected 'warp = number' and 'insts = "
                        "number'"
                      : "a row more than 'insts' says; expected the next warp or '#END_TB'");
    --counted_.left;
    return write(*warp_, row_);
  }
  if (!parser_->namesWarp())
    lines_.fail(nullptr,
                "a row outside of a block; expected '#BEGIN_TB', or block and warp in "
                "each row");
  if (row_.warp >= form_.header.warps())
    lines_.fail(nullptr, "warp {}; expected one of the {} warps of a block", row_.warp,
                form_.header.warps());
  write(pieces_.warpOf(blockNumber(row_.block), row_.warp), row_);
}

}  // namespace fermata::sass
