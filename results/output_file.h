// A file that appears whole or not at all.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fermata::results {

/// A result cannot be written: "cannot write FILE: reason".
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Creates the directory and its parents where they are missing. Throws OutputError.
void createDirectory(const std::filesystem::path& directory);

/// What is written goes to a temporary file in the same directory; commit() makes it durable and
/// gives it its name in one step, so that a reader sees the old file or the new one, never a part.
/// Without commit() the temporary file vanishes and an older file of that name stays as it was.
/// Every member throws OutputError; the directory must exist.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void flush();
  void discard() noexcept;
  [[noreturn]] void fail(int error);

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::string buffer_;
  int descriptor_ = -1;
};

}  // namespace fermata::results
