#include <fermata/stimuli/traces/trace_output.h>

#include <csv.h>

#include <algorithm>

#include <fermata/stimuli/traces/trace_format.h>
#include <fermata/stimuli/traces/zstd_stream.h>

namespace fermata::traces {

namespace {

/// Compares without regard to case; `end` is in small letters.
bool endsWith(std::string_view text, std::string_view end) {
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  };
  return text.size() > end.size() &&
         std::equal(text.end() - static_cast<std::ptrdiff_t>(end.size()), text.end(), end.begin(),
                    same);
}

}  // namespace

bool isTraceName(std::string_view path) {
  return endsWith(path, ".csv") || endsWith(path, ".csv.zst");
}

bool isCompressedName(std::string_view path) {
  return endsWith(path, ".zst");
}

TraceOutput::TraceOutput(const std::string& path)
    : own_(std::make_unique<files::OutputFile>(path, files::Streams::InPlace)), file_(*own_) {
  if (isCompressedName(path)) zstd_ = std::make_unique<ZstdOutput>();
}

TraceOutput::TraceOutput(files::OutputFile& file) : file_(file) {
  if (isCompressedName(file.path().native())) zstd_ = std::make_unique<ZstdOutput>();
}

TraceOutput::~TraceOutput() = default;

void TraceOutput::flush() {
  file_.write(zstd_ ? zstd_->add(buffer_) : std::string_view(buffer_));
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
  if (zstd_) file_.write(zstd_->finish());
  if (own_) own_->commit();
}

}  // namespace fermata::traces
