#include <fermata/stimuli/traces/trace_output.h>

#include <csv.h>

#include <fermata/stimuli/traces/trace_format.h>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>

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

}  // namespace

TraceOutput::TraceOutput(const std::string& path) : file_(path) {
  sink_ = std::make_unique<Sink>();
  if (isCompressed(path)) sink_->chain.push(io::zstd_compressor());
  sink_->chain.push(io::file_descriptor_sink(file_.descriptor(), io::never_close_handle));
}

TraceOutput::~TraceOutput() {
  try {
    sink_.reset();  // flushes into the file that goes away
  } catch (...) {
  }
}

void TraceOutput::flush() {
  try {
    const auto size = static_cast<std::streamsize>(buffer_.size());
    if (sink_->chain.sputn(buffer_.data(), size) != size) file_.fail("short write");
  } catch (const std::ios_base::failure& error) {
    file_.fail(error.what());
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
    file_.fail(error.what());
  }
  file_.commit();
}

}  // namespace fermata::traces
