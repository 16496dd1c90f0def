#include <fermata/stimuli/traces/compiled_writer.h>

#include <filesystem>
#include <stdexcept>

namespace fermata::traces {

namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 16;

}  // namespace

std::unique_ptr<CompiledWriter> CompiledWriter::create(const std::string& trace,
                                                       const ContentHash& hash) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(trace, error);
  if (error) return nullptr;
  try {
    return std::unique_ptr<CompiledWriter>(new CompiledWriter(trace, hash, bytes * kMostGrowth));
  } catch (const std::runtime_error&) {
    return nullptr;
  }
}

CompiledWriter::CompiledWriter(const std::string& trace, const ContentHash& hash,
                               std::uint64_t room)
    : trace_(trace),
      hash_(hash),
      room_(room),
      file_(std::make_unique<files::OutputFile>(trace + kCompiledSuffix)) {
  CompiledHeader header;
  header.trace = hash;
  put(header);
}

template <typename Value>
void CompiledWriter::put(const Value& value) {
  buffer_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void CompiledWriter::putNumber(std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) buffer_ += static_cast<char>(number | 0x80);
  buffer_ += static_cast<char>(number);
}

void CompiledWriter::line(std::string_view text) {
  put(Record::Line);
  put(static_cast<std::uint32_t>(text.size()));
  buffer_ += text;
  endRecord();
}

void CompiledWriter::start() {
  put(Record::Start);
  endRecord();
}

void CompiledWriter::exit(std::uint64_t cta, std::uint32_t warp) {
  put(Record::Exit);
  putNumber(cta);
  put(static_cast<std::uint8_t>(warp));
  endRecord();
}

void CompiledWriter::putAddresses(const Row& row) {
  put(row.head.runs);
  put(row.head.offsetBytes);
  buffer_.append(reinterpret_cast<const char*>(row.addresses.data()), addressBytes(row.head));
}

void CompiledWriter::row(std::uint64_t cta, std::uint32_t warp, const Row& row, const Row& target) {
  const RowHead& head = row.head;
  const bool masked = head.active != kAllLanes;
  const bool access = head.space != MemorySpace::None;
  const bool barrier = head.barrier != 0 || head.barrierThreads != 0 || !head.barrierWaits;
  const bool copy = target.head.active != 0;
  const unsigned flags = (masked ? kMasked : 0) | (access ? kAccess : 0) |
                         (barrier ? kBarrier : 0) | (copy ? kCopy : 0);
  put(static_cast<std::uint8_t>(static_cast<unsigned>(Record::Row) | flags));
  putNumber(cta);
  put(static_cast<std::uint8_t>(warp));
  putNumber(head.pc);
  if (masked) put(head.active);
  if (access) {
    put(head.space);
    put(head.bytes);
    putAddresses(row);
  }
  if (barrier) {
    put(head.barrierThreads);
    put(head.barrier);
    put(static_cast<std::uint8_t>(head.barrierWaits));
  }
  if (copy) {
    put(target.head.active);
    putAddresses(target);
  }
  endRecord();
}

void CompiledWriter::endRecord() {
  if (buffer_.size() >= kFlushBytes) flush();
}

void CompiledWriter::flush() {
  try {
    if (buffer_.size() > room_) file_ = nullptr;
    if (file_) {
      file_->write(buffer_);
      hasher_.add(buffer_.data(), buffer_.size());
      room_ -= buffer_.size();
    }
  } catch (const std::runtime_error&) {
    file_ = nullptr;
  }
  buffer_.clear();
}

void CompiledWriter::finish() {
  put(Record::End);
  flush();
  if (!file_) return;
  // If the trace has changed, its rows were not those that the header names.
  const auto now = hashOfFile(trace_);
  if (now && *now == hash_) commit();
  file_ = nullptr;
}

void CompiledWriter::commit() {
  put(hasher_.hash());
  flush();
  try {
    if (file_) file_->commit();
  } catch (const std::runtime_error&) {
  }
}

}  // namespace fermata::traces
