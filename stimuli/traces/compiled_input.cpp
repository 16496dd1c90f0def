#include <fermata/stimuli/traces/compiled_input.h>

#include <algorithm>

namespace fermata::traces {

bool CompiledInput::open(std::unique_ptr<std::istream> in, const CompiledHeader& expected) {
  in_ = std::move(in);
  const std::streamoff size = in_->seekg(0, std::ios::end) ? std::streamoff(in_->tellg()) : -1;
  constexpr std::streamoff kLeast = sizeof(CompiledHeader) + sizeof(ContentHash);
  if (size < kLeast || !in_->seekg(0)) return false;
  buffer_.resize(kBufferBytes);
  left_ = static_cast<std::uint64_t>(size) - sizeof(ContentHash);
  refill();
  if (end_ < sizeof expected || !(take<CompiledHeader>() == expected)) return false;
  ContentHasher hasher;
  while (end_ != 0) {
    hasher.add(buffer_.data(), end_);
    at_ = end_;
    refill();
  }
  ContentHash hash;
  in_->read(reinterpret_cast<char*>(&hash), sizeof hash);
  if (!*in_ || !(hash == hasher.hash()) || !in_->seekg(sizeof expected)) return false;
  left_ = static_cast<std::uint64_t>(size) - sizeof expected - sizeof hash;
  return true;
}

void CompiledInput::refill() {
  std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  const auto wanted = std::min<std::uint64_t>(left_, buffer_.size() - end_);
  std::streamsize got = 0;
  try {
    got = in_->rdbuf()->sgetn(buffer_.data() + end_, static_cast<std::streamsize>(wanted));
  } catch (const std::ios_base::failure&) {
    got = 0;  // the file ends here: it is shorter than it was, so distrust it
  }
  end_ += static_cast<std::size_t>(got);
  left_ = got > 0 ? left_ - static_cast<std::uint64_t>(got) : 0;
}

std::uint64_t CompiledInput::takeLongNumber(std::uint64_t value) {
  value &= 0x7f;
  for (unsigned shift = 7; shift < 64; shift += 7) {
    const auto next = take<std::uint8_t>();
    value |= std::uint64_t{next & 0x7fU} << shift;
    if (next < 0x80) return value;
  }
  throw Damaged();
}

}  // namespace fermata::traces
