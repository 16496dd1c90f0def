#include <fermata/stimuli/traces/sass/trace_lines.h>

#include <cstring>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/traces/sass/row_words.h>

namespace fermata::sass {

namespace {

constexpr std::size_t kBufferBytes = 2 * TraceLines::kMostLine;

}  // namespace

TraceLines::TraceLines(std::unique_ptr<TraceBytes> bytes, std::string file, std::size_t unnumbered)
    : bytes_(std::move(bytes)),
      file_(std::move(file)),
      buffer_(kBufferBytes + 1 + kWordSlack),
      line_(0 - unnumbered) {}

/// Reads on. Returns false if the text is over.
bool TraceLines::refill() {
  if (ended_) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const std::size_t got = bytes_->read(buffer_.data() + end_, kBufferBytes - end_);
  ended_ = got == 0;
  end_ += got;
  return !ended_;
}

bool TraceLines::next() {
  if (again_) {
    again_ = false;
    return true;
  }
  std::size_t searched = 0;
  for (;;) {
    const char* const first = buffer_.data() + begin_;
    const std::size_t held = end_ - begin_;
    const void* const found =
        held > searched ? std::memchr(first + searched, '\n', held - searched) : nullptr;
    std::size_t length = held;
    if (found != nullptr) {
      length = static_cast<std::size_t>(static_cast<const char*>(found) - first);
    } else if (held < kMostLine) {
      searched = held;
      if (refill()) continue;
      if (end_ == begin_) return false;
      buffer_[end_] = '\n';
      text_ = {buffer_.data() + begin_, end_ - begin_};
      begin_ = end_;
      ++line_;
      return true;
    }
    ++line_;
    if (length >= kMostLine) {
      text_ = {first, 0};
      fail(nullptr, "the line is too long; expected at most {} bytes", kMostLine);
    }
    text_ = {first, length};
    begin_ += length + 1;
    return true;
  }
}

void TraceLines::failAt(const char* place, const std::string& what) const {
  std::string readable = what;
  for (char& c : readable) {
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  }
  const bool within =
      place != nullptr && place >= text_.data() && place <= text_.data() + text_.size();
  throw InputError({file_, line_, within ? static_cast<std::size_t>(place - text_.data()) + 1 : 0},
                   readable);
}

}  // namespace fermata::sass
