// Lines of a trace's text, one at a time, in constant memory.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/traces/sass/trace_bytes.h>

namespace fermata::sass {

class TraceLines {
 public:
  static constexpr std::size_t kMostLine = 65536;  ///< bytes of a line

  /// `file` is the name for errors. `unnumbered`: the first lines, which the file does not have.
  TraceLines(std::unique_ptr<TraceBytes> bytes, std::string file, std::size_t unnumbered = 0);

  /// Reads the next line; returns false at the end of the text. Throws InputError.
  bool next();
  /// Makes next() return the present line once more.
  void again() { again_ = true; }
  /// Returns the line without its end; valid until next(). A '\n' stands behind it.
  std::string_view text() const { return text_; }
  /// Returns the line's number, counted from 1.
  std::size_t line() const { return line_; }
  const std::string& file() const { return file_; }
  /// Precondition: next() has returned false.
  traces::ContentHash hash() { return bytes_->hash(); }

  /// Throws InputError at a place of the line; null: at the line. Its text is
  /// fmt::format(text, values...).
  template <class... Values>
  [[noreturn]] void fail(const char* place, fmt::format_string<Values...> text,
                         const Values&... values) const {
    failAt(place, fmt::format(text, values...));
  }

 private:
  bool refill();
  [[noreturn]] void failAt(const char* place, const std::string& what) const;

  std::unique_ptr<TraceBytes> bytes_;
  std::string file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  ///< first byte of the buffer not yet handed out
  std::size_t end_ = 0;    ///< end of the bytes read
  bool ended_ = false;     ///< the text has no more bytes
  bool again_ = false;
  std::string_view text_;
  std::size_t line_ = 0;
};

}  // namespace fermata::sass
