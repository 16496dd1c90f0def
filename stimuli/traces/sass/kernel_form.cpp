#include <fermata/stimuli/traces/sass/kernel_form.h>

#include <cstring>

namespace fermata::sass {

namespace {

class Writer {
 public:
  template <class Value>
  void put(const Value& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes += text;
  }
  template <class Value>
  void list(const std::vector<Value>& values) {
    put(std::uint64_t{values.size()});
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
  }

  std::string bytes;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : at_(bytes.data()), left_(bytes.size()) {}

  template <class Value>
  void take(Value& value) {
    const char* const from = need(sizeof value);
    if (from != nullptr) std::memcpy(&value, from, sizeof value);
  }
  void take(std::string& text) {
    const char* const from = sized(1);
    if (from != nullptr) text.assign(from, size_);
  }
  template <class Value>
  void list(std::vector<Value>& values) {
    const char* const from = sized(sizeof(Value));
    if (from == nullptr) return;
    values.resize(size_);
    if (size_ != 0) std::memcpy(values.data(), from, size_ * sizeof(Value));
  }
  /// Returns a count of things that have at least one byte each.
  std::size_t count() {
    std::uint64_t number = 0;
    take(number);
    if (number > left_) whole_ = false;
    return whole_ ? static_cast<std::size_t>(number) : 0;
  }
  bool atEnd() const { return whole_ && left_ == 0; }

 private:
  const char* need(std::size_t size) {
    if (size > left_) whole_ = false;
    if (!whole_) return nullptr;
    const char* const from = at_;
    at_ += size;
    left_ -= size;
    return from;
  }
  const char* sized(std::size_t each) {
    std::uint64_t number = 0;
    take(number);
    if (number > left_ / each) whole_ = false;
    size_ = whole_ ? static_cast<std::size_t>(number) : 0;
    return need(size_ * each);
  }

  const char* at_;
  std::size_t left_;
  std::size_t size_ = 0;
  bool whole_ = true;
};

/// Calls each(value) for all values of fixed size and all texts, in the order of the bytes.
template <class Form, class Each>
void forEachValue(Form& form, Each each) {
  auto& head = form.header;
  each(head.name);
  each(head.grid);
  each(head.block);
  each(head.shared);
  each(head.registers);
  each(head.architecture);
  each(head.stream);
  each(head.sharedBase);
  each(head.localBase);
  each(head.sourceLines);
  each(form.sharedEnd);
  each(form.localFirst);
  each(form.localEnd);
  each(form.barrierWarps);
  auto& tallies = form.tallies;
  each(tallies.rows);
  each(tallies.halfCopies);
  each(tallies.unaddressed);
  each(tallies.misaligned);
  each(tallies.split);
  each(tallies.unknownBarriers);
  each(tallies.unaddressedOpcodes);
  each(tallies.unknownOpcodes);
}

template <class One, class Each>
void forEachOf(One& instruction, Each each) {
  each(instruction.address);
  each(instruction.line);
  each(instruction.addressed);
  each(instruction.immediate);
  each(instruction.text);
}

}  // namespace

std::string formBytes(const KernelForm& form) {
  Writer writer;
  const auto put = [&](const auto& value) { writer.put(value); };
  forEachValue(form, put);
  writer.put(std::uint64_t{form.instructions.size()});
  for (const TracedInstruction& one : form.instructions) forEachOf(one, put);
  writer.list(form.blocks);
  writer.list(form.pieces);
  return writer.bytes;
}

bool readForm(const std::string& bytes, const OpcodeTable& opcodes, const TraceSettings& settings,
              KernelForm& form) {
  Reader reader(bytes);
  const auto take = [&](auto& value) { reader.take(value); };
  forEachValue(form, take);
  form.instructions.resize(reader.count());
  for (TracedInstruction& one : form.instructions) forEachOf(one, take);
  reader.list(form.blocks);
  reader.list(form.pieces);
  if (!reader.atEnd()) return false;
  for (TracedInstruction& one : form.instructions)
    decode(one, opcodes, settings, form.header.architecture);
  return true;
}

}  // namespace fermata::sass
