#include <fermata/stimuli/traces/sass/access_list.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/traces/sass/kernel_header.h>
#include <fermata/stimuli/traces/sass/row_words.h>

namespace fermata::sass {

namespace {

/// The list does not say how large grid and block were: the largest hold every row.
constexpr const char* kHead =
    "-kernel name = accesses\n-grid dim = (2147483647,65535,65535)\n-block dim = (1024,1,1)\n"
    "-shmem = 232448\n-accesses alone = 1\n#\n";
constexpr unsigned kWarps = 32;

bool ends(const std::string& path, std::string_view with) {
  return path.size() > with.size() &&
         path.compare(path.size() - with.size(), with.size(), with) == 0;
}

bool isHyFissName(const std::string& path) {
  return ends(path, ".mem") || ends(path, ".mem.xz");
}

/// Takes the text up to `end` off the front. Returns false if `end` is not there.
bool take(std::string_view& text, std::string_view end, std::string_view& taken) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) return false;
  taken = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return true;
}

/// Takes a word off the front; empty: there is none.
std::string_view word(std::string_view& text) {
  while (!text.empty() && endsWord(text.front())) text.remove_prefix(1);
  std::size_t size = 0;
  while (size < text.size() && !endsWord(text[size])) ++size;
  const std::string_view found = text.substr(0, size);
  text.remove_prefix(size);
  return found;
}

// A blank or the line's end stands behind each word, as the functions of row_words.h need.
bool isAddress(std::string_view text, std::uint64_t& value) {
  return !text.empty() && readMarkedHex(text.data(), value) == text.data() + text.size();
}
bool isNumber(std::string_view text, std::uint64_t& value) {
  const std::string whole(text);
  return readDecimal(whole.c_str(), value) == whole.c_str() + whole.size() && !whole.empty();
}
bool isHexadecimal(std::string_view text, std::uint64_t& value) {
  return !text.empty() && readHex(text.data(), value) == text.data() + text.size();
}

}  // namespace

bool isAccessListName(const std::string& path) {
  return ends(path, ".memtrace") || ends(path, ".memtrace.xz") || isHyFissName(path);
}

AccessListBytes::AccessListBytes(std::unique_ptr<TraceBytes> list, const std::string& path)
    : lines_(std::move(list), path), hyFiss_(isHyFissName(path)), text_(kHead) {}

std::size_t AccessListBytes::read(char* to, std::size_t room) {
  if (at_ == text_.size()) {
    text_.clear();
    at_ = 0;
    while (text_.size() < room && lines_.next()) {
      hyFiss_ ? addHyFiss() : addMemTrace();
      text_ += '\n';
    }
  }
  const std::size_t size = std::min(room, text_.size() - at_);
  std::memcpy(to, text_.data() + at_, size);
  at_ += size;
  return size;
}

void AccessListBytes::fail(const char* expected) const {
  lines_.fail(nullptr, "a bad access; expected {}", expected);
}

// "CTA x,y,z - warp W - OPCODE - 0x..*32", in newer releases behind "MEMTRACE: CTX .. - ". Other
// lines are those of the launch and of the program itself.
void AccessListBytes::addMemTrace() {
  constexpr const char* kForm = "CTA x,y,z - warp NUMBER - OPCODE - 32 addresses 0x...";
  std::string_view text = lines_.text();
  const std::size_t start = text.find("CTA ");
  const bool marked = text.substr(0, 9) == "MEMTRACE:";
  if (start == std::string_view::npos || (start != 0 && !marked)) return;
  text.remove_prefix(start + 4);
  std::string_view block, warp, opcode;
  if (!take(text, " - warp ", block) || !take(text, " - ", warp) || !take(text, " - ", opcode))
    fail(kForm);
  std::array<std::uint64_t, 3> place{};
  for (std::size_t k = 0; k < 3; ++k) {
    std::string_view one = block;
    if (k < 2 && !take(block, ",", one)) fail(kForm);
    if (!isNumber(k < 2 ? one : block, place[k])) fail(kForm);
  }
  std::uint64_t slot = 0, address = 0;
  if (!isNumber(warp, slot)) fail(kForm);
  std::string addresses;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::string_view one = word(text);
    if (!isAddress(one, address)) fail(kForm);
    addresses += ' ';
    addresses += one;
  }
  if (!word(text).empty()) fail(kForm);
  addRow(fmt::format("{} {} {} {}", place[0], place[1], place[2], slot % kWarps), opcode,
         "ffffffff", addresses);
}

// BLOCK PC OPCODE MASK CLOCK NREF, then for each reference: 0xA0 NRUNS (STRIDE:COUNT)*. Runs cover
// the 31 lanes behind the first, active or not.
void AccessListBytes::addHyFiss() {
  constexpr const char* kForm =
      "BLOCK PC OPCODE MASK CLOCK REFERENCES, and for each reference 0xADDRESS RUNS and so many "
      "STRIDE:COUNT of 31 lanes";
  std::string_view text = lines_.text();
  std::uint64_t block = 0, pc = 0, mask = 0, clock = 0, references = 0;
  const std::string_view first = word(text);
  if (first.empty()) return;
  if (!isHexadecimal(first, block) || !isHexadecimal(word(text), pc)) fail(kForm);
  const std::string_view opcode = word(text);
  if (opcode.empty() || !isHexadecimal(word(text), mask) || mask > kAllLanes ||
      !isHexadecimal(word(text), clock) || !isHexadecimal(word(text), references) ||
      block > 0x7ffffffe)
    fail(kForm);
  std::string chosen;
  const unsigned lists = references == 2 ? 2 : 1;  // HyFiSS writes one for any other number
  for (unsigned list = 0; list < lists; ++list) {
    std::uint64_t address = 0, runs = 0;
    if (!isAddress(word(text), address) || !isHexadecimal(word(text), runs)) fail(kForm);
    std::string addresses;
    // A copy counts by its shared side: the global one takes no bank. Lanes that are off have any
    // address.
    bool shared = true;
    unsigned lane = 0;
    const auto put = [&] {
      if ((mask >> lane & 1) != 0) {
        addresses += fmt::format(" 0x{:x}", address);
        shared = shared && address < kWindowBytes;
      }
      ++lane;
    };
    put();
    for (std::uint64_t run = 0; run < runs && lane < kWarpLanes; ++run) {
      std::string_view count = word(text), stride;
      std::uint64_t magnitude = 0, lanes = 0;
      if (!take(count, ":", stride)) fail(kForm);
      const bool negative = stride.substr(0, 1) == "-";
      if (!isNumber(stride.substr(negative ? 1 : 0), magnitude) || !isNumber(count, lanes) ||
          lanes == 0 || lanes > kWarpLanes - lane)
        fail(kForm);
      for (; lanes != 0; --lanes) {
        address += negative ? ~magnitude + 1 : magnitude;
        put();
      }
    }
    if (lane != kWarpLanes) fail(kForm);
    if (list == 0 || shared) chosen = addresses;
  }
  if (!word(text).empty()) fail(kForm);
  addRow(fmt::format("{} 0 0 0", block), opcode, fmt::format("{:08x}", mask), chosen);
}

void AccessListBytes::addRow(std::string_view place, std::string_view opcode, std::string_view mask,
                             const std::string& addresses) {
  const auto number = static_cast<unsigned>(opcodes_.size());
  const unsigned pc = opcodes_.emplace(opcode, number).first->second;
  text_ += fmt::format("{} {:04x} {} 0 {} 0 4 0{}", place, 16 * pc, mask, opcode, addresses);
}

}  // namespace fermata::sass
