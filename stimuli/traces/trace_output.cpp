#include <fermata/stimuli/traces/trace_output.h>

#include <csv.h>
#include <fcntl.h>
#include <unistd.h>

#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/traces/trace_format.h>

namespace fermata::traces {

namespace io = boost::iostreams;

struct TraceOutput::Sink {
  io::filtering_streambuf<io::output> chain;
};

namespace {

bool isCompressed(std::string_view path) {
  constexpr std::string_view kSuffix = ".zst";
  return path.size() > kSuffix.size() && path.substr(path.size() - kSuffix.size()) == kSuffix;
}

/// Makes a rename in this file's directory durable; a file system that cannot is left alone.
void syncDirectoryOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

TraceOutput::TraceOutput(const std::string& path)
    : path_(path), temporary_(path + ".partial." + std::to_string(::getpid())) {
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    throw InputError({path}, std::string("cannot be created: ") + std::strerror(errno) +
                                 "; expected a name in a directory that can be written");
  }
  sink_ = std::make_unique<Sink>();
  if (isCompressed(path)) sink_->chain.push(io::zstd_compressor());
  sink_->chain.push(io::file_descriptor_sink(descriptor_, io::never_close_handle));
}

TraceOutput::~TraceOutput() {
  discard();
}

void TraceOutput::fail(const std::string& reason) const {
  throw std::runtime_error("cannot write " + path_ + ": " + reason);
}

void TraceOutput::flush() {
  try {
    const auto size = static_cast<std::streamsize>(buffer_.size());
    if (sink_->chain.sputn(buffer_.data(), size) != size) fail("short write");
  } catch (const std::ios_base::failure& error) {
    fail(error.what());
  }
  buffer_.clear();
}

void TraceOutput::field(std::string_view key, std::string_view text) {
  buffer_ += ',';
  std::string plain(key);
  plain += '=';
  plain += text;
  bool quoted = false;
  for (char& c : plain) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
    quoted = quoted || c == ',' || c == '"' || c == ' ';
  }
  if (!quoted) {
    buffer_ += plain;
    return;
  }
  std::string escaped(csv_write(nullptr, 0, plain.data(), plain.size()), '\0');
  csv_write(escaped.data(), escaped.size(), plain.data(), plain.size());
  buffer_ += escaped;
}

void TraceOutput::field(std::string_view key, std::uint64_t number) {
  buffer_ += ',';
  buffer_ += key;
  buffer_ += '=';
  appendNumber(buffer_, number);
}

void TraceOutput::finish() {
  flush();
  try {
    io::close(sink_->chain);
  } catch (const std::ios_base::failure& error) {
    fail(error.what());
  }
  if (::fsync(descriptor_) != 0) fail(std::strerror(errno));
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    ::unlink(temporary_.c_str());
    fail(reason);
  }
  syncDirectoryOf(path_);
}

void TraceOutput::discard() noexcept {
  if (descriptor_ < 0) return;
  try {
    sink_.reset();  // flushes into the file that goes away
  } catch (...) {
  }
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
  descriptor_ = -1;
}

}  // namespace fermata::traces
