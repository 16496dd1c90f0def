// Rows of a CSV file, one at a time, in constant memory. Plain or zstd-compressed.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::traces {

/// Throws InputError if the file is the compiled form of a trace (compiled_format.h), which is no
/// text.
void refuseCompiled(const std::string& path);
/// Opens a file for reading. A zstd frame is recognised by its first bytes and decompressed while
/// it is read. Throws InputError if the file cannot be read.
std::unique_ptr<std::istream> openInput(const std::string& path);

/// Reads rows. A row is one line: no quoted field may hold a line break. Fields are separated by
/// commas, may be quoted with `"` (doubled inside), and lose the blanks around them. Blank lines
/// are skipped; a byte order mark and CR LF are accepted.
class CsvRows {
 public:
  static constexpr std::size_t kMaxLine = 65536;  ///< bytes of a line
  static constexpr std::size_t kMaxFields = 256;  ///< fields of a row
  struct Parser;                                  ///< libcsv's parser, kept out of this header

  /// `file` is the name for errors.
  CsvRows(std::unique_ptr<std::istream> in, std::string file);
  ~CsvRows();
  CsvRows(const CsvRows&) = delete;
  CsvRows& operator=(const CsvRows&) = delete;

  /// Reads the next row; returns false at the end of the file. Throws InputError.
  bool next();

  /// Return the fields of the row, valid until next().
  std::size_t size() const { return fields_.size(); }
  std::string_view operator[](std::size_t field) const { return fields_[field]; }
  /// Returns the row as it stands, its line break included; valid until next().
  std::string_view text() const { return text_; }
  /// Returns the line's number; the first line of the file has 1.
  std::size_t line() const { return line_; }

  /// Throws InputError with the text of fmt::format(text, values...) at this field of the row,
  /// `offset` characters into it. Values come by value, so that callers keep theirs in registers.
  template <class... Values>
  [[noreturn]] void fail(std::size_t field, std::size_t offset, fmt::format_string<Values...> text,
                         Values... values) const {
    failAt(columnOf(field) + offset, fmt::vformat(text, fmt::make_format_args(values...)));
  }
  /// Throws InputError at the line.
  template <class... Values>
  [[noreturn]] void failLine(fmt::format_string<Values...> text, Values... values) const {
    failAt(0, fmt::vformat(text, fmt::make_format_args(values...)));
  }

 private:
  bool nextLine();
  void refill();
  void parseLine(std::string_view text);
  bool splitPlain(std::string_view text);
  std::size_t columnOf(std::size_t field) const;
  [[noreturn]] void failAt(std::size_t column, const std::string& what) const;

  std::unique_ptr<std::istream> in_;
  std::string file_;
  std::unique_ptr<Parser> parser_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  ///< first byte of the buffer not yet handed out
  std::size_t end_ = 0;    ///< end of the bytes read
  bool ended_ = false;     ///< the stream has no more bytes
  std::string_view text_;  ///< line of the row, its line break included
  std::vector<std::string_view> fields_;
  std::size_t line_ = 0;
};

}  // namespace fermata::traces
