#include <fermata/stimuli/traces/sass/row_parser.h>

#include <algorithm>
#include <cstring>

#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/sass/row_words.h>

namespace fermata::sass {

namespace {

constexpr std::size_t kMostInstructions = std::size_t{1} << 20;
constexpr std::size_t kMostVariants = std::size_t{1} << 21;
constexpr unsigned kMaskDigits = 8;
constexpr unsigned kClusterIds = 7;  ///< cluster x y z, CTA in the cluster x y z, rank
constexpr unsigned kWarpIds = 4;     ///< block x y z, warp
constexpr unsigned kMostFields = kWarpIds + kClusterIds + 4;

std::string_view wordAt(const char* at) {
  return {at, static_cast<std::size_t>(skipWord(at) - at)};
}

bool isHex(std::string_view word, std::size_t least, std::size_t most) {
  return word.size() >= least && word.size() <= most &&
         std::all_of(word.begin(), word.end(), [](char c) { return hexDigit(c) != kNoDigit; });
}

std::array<std::uint16_t, 65536> makeHexPairs() {
  std::array<std::uint16_t, 65536> pairs{};
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const std::array<unsigned char, 2> bytes{static_cast<unsigned char>(first),
                                               static_cast<unsigned char>(second)};
      std::uint16_t place = 0;
      std::memcpy(&place, bytes.data(), sizeof place);
      const unsigned high = kHexDigits[first], low = kHexDigits[second];
      const bool digits = high != kNoDigit && low != kNoDigit;
      pairs[place] = static_cast<std::uint16_t>(digits ? high << 4 | low : kNoPair);
    }
  }
  return pairs;
}

}  // namespace

const std::uint16_t* hexPairs() {
  static const std::array<std::uint16_t, 65536> pairs = makeHexPairs();
  return pairs.data();
}

const char* readStatic(const char*& at, const char* end, std::string& opcode,
                       NamedRegisters& destinations, NamedRegisters& sources) {
  for (NamedRegisters* const registers : {&destinations, &sources}) {
    std::uint64_t count = 0;
    const char* stop = readDecimal(at, count);
    if (stop == nullptr || count > NamedRegisters::kMost) return nullptr;
    at = skipBlanks(stop);
    for (registers->count = 0; registers->count < count; ++registers->count) {
      if (!readRegister(wordAt(at), registers->ids[registers->count])) return nullptr;
      at = skipBlanks(skipWord(at));
    }
    if (registers == &sources) break;
    const std::string_view word = wordAt(at);
    if (word.empty() || word[0] < 'A' || word[0] > 'Z') return nullptr;
    opcode = std::string(word);
    at = skipBlanks(skipWord(at));
  }
  return at > end ? nullptr : at;
}

void decode(TracedInstruction& instruction, const OpcodeTable& opcodes,
            const TraceSettings& settings, unsigned architecture) {
  NamedRegisters destinations;
  NamedRegisters sources;
  const std::string text = instruction.text + '\n';
  const char* at = text.data();
  if (readStatic(at, text.data() + text.size(), instruction.opcode, destinations, sources) ==
      nullptr)
    refuse("'{}' is no instruction of a trace", instruction.text);
  const Opcode* const entry = opcodes.find(instruction.opcode);
  if (entry == nullptr && !settings.unknownAsInteger)
    refuse("opcode '{}' is not known", instruction.opcode);
  instruction.decoded =
      decodeInstruction(instruction.opcode, entry == nullptr ? Opcode() : *entry, destinations,
                        sources, instruction.addressed, instruction.immediate, architecture);
}

RowParser::RowParser(TraceLines& lines, const KernelHeader& header, const OpcodeTable& opcodes,
                     const TraceSettings& settings)
    : lines_(lines),
      header_(header),
      opcodes_(opcodes),
      settings_(settings),
      pairs_(hexPairs()),
      buckets_(kBuckets, -1) {}

// Finds the mask: 8 hexadecimal digits between a PC and the registers and opcode.
void RowParser::findLayout() {
  const char* at = skipBlanks(lines_.text().data());
  std::string_view before;
  for (unsigned fields = 0; fields <= kMostFields && at < end(); ++fields) {
    const std::string_view word = wordAt(at);
    const char* behind = skipBlanks(skipWord(at));
    std::string opcode;
    NamedRegisters registers, others;
    if (fields != 0 && isHex(word, kMaskDigits, kMaskDigits) && isHex(before, 4, 8) &&
        readStatic(behind, end(), opcode, registers, others) != nullptr) {
      layout_.fields = fields;
      layout_.ids = fields > kWarpIds + kClusterIds ? kWarpIds + kClusterIds
                    : fields > kWarpIds             ? kWarpIds
                                                    : 0;
      const unsigned rest = fields - layout_.ids;  // [sm warp_in_sm] [line] PC
      layout_.line = rest == 2 || rest == 4;
      return;
    }
    before = word;
    at = skipBlanks(skipWord(at));
  }
  lines_.fail(lines_.text().data(),
              "no row of a trace; expected PC, mask of 8 hexadecimal digits, registers and opcode");
}

const char* RowParser::readIds(const char* at, ParsedRow& row) {
  for (unsigned field = 0; field + 1 < layout_.fields; ++field) {
    std::uint64_t number = 0;
    const char* const stop = readDecimal(at, number);
    if (stop == nullptr || number > 0xffffffffU)
      lines_.fail(at, "'{}' is no number; expected {} numbers before the PC, as in rows above",
                  wordAt(at), layout_.fields - 1);
    const auto value = static_cast<std::uint32_t>(number);
    if (layout_.ids != 0 && field < 3) row.block[field] = value;
    if (layout_.ids != 0 && field == 3) row.warp = value;
    if (layout_.line && field + 2 == layout_.fields) sourceLine_ = value;
    at = skipBlanks(stop);
  }
  return at;
}

void RowParser::parse(ParsedRow& row) {
  if (layout_.fields == 0) findLayout();
  const char* at = skipBlanks(lines_.text().data());
  if (layout_.fields > 1) at = readIds(at, row);
  std::uint64_t address = 0;
  const char* stop = readHex(at, address);
  if (stop == nullptr || address > 0xffffffffU)
    lines_.fail(at, "PC '{}'; expected up to 8 hexadecimal digits", wordAt(at));
  at = skipBlanks(stop);
  std::uint64_t mask = 0;
  stop = readHex(at, mask);
  if (stop == nullptr || stop - at != kMaskDigits)
    lines_.fail(at, "lane mask '{}'; expected {} hexadecimal digits", wordAt(at), kMaskDigits);
  row.mask = static_cast<LaneMask>(mask);
  at = skipBlanks(stop);
  const Variant& variant = variantOf(static_cast<std::uint32_t>(address), at);
  row.index = variant.index;
  if (variant.tail != Tail::Addresses) return;
  row.addresses.lanes = row.mask;
  readAddresses(at + variant.text.size(), row.addresses);
}

inline const RowParser::Variant& RowParser::variantOf(std::uint32_t address, const char* at) {
  const auto size = static_cast<std::size_t>(end() - at);
  std::int32_t number = buckets_[(address >> 3) % kBuckets];
  for (; number >= 0; number = variants_[static_cast<std::size_t>(number)].next) {
    const Variant& variant = variants_[static_cast<std::size_t>(number)];
    const std::size_t length = variant.text.size();
    if (variant.address == address &&
        (variant.tail == Tail::Exact ? size == length : size >= length) &&
        std::memcmp(at, variant.text.data(), length) == 0)
      return variant;
  }
  return addVariant(address, at);
}

// Reads a text that no row of this PC had before.
const RowParser::Variant& RowParser::addVariant(std::uint32_t address, const char* from) {
  TracedInstruction instruction;
  instruction.address = address;
  instruction.line = sourceLine_;
  NamedRegisters destinations, sources;
  const char* at = from;
  if (readStatic(at, end(), instruction.opcode, destinations, sources) == nullptr)
    lines_.fail(at,
                "'{}'; expected the number of registers, so many registers and an opcode, twice",
                wordAt(at));
  instruction.text = std::string(from, at);
  while (!instruction.text.empty() && endsWord(instruction.text.back()))
    instruction.text.pop_back();
  const Opcode& entry = opcodeNamed(instruction.opcode, from);
  Variant variant;
  variant.address = address;
  std::int64_t width = 0;
  const char* stop = readSigned(at, width);
  if (stop == nullptr || width < 0)
    lines_.fail(at, "'{}'; expected the width of the access in bytes, or 0", wordAt(at));
  at = skipBlanks(stop);
  if (width != 0 && entry.instructionClass == InstructionClass::Memory) {
    variant.tail = Tail::Addresses;
    instruction.addressed = true;
  } else if (width != 0) {
    variant.tail = Tail::Ignored;
  } else {
    std::int64_t immediate = 0;
    while (at < end() && (stop = readSigned(at, immediate)) != nullptr) {
      instruction.immediate = immediate;
      at = skipBlanks(stop);
    }
    if (at < end() && entry.instructionClass != InstructionClass::Tensor) readTail(at);
    if (at < end()) variant.tail = Tail::Ignored;
  }
  variant.text = std::string(from, at);
  if (variants_.size() == kMostVariants)
    lines_.fail(from, "too many different instructions; expected at most {}", kMostVariants);
  variant.index = indexOf(instruction);
  std::int32_t& bucket = buckets_[(address >> 3) % kBuckets];
  variant.next = bucket;
  bucket = static_cast<std::int32_t>(variants_.size());
  variants_.push_back(std::move(variant));
  return variants_.back();
}

const Opcode& RowParser::opcodeNamed(std::string_view opcode, const char* at) {
  if (const Opcode* const entry = opcodes_.find(opcode)) return *entry;
  if (!settings_.unknownAsInteger)
    lines_.fail(std::search(at, end(), opcode.begin(), opcode.end()),
                "opcode '{}' of sm_{} is not known; expected one of sass_opcodes.toml, or "
                "--unknown-opcodes integer",
                opcode, header_.architecture);
  const std::string bare(opcode.substr(0, opcode.find('.')));
  if ((' ' + unknown_ + ' ').find(' ' + bare + ' ') == std::string::npos)
    unknown_ += (unknown_.empty() ? "" : " ") + bare;
  static const Opcode kInteger;
  return kInteger;
}

// Returns the index of the instruction, a new one if no other has its PC, text and immediate.
std::uint32_t RowParser::indexOf(const TracedInstruction& instruction) {
  std::int32_t number = buckets_[(instruction.address >> 3) % kBuckets];
  TracedInstruction made = instruction;
  decode(made, opcodes_, settings_, header_.architecture);
  const bool usesImmediate = made.decoded.role == Role::WaitGroups ||
                             made.decoded.instruction.instructionClass == InstructionClass::Barrier;
  if (!usesImmediate) made.immediate = -1;
  for (; number >= 0; number = variants_[static_cast<std::size_t>(number)].next) {
    const std::uint32_t index = variants_[static_cast<std::size_t>(number)].index;
    const TracedInstruction& other = instructions_[index];
    if (other.address == made.address && other.text == made.text &&
        other.addressed == made.addressed && other.immediate == made.immediate)
      return index;
  }
  if (instructions_.size() == kMostInstructions)
    lines_.fail(nullptr, "too many instructions; expected at most {}", kMostInstructions);
  instructions_.push_back(std::move(made));
  return static_cast<std::uint32_t>(instructions_.size() - 1);
}

void RowParser::readAddresses(const char* at, RowAddresses& addresses) const {
  const char mode = *at;
  if (mode < '0' || mode > '2' || !endsWord(at[1]))
    lines_.fail(at,
                "form of addresses '{}'; expected 0 (a list), 1 (base and stride) or 2 (base "
                "and differences)",
                wordAt(at));
  at = skipBlanks(at + 1);
  addresses.run = mode == '1';
  const char* stop = at;
  if (mode == '0') {
    stop = readEach(at, addresses);
  } else if (mode == '2') {
    stop = readDeltas(at, addresses);
  } else {
    stop = readMarkedHex(at, addresses.base);
    if (stop == nullptr)
      lines_.fail(at, "address '{}'; expected 0x and hexadecimal digits", wordAt(at));
    at = skipBlanks(stop);
    stop = readSigned(at, addresses.stride);
    if (stop == nullptr || addresses.stride > INT32_MAX || addresses.stride < -INT32_MAX)
      lines_.fail(at, "stride '{}'; expected a whole number of 32 bits", wordAt(at));
  }
  stop = skipBlanks(stop);
  if (stop < end()) readTail(stop);
}

const char* RowParser::readEach(const char* at, RowAddresses& addresses) const {
  const unsigned count = addresses.count();
  constexpr unsigned kDeviceDigits = 12;  // of addresses in the memory of a device
  const std::uint16_t* const pairs = pairs_;
  bool device = true;  // addresses of one row are alike
  for (unsigned k = 0; k < count; ++k) {
    const char* stop = nullptr;
    if (device) stop = readLikeAddress<kDeviceDigits>(pairs, at, addresses.each[k]);
    device = stop != nullptr;
    if (!device) stop = readAddress(at, addresses.each[k]);
    if (stop == nullptr)
      lines_.fail(at, "address '{}'; expected {} addresses, one for each lane of the mask",
                  wordAt(at), count);
    at = *stop == ' ' ? stop + 1 : stop;
  }
  return at;
}

const char* RowParser::readDeltas(const char* at, RowAddresses& addresses) const {
  std::uint64_t address = 0;
  const char* stop = readMarkedHex(at, address);
  if (stop == nullptr)
    lines_.fail(at, "address '{}'; expected 0x and hexadecimal digits", wordAt(at));
  const unsigned count = addresses.count();
  addresses.each[0] = address;
  for (unsigned k = 1; k < count; ++k) {
    at = *stop == ' ' ? stop + 1 : stop;
    std::int64_t delta = 0;
    stop = readDifference(at, delta);
    if (stop == nullptr) stop = readSigned(at, delta);  // more than 16 digits
    if (stop == nullptr)
      lines_.fail(at,
                  "difference '{}'; expected {} differences, one for each further lane of the "
                  "mask",
                  wordAt(at), count - 1);
    address += static_cast<std::uint64_t>(delta);
    addresses.each[k] = address;
  }
  return stop;
}

// Checks what stands behind the addresses: immediates, then values of registers.
void RowParser::readTail(const char* at) const {
  std::int64_t number = 0;
  for (unsigned numbers = 0; at < end(); ++numbers) {
    const std::string_view word = wordAt(at);
    if (word == "NoVal" || word == "Val") return;  // their number depends on the operands
    const char* const stop = numbers < 2 ? readSigned(at, number) : nullptr;
    if (stop == nullptr)
      lines_.fail(at,
                  "'{}' at the end of the row; expected at most 2 immediates and values of "
                  "registers",
                  word);
    at = skipBlanks(stop);
  }
}

}  // namespace fermata::sass
