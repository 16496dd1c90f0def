#include <fermata/platforms/exec/table_sink.h>

#include <fermata/files/output_error.h>

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace fermata::exec {
namespace {

class FolderSink : public TableSink {
 public:
  explicit FolderSink(const std::string& folder) : folder_(folder) { set_.makeFolder(folder_); }

  void append(const std::string& file, std::string_view text) override {
    files::OutputFile*& output = files_[file];
    if (output == nullptr) output = &set_.add(folder_ / file);
    output->write(text);
  }
  void finish() override { set_.commit(); }

 private:
  std::filesystem::path folder_;
  files::OutputSet set_;
  std::map<std::string, files::OutputFile*> files_;
};

/// Stands before each piece: bytes of the name and of the text behind it.
struct Head {
  std::uint32_t name = 0;
  std::uint32_t magic = kMagic;
  std::uint64_t text = 0;

  static constexpr std::uint32_t kMagic = 0x46455254;
};

[[noreturn]] void fail(const char* what) {
  throw files::OutputError(std::string("the results of the launches cannot be ") + what + ": " +
                           std::strerror(errno));
}

class SpoolSink : public TableSink {
 public:
  explicit SpoolSink(int descriptor) : descriptor_(descriptor) {}

  void append(const std::string& file, std::string_view text) override {
    const Head head{static_cast<std::uint32_t>(file.size()), Head::kMagic, text.size()};
    std::string piece(reinterpret_cast<const char*>(&head), sizeof head);
    piece += file;
    piece += text;
    for (std::size_t done = 0; done < piece.size();) {
      const ssize_t wrote = ::write(descriptor_, piece.data() + done, piece.size() - done);
      if (wrote < 0 && errno != EINTR) fail("kept");
      if (wrote > 0) done += static_cast<std::size_t>(wrote);
    }
  }
  void finish() override {}

 private:
  int descriptor_;
};

/// False at the end of the file.
bool readAll(int descriptor, void* to, std::size_t bytes, off_t& at) {
  auto* next = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::pread(descriptor, next, bytes, at);
    if (got < 0 && errno != EINTR) fail("read");
    if (got == 0) return false;
    if (got < 0) continue;
    next += got;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::unique_ptr<TableSink> makeFolderSink(const std::string& folder) {
  return std::make_unique<FolderSink>(folder);
}

std::unique_ptr<TableSink> makeSpoolSink(int descriptor) {
  return std::make_unique<SpoolSink>(descriptor);
}

void readSpool(int descriptor, TableSink& to) {
  off_t at = 0;
  for (Head head; readAll(descriptor, &head, sizeof head, at);) {
    if (head.magic != Head::kMagic) return;
    std::string name(head.name, '\0');
    std::string text(head.text, '\0');
    if (!readAll(descriptor, name.data(), name.size(), at) ||
        !readAll(descriptor, text.data(), text.size(), at))
      return;
    to.append(name, text);
  }
}

}  // namespace fermata::exec
