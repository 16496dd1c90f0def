#include <fermata/stimuli/traces/sass/trace_bytes.h>

#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/sass/tracez_bytes.h>

namespace fermata::sass {

namespace {

constexpr std::size_t kPackedBytes = std::size_t{1} << 16;
/// Memory that an .xz file may ask for: the largest preset needs 65 MiB.
constexpr std::uint64_t kMostXzMemory = std::uint64_t{256} << 20;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Reads a file from front to back and hashes it.
class FileBytes : public TraceBytes {
 public:
  explicit FileBytes(const std::string& path) : file_(path) {}

  std::size_t read(char* to, std::size_t room) override {
    const std::size_t got = file_.read(to, room, place_);
    hasher_.add(to, got);
    place_ += got;
    return got;
  }
  traces::ContentHash hash() override { return hasher_.hash(); }
  const std::string& path() const { return file_.path(); }

 private:
  PlacedFile file_;
  std::uint64_t place_ = 0;
  traces::ContentHasher hasher_;
};

/// Unpacks the frames of an .xz file.
class XzBytes : public TraceBytes {
 public:
  explicit XzBytes(const std::string& path) : file_(path), packed_(kPackedBytes) {
    if (lzma_stream_decoder(&stream_, kMostXzMemory, LZMA_CONCATENATED) != LZMA_OK)
      throw std::bad_alloc();
  }
  ~XzBytes() override { lzma_end(&stream_); }

  std::size_t read(char* to, std::size_t room) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
    stream_.avail_out = room;
    while (!over_ && stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !ended_) {
        stream_.avail_in = file_.read(packed_.data(), packed_.size());
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(packed_.data());
        ended_ = stream_.avail_in == 0;
      }
      const lzma_ret result = lzma_code(&stream_, ended_ ? LZMA_FINISH : LZMA_RUN);
      over_ = result == LZMA_STREAM_END;
      if (result != LZMA_OK && result != LZMA_STREAM_END) fail(result);
    }
    return room - stream_.avail_out;
  }
  traces::ContentHash hash() override { return file_.hash(); }

 private:
  [[noreturn]] void fail(lzma_ret result) const {
    const char* const what = result == LZMA_BUF_ERROR        ? "is cut off"
                             : result == LZMA_FORMAT_ERROR   ? "is no .xz file"
                             : result == LZMA_MEMLIMIT_ERROR ? "needs more than 256 MiB to unpack"
                                                             : "is damaged";
    refuse({file_.path()}, "{}; expected a trace compressed by xz", what);
  }

  FileBytes file_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::vector<char> packed_;
  bool ended_ = false;  ///< the file has no more bytes
  bool over_ = false;   ///< the text has no more bytes
};

class MemoryBytes : public TraceBytes {
 public:
  explicit MemoryBytes(std::string text) : text_(std::move(text)) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t size = std::min(room, text_.size() - at_);
    std::memcpy(to, text_.data() + at_, size);
    at_ += size;
    return size;
  }
  traces::ContentHash hash() override {
    traces::ContentHasher hasher;
    hasher.add(text_.data(), text_.size());
    return hasher.hash();
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

PlacedFile::PlacedFile(const std::string& path) : path_(path) {
  refuseFolder(path, "a trace file", {path});
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    refuse({path}, "cannot be opened ({}); expected a trace file", std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    refuse({path}, "is no regular file; expected one, which may be read twice");
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0)
    refuse({path}, "cannot be opened ({}); expected a trace file", std::strerror(errno));
}

PlacedFile::~PlacedFile() {
  ::close(descriptor_);
}

std::size_t PlacedFile::read(char* to, std::size_t size, std::uint64_t place) const {
  std::size_t all = 0;
  while (all < size) {
    const ssize_t got = ::pread(descriptor_, to + all, size - all, static_cast<off_t>(place + all));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse({path_}, "cannot be read ({}); expected a file", std::strerror(errno));
    if (got == 0) break;
    all += static_cast<std::size_t>(got);
  }
  return all;
}

std::uint64_t PlacedFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return 0;
  return static_cast<std::uint64_t>(status.st_size);
}

traces::ContentHash PlacedFile::hash(std::uint64_t bytes) const {
  constexpr std::size_t kBlock = std::size_t{1} << 18;  // stays in the cache
  const std::unique_ptr<char[]> block(new char[kBlock]);
  traces::ContentHasher hasher;
  for (std::uint64_t place = 0; place < bytes; place += kBlock) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, bytes - place));
    if (read(block.get(), size, place) != size)
      refuse({path_}, "was cut while it was read; expected the {} bytes that it had before", bytes);
    hasher.add(block.get(), size);
  }
  return hasher.hash();
}

Packing packingOf(const std::string& path) {
  if (endsWith(path, ".xz")) return Packing::Xz;
  return endsWith(path, ".tracez") ? Packing::Tracez : Packing::Plain;
}

std::unique_ptr<TraceBytes> openBytes(const std::string& path) {
  switch (packingOf(path)) {
    case Packing::Xz:
      return std::make_unique<XzBytes>(path);
    case Packing::Tracez:
      return std::make_unique<TracezBytes>(path);
    case Packing::Plain:
      break;
  }
  return std::make_unique<FileBytes>(path);
}

std::unique_ptr<TraceBytes> bytesOf(std::string text) {
  return std::make_unique<MemoryBytes>(std::move(text));
}

}  // namespace fermata::sass
