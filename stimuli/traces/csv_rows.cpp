#include <fermata/stimuli/traces/csv_rows.h>

#include <csv.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/compiled_format.h>
#include <fermata/stimuli/traces/zstd_stream.h>

namespace fermata::traces {

namespace {

constexpr std::size_t kBufferBytes = 4 * CsvRows::kMaxLine;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Reads the first bytes, which a pipe gives only once.
std::string headOf(std::istream& in) {
  std::string head(kZstdMagic.size(), '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  in.clear();
  return head;
}

/// Gives the bytes already read, then the rest of the file.
class Rejoined : public std::streambuf {
 public:
  Rejoined(std::string head, std::unique_ptr<std::istream> rest)
      : bytes_(kBufferBytes), rest_(std::move(rest)) {
    std::memcpy(bytes_.data(), head.data(), head.size());
    setg(bytes_.data(), bytes_.data(), bytes_.data() + head.size());
  }

 protected:
  int_type underflow() override {
    const std::streamsize got =
        rest_->rdbuf()->sgetn(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    if (got <= 0) return traits_type::eof();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + got);
    return traits_type::to_int_type(bytes_.front());
  }

 private:
  std::vector<char> bytes_;
  std::unique_ptr<std::istream> rest_;
};

/// A stream that owns the buffer it reads.
class BufferedStream : public std::istream {
 public:
  explicit BufferedStream(std::unique_ptr<std::streambuf> buffer)
      : std::istream(buffer.get()), buffer_(std::move(buffer)) {}

 private:
  std::unique_ptr<std::streambuf> buffer_;
};

/// Returns a message that quotes the file, without control characters and of bounded length.
std::string readable(std::string what) {
  constexpr std::size_t kEnd = 200;
  for (char& c : what) {
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  }
  if (what.size() <= 2 * kEnd) return what;
  return what.substr(0, kEnd) + " ... " + what.substr(what.size() - kEnd);
}

}  // namespace

void refuseCompiled(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  CompiledHeader header;
  const auto expected = header.magic;
  std::ifstream file(path, std::ios::binary);
  if (!file.read(header.magic.data(), header.magic.size()) || header.magic != expected) return;
  const std::string_view suffix = kCompiledSuffix;
  const bool named = path.size() > suffix.size() &&
                     path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
  refuse({path}, "the compiled form of a trace, which is binary; expected the trace itself{}",
         named ? ", " + path.substr(0, path.size() - suffix.size()) : std::string(", in text"));
}

std::unique_ptr<std::istream> openInput(const std::string& path) {
  refuseFolder(path, "a CSV file, plain or compressed by zstd");
  refuseCompiled(path);
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file) refuse({path}, "cannot be opened; expected a file that can be read");
  std::string head = headOf(*file);
  const bool rewound = head != kZstdMagic && !file->seekg(0).fail();
  if (rewound) return file;
  file->clear();
  std::unique_ptr<std::streambuf> buffer;
  if (head == kZstdMagic) {
    buffer = std::make_unique<ZstdInput>(std::move(head), std::move(file));
  } else {
    buffer = std::make_unique<Rejoined>(std::move(head), std::move(file));
  }
  return std::make_unique<BufferedStream>(std::move(buffer));
}

/// Target of libcsv's callbacks: the fields of a line, one behind the other.
struct CsvRows::Parser {
  csv_parser csv{};
  std::vector<std::string_view>* fields = nullptr;  ///< room for kMaxFields
  std::array<char, kMaxLine> text{};
  std::size_t used = 0;
  unsigned rows = 0;
  bool tooMany = false;

  void add(const void* bytes, std::size_t length) {
    if (fields->size() == kMaxFields || used + length > text.size()) {
      tooMany = true;
      return;
    }
    if (length != 0) std::memcpy(text.data() + used, bytes, length);
    fields->push_back({text.data() + used, length});
    used += length;
  }
  void clear() {
    used = 0;
    rows = 0;
    fields->clear();
  }
};

// No exception may cross libcsv, which is C: the callbacks only record what they got.
extern "C" {
static void addField(void* bytes, std::size_t length, void* parser) {
  static_cast<CsvRows::Parser*>(parser)->add(bytes, length);
}
static void endRow(int, void* parser) {
  ++static_cast<CsvRows::Parser*>(parser)->rows;
}
}

CsvRows::CsvRows(std::unique_ptr<std::istream> in, std::string file)
    : in_(std::move(in)),
      file_(std::move(file)),
      parser_(std::make_unique<Parser>()),
      buffer_(kBufferBytes) {
  if (csv_init(&parser_->csv, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
  fields_.reserve(kMaxFields);
  parser_->fields = &fields_;
}

CsvRows::~CsvRows() {
  csv_free(&parser_->csv);
}

void CsvRows::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const std::size_t wanted = buffer_.size() - end_;
  try {
    // Call the buffer: istream::read would hide an exception of the decompressor.
    const std::streamsize got = in_->rdbuf()->sgetn(buffer_.data() + end_, wanted);
    if (got <= 0) ended_ = true;
    end_ += static_cast<std::size_t>(got > 0 ? got : 0);
  } catch (const std::runtime_error& error) {  // ZstdError, or the library's for a folder
    refuse({file_, line_ + 1}, "cannot be read ({}); expected a CSV file, plain or one zstd frame",
           error.what());
  }
}

bool CsvRows::nextLine() {
  std::size_t searched = 0;
  for (;;) {
    const char* first = buffer_.data() + begin_;
    const std::size_t held = end_ - begin_;
    const void* found =
        held > searched ? std::memchr(first + searched, '\n', held - searched) : nullptr;
    std::size_t length =
        found == nullptr ? held
                         : static_cast<std::size_t>(static_cast<const char*>(found) - first) + 1;
    if (found == nullptr && !ended_ && held < kMaxLine) {
      searched = held;
      refill();
      continue;
    }
    if (length == 0) return false;
    ++line_;
    if (length > kMaxLine) failLine("the line is too long; expected at most {} bytes", kMaxLine);
    text_ = {first, length};
    begin_ += length;
    return true;
  }
}

// Splits most lines of a recording, which need only the comma's rule; libcsv examines every byte.
bool CsvRows::splitPlain(std::string_view text) {
  if (text.back() == '\n') text.remove_suffix(1);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  unsigned special = text.empty() ? 1 : 0;
  for (const char c : text) {  // branchless: vectors of bytes at a time
    special |= static_cast<unsigned>(static_cast<unsigned char>(c) <= ' ') |
               static_cast<unsigned>(c == '"');
  }
  if (special != 0) return false;
  fields_.clear();
  while (fields_.size() < kMaxFields) {
    const std::size_t comma = text.find(',');
    fields_.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
  return false;
}

void CsvRows::parseLine(std::string_view text) {
  parser_->clear();
  const std::size_t used =
      csv_parse(&parser_->csv, text.data(), text.size(), addField, endRow, parser_.get());
  if (used != text.size())
    failAt(used + 1, "a quote is out of place; expected quotes around a whole field");
  if (text.back() != '\n' && csv_fini(&parser_->csv, addField, endRow, parser_.get()) != 0)
    failLine("the file ends inside a quoted field; expected a closing quote");
  if (parser_->tooMany) failLine("too many fields; expected at most {}", kMaxFields);
  if (parser_->rows > 1) failLine("a carriage return within a line; expected LF or CR LF ends");
}

bool CsvRows::next() {
  while (nextLine()) {
    std::string_view text = text_;
    if (line_ == 1 && text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
      text.remove_prefix(kByteOrderMark.size());
    }
    if (text.empty()) continue;
    if (splitPlain(text)) return true;
    parseLine(text);
    if (parser_->rows == 1) return true;
    const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (!blank || !fields_.empty())
      failLine("a quoted field does not end on its line; expected a closing quote");
  }
  return false;
}

std::size_t CsvRows::columnOf(std::size_t field) const {
  std::size_t at = 0;
  bool quoted = false;
  for (std::size_t commas = 0; at < text_.size() && commas < field; ++at) {
    if (text_[at] == '"') quoted = !quoted;
    if (text_[at] == ',' && !quoted) ++commas;
  }
  while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
  if (at < text_.size() && text_[at] == '"') ++at;
  return at + 1;
}

void CsvRows::failAt(std::size_t column, const std::string& what) const {
  throw InputError({file_, line_, column}, readable(what));
}

}  // namespace fermata::traces
