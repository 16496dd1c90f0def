#include <fermata/stimuli/native/access_paths.h>

#include <cstddef>
#include <cstring>

#include <fermata/stimuli/ptx/device_memory.h>

namespace fermata::native {

using ptx::Allocation;
using ptx::Instruction;

AllocationOffsets allocationOffsets() {
  // Where a unique_ptr keeps its pointer is the library's own affair.
  std::uint8_t mark = 0;
  Allocation one;
  one.data = ptx::HostBytes(&mark, ptx::HostBytesDelete{false});
  const auto* const first = reinterpret_cast<const char*>(&one);
  const std::uint8_t* held = nullptr;
  auto data = static_cast<std::size_t>(reinterpret_cast<const char*>(&one.data) - first);
  for (; data + sizeof held < sizeof one; data += sizeof held) {
    std::memcpy(&held, first + data, sizeof held);
    if (held == &mark) break;
  }
  return {static_cast<std::size_t>(reinterpret_cast<const char*>(&one.base) - first),
          static_cast<std::size_t>(reinterpret_cast<const char*>(&one.bytes) - first), data};
}

void setElement(LaneCode& c, const Instruction& i, const Access& access, unsigned e,
                const std::string& value) {
  const unsigned from = 8 * access.bytes, to = i.wideData ? 64 : 32;
  std::string word = value;
  if (from < to)
    word = c.cast(access.isSigned ? "sext" : "zext", value, vectorOfBits(from), vectorOfBits(to));
  if (access.isSigned && 8U * i.registerBytes < to) {
    const std::uint64_t keep = (std::uint64_t{1} << (8U * i.registerBytes)) - 1;
    word = c.op("and", vectorOfBits(to), word, c.splat(to, keep));
  }
  c.setWord(i.vector[e], i.wideData, word);
}

AccessPaths::AccessPaths(LaneCode& code, const Instruction& i, const Access& access)
    : c_(code), i_(i), access_(access), slow_(code.newLabel()), done_(code.newLabel()) {
  // Values that several paths need come before they part.
  (void)c_.word(i.a, i.wideBase);
  for (unsigned e = 0; e < i.elements; ++e) {
    if (!access.isLoad && !access.isAtomic) data_.push_back(stored(e));
    if (access.isLoad && !c_.all()) (void)c_.word(i.vector[e], i.wideData);
  }
  if (c_.all()) {
    first_ = "0";
    before_ = c_.rows();
    return;
  }
  (void)c_.lanes();
  before_ = c_.rows();
  const std::string any = c_.def("icmp ne i32 {}, 0", c_.mask());
  const std::string go = c_.newLabel(), none = c_.newLabel();
  c_.fork(any, go, none, none);
  begin("");
  label_ = none;
  end();
  c_.label(go);
  first_ = c_.call("i32", "llvm.cttz.i32", {{"i32", c_.mask()}, {"i1", "true"}});
}

std::string AccessPaths::stored(unsigned e) {
  const unsigned from = wide() ? 64 : 32;
  const std::string word = c_.word(i_.vector[e], wide());
  return bits() < from ? c_.cast("trunc", word, vectorOfBits(from), vectorOfBits(bits())) : word;
}

/// Begins a path, at its label if it has one.
void AccessPaths::begin(const std::string& label) {
  if (!label.empty()) c_.label(label);
  label_ = label;
  c_.setRows(before_);
}

/// Ends a path.
void AccessPaths::end() {
  End end{label_, {}};
  for (unsigned e = 0; access_.isLoad && e < i_.elements; ++e)
    end.values.push_back(c_.all() || c_.rows().count({i_.vector[e], wide()}) != 0
                             ? c_.word(i_.vector[e], wide())
                             : "");
  ends_.push_back(std::move(end));
  c_.line("br label %{}", done_);
}

/// Returns whether a condition holds in all lanes that execute.
std::string AccessPaths::allOf(const std::string& lanes) {
  const std::string holding = c_.bitsOf(lanes);
  if (c_.all()) return c_.def("icmp eq i32 {}, -1", holding);
  const std::string both = c_.def("and i32 {}, {}", holding, c_.mask());
  return c_.def("icmp eq i32 {}, {}", both, c_.mask());
}

/// Goes on if the condition holds.
void AccessPaths::require(const std::string& condition) {
  const std::string next = c_.newLabel();
  c_.fork(condition, next, slow_, next);
  label_ = next;
}

std::string AccessPaths::aligned(const std::string& address) {
  const std::string rest = c_.def("and i64 {}, {}", address, i_.bytesPerLane - 1);
  return c_.def("icmp eq i64 {}, 0", rest);
}

void AccessPaths::write(const Place& place) {
  // A path may access only if the memory has room for one lane.
  require(c_.def("icmp uge i64 {}, {}", place.bytes, i_.bytesPerLane));
  room_ = c_.def("sub i64 {}, {}", place.bytes, i_.bytesPerLane);
  const bool local = access_.space == MemorySpace::Local;
  if (access_.isAtomic) {
    // Lanes act one by one.
  } else if (local || !c_.all()) {
    writeFromFirst(place);
  } else {
    writeHalves(place);
  }
  writeApart(place);
  // The executor does the rest.
  c_.label(slow_);
  c_.setRows(before_);
  c_.interpret();
  label_ = c_.newLabel();
  c_.line("br label %{}", label_);
  c_.label(label_);
  for (unsigned e = 0; access_.isLoad && e < i_.elements; ++e) c_.forget(i_.vector[e], wide());
  for (unsigned e = 0; access_.isLoad && e < i_.elements; ++e) (void)c_.word(i_.vector[e], wide());
  end();
  c_.label(done_);
  c_.setRows(before_);
  for (unsigned e = 0; access_.isLoad && e < i_.elements; ++e) {
    std::string values;
    for (const End& each : ends_)
      values +=
          fmt::format("{}[ {}, %{} ]", values.empty() ? "" : ", ", each.values[e], each.label);
    c_.know(i_.vector[e], wide(), c_.def("phi {} {}", vectorOfBits(wide() ? 64 : 32), values));
  }
  if (access_.isAtomic && i_.writesResult) c_.forget(i_.d, access_.bytes == 8);
}

AccessPaths::Start AccessPaths::startOf(const Place& place, const std::string& lane) {
  Start start;
  start.address = c_.def("extractelement {} {}, i32 {}", vectorOfBits(place.bits), place.at, lane);
  const std::string address =
      place.bits == 32 ? c_.def("zext i32 {} to i64", start.address) : start.address;
  start.offset = place.base == "0" ? address : c_.def("sub i64 {}, {}", address, place.base);
  start.fits = c_.def("and i1 {}, {}", fits(start.offset), aligned(address));
  return start;
}

std::string AccessPaths::fits(const std::string& offset) {
  return c_.def("icmp ule i64 {}, {}", offset, room_);
}

/// Tries shapes of the halves of a whole warp: one place or a row for each. A block of 16 threads
/// in a row has such accesses.
void AccessPaths::writeHalves(const Place& place) {
  const std::string vector = vectorOfBits(place.bits);
  const Start low = startOf(place, "0"), high = startOf(place, "16");
  const std::string starts = c_.halves(place.bits, low.address, high.address);
  const std::string distance = c_.op("sub", vector, place.at, starts);
  const auto pointer = [&](const Start& start) {
    return c_.def("getelementptr i8, ptr {}, i64 {}", place.data, start.offset);
  };
  const std::string begin = c_.def("and i1 {}, {}", low.fits, high.fits);
  const std::string row = c_.newLabel(), rows = c_.newLabel(), apart = c_.newLabel();
  const std::string step = c_.ramp(place.bits, i_.bytesPerLane, kHalf);
  c_.fork(allOf(c_.compare("eq", vector, distance, step)), row, rows, row);
  const std::string last = std::to_string((kHalf - 1) * i_.bytesPerLane);
  const std::string ends = c_.def("and i1 {}, {}", fits(c_.def("add i64 {}, {}", low.offset, last)),
                                  fits(c_.def("add i64 {}, {}", high.offset, last)));
  require(c_.def("and i1 {}, {}", begin, ends));
  c_.setRows(before_);
  writeHalfRows(pointer(low), pointer(high));
  end();
  c_.label(rows);
  if (!access_.isLoad) return;
  const std::string one = c_.newLabel();
  c_.fork(allOf(c_.compare("eq", vector, distance, c_.splat(place.bits, 0))), one, apart, one);
  require(begin);
  c_.setRows(before_);
  writeOnes(pointer(low), pointer(high));
  end();
  c_.label(apart);
}

/// Tries shapes of the lanes that execute: one place in local memory, a row elsewhere.
void AccessPaths::writeFromFirst(const Place& place) {
  const std::string vector = vectorOfBits(place.bits);
  const Start first = startOf(place, first_);
  const std::string pattern = c_.op("sub", vector, place.at, c_.spread(place.bits, first.address));
  const std::string apart = c_.newLabel(), one = c_.newLabel();
  if (access_.space == MemorySpace::Local) {
    c_.fork(allOf(c_.compare("eq", vector, pattern, c_.splat(place.bits, 0))), one, apart, one);
    require(first.fits);
    c_.setRows(before_);
    const std::string row = c_.def("shl i64 {}, 5", first.offset);  // 4 bytes of 32 lanes each
    writeLocalWords(c_.def("getelementptr i8, ptr {}, i64 {}", place.data, row));
    end();
  } else if (i_.elements == 1) {
    const std::string skipped = c_.def("mul i32 {}, {}", first_, unsigned{i_.bytesPerLane});
    const std::string wideSkip = c_.def("zext i32 {} to i64", skipped);
    const std::string start = c_.def("sub i64 {}, {}", first.offset, wideSkip);
    const std::string distance =
        c_.op("add", vector, pattern, c_.spread(place.bits, place.bits == 32 ? skipped : wideSkip));
    c_.fork(allOf(c_.compare("eq", vector, distance, c_.ramp(place.bits, i_.bytesPerLane))), one,
            apart, one);
    const std::string zeroes =
        c_.call("i32", "llvm.ctlz.i32", {{"i32", c_.mask()}, {"i1", "true"}});
    const std::string lane = c_.def("sub i32 31, {}", zeroes);
    const std::string at = c_.def("mul i32 {}, {}", lane, unsigned{i_.bytesPerLane});
    const std::string last = c_.def("add i64 {}, {}", start, c_.def("zext i32 {} to i64", at));
    require(c_.def("and i1 {}, {}", first.fits, fits(last)));
    c_.setRows(before_);
    writePartOfRow(c_.def("getelementptr i8, ptr {}, i64 {}", place.data, start));
    end();
  } else {
    c_.line("br label %{}", apart);
  }
  c_.label(apart);
}

/// Lanes with places of their own.
void AccessPaths::writeApart(const Place& place) {
  const std::string vector = vectorOfBits(place.bits);
  std::string offsets = place.at;
  if (place.base != "0")
    offsets = c_.op("sub", vector, place.at, c_.spread(place.bits, place.base));
  const std::string most = place.bits == 64 ? room_ : c_.def("trunc i64 {} to i32", room_);
  std::string within = c_.bitsOf(c_.compare("ule", vector, offsets, c_.spread(place.bits, most)));
  if (i_.bytesPerLane > 1) {
    const std::string rest =
        c_.op("and", vector, place.at, c_.splat(place.bits, i_.bytesPerLane - 1U));
    within = c_.def("and i32 {}, {}", within,
                    c_.bitsOf(c_.compare("eq", vector, rest, c_.splat(place.bits, 0))));
  }
  if (place.bits == 64) offsets = c_.cast("trunc", offsets, vector, "<32 x i32>");
  if (access_.isLoad && access_.bytes < 4) {
    // Whole words are read.
    const std::string words = c_.op("and", "<32 x i32>", offsets, c_.splat(32, ~std::uint64_t{3}));
    const std::string least =
        c_.call("i64", "llvm.usub.sat.i64", {{"i64", place.bytes}, {"i64", "3"}});
    const std::string end = c_.def("trunc i64 {} to i32", least);
    within = c_.def("and i32 {}, {}", within,
                    c_.bitsOf(c_.compare("ult", "<32 x i32>", words, c_.spread(32, end))));
  }
  const std::string those = c_.def("and i32 {}, {}", within, c_.mask());
  std::string fine = c_.def("icmp eq i32 {}, {}", those, c_.mask());
  // Offsets are signed words.
  const std::string small = c_.def("icmp ult i64 {}, 2147483648", place.bytes);
  require(c_.def("and i1 {}, {}", fine, small));
  c_.setRows(before_);
  if (access_.isAtomic) {
    writeUpdates(place.data, offsets);
  } else if (access_.space == MemorySpace::Local) {
    eachLocal(place.data, offsets);
  } else {
    each(place.data, offsets);
  }
  end();
}

}  // namespace fermata::native
