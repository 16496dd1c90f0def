// A file that appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace fermata::traces {

/// Bytes go to a temporary file beside it, which commit() makes durable (fsync) and gives its name
/// in one step. Without commit() the temporary file vanishes, and an older file of that name stays.
/// Throws InputError when the file cannot be created, std::runtime_error when it cannot be written.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Of the temporary file, for who writes by other means; -1 behind commit().
  int descriptor() const { return descriptor_; }
  void write(std::string_view bytes);
  void commit();
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  void discard() noexcept;

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

}  // namespace fermata::traces
