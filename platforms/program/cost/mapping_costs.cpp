#include <fermata/platforms/program/cost/mapping_costs.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/linear.h>
#include <fermata/models/search/general/basis.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using indexing::Arguments;
using indexing::Indexer;
using indexing::IndexingError;

using Rows = std::vector<BlockCost>;

// Blocks that accompany a mapping's own block, or serve only as a reference.
constexpr const char* kRowSelect = "row-select";

bool isFamily(const std::string& name) {
  const auto& families = indexing::families();
  return std::any_of(families.begin(), families.end(),
                     [&](const indexing::Family& family) { return family.name == name; });
}

/// Lists the settings, each once.
std::string choices(const Rows& rows) {
  std::vector<std::string> found;
  for (const BlockCost& row : rows) {
    if (std::find(found.begin(), found.end(), row.setting) == found.end()) {
      found.push_back(row.setting);
    }
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

/// Returns "31, 33 to 63": the moduli of the rows with a setting of this ending.
std::string moduli(const Rows& rows, const std::string& ending) {
  std::vector<unsigned> numbers;
  for (const BlockCost& row : rows) {
    const std::size_t blank = row.setting.find(' ');
    if (blank == std::string::npos || row.setting.substr(blank + 1) != ending) continue;
    const auto number = static_cast<unsigned>(std::stoul(row.setting.substr(8)));
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) {
      numbers.push_back(number);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t first = i;
    while (i + 1 < numbers.size() && numbers[i + 1] == numbers[i] + 1) ++i;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[first]);
    if (i != first) text += " to " + std::to_string(numbers[i]);
  }
  return text;
}

class Pricing {
 public:
  Pricing(const CostTable& table, const std::string& text, const Indexer& mapping)
      : table_(table), text_(text), mapping_(mapping), arguments_(canonical_, "") {
    while (mapping.shape().words - 1 > ((std::uint64_t{1} << addressBits_) - 1)) ++addressBits_;
  }

  Rows rows() {
    const std::string family(arguments_.name().text);
    const std::uint32_t banks = mapping_.shape().banks;
    if ((family == "mod" || family == "ami" || family == "seznec") && (banks & (banks - 1)) == 0) {
      return wires();
    }
    if (family == "ami") return modulus(false);
    if (family == "seznec") return modulus(true);
    if (family == "matrix" || family == "swizzle" || family == "tma") return gates();
    if (family == "fixed-xor" || family == "add") return fixed(family);
    if (family == "perm" || family == "xor" || family == "bits" || family == "pairs") {
      return configurable(family);
    }
    refuse(
        family == "pad" ? "no hardware: it is a layout in software"
                        : "no block of hardware in the table",
        "a mapping of mod, ami, seznec, perm, xor, bits, pairs, matrix, fixed-xor, add, swizzle, "
        "tma");
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& expected) const {
    fermata::refuse("mapping '{}': {}; expected {}", text_, what, expected);
  }

  /// Removes rows with too few address bits.
  Rows wideEnough(Rows rows) const {
    const auto narrow = [&](const BlockCost& row) { return row.addressBits < addressBits_; };
    rows.erase(std::remove_if(rows.begin(), rows.end(), narrow), rows.end());
    return rows;
  }

  Rows wires() const {
    BlockCost cost;
    cost.block = "wires";
    cost.setting = fmt::format("banks={}", mapping_.shape().banks);
    cost.gives = "bank and row";
    cost.energyInOrder = 0;
    cost.energyGlitches = 0;
    return {cost};
  }

  Rows modulus(bool bankAlone) {
    const std::string form = arguments_.option("form").text == "array" ? "array" : "fast";
    const std::string corner =
        arguments_.option("corner").text == "all-ones" ? "all-ones" : "exact";
    const std::string ending = fmt::format("form={} corner={}", form, corner);
    Rows rows =
        wideEnough(table_.of("ami", fmt::format("modulus={} {}", mapping_.shape().banks, ending)));
    if (bankAlone) {  // the row number is a selection of address bits
      const auto both = [](const BlockCost& row) { return row.gives != "bank"; };
      rows.erase(std::remove_if(rows.begin(), rows.end(), both), rows.end());
    }
    if (!rows.empty()) return rows;
    const std::string there = moduli(wideEnough(table_.of("ami")), ending);
    refuse(fmt::format("no block of this modulus with {} in the table", ending),
           there.empty() ? "corner=exact, or form=array" : "a modulus of " + there);
  }

  Rows gates() const {
    const auto& linear = dynamic_cast<const indexing::LinearIndexer&>(mapping_);
    return {costOfXors(table_, search::general::gateCount(linear.bankMatrix()),
                       search::general::gateDepth(linear.bankMatrix()))};
  }

  Rows fixed(const std::string& family) {
    const unsigned bits = indexing::bankBits(mapping_.shape(), family);
    const bool given = !arguments_.option("digit").text.empty();
    const unsigned digit = given ? arguments_.numberOption("digit", 1, bits) : bits;
    return found(family, fmt::format("banks={} digit={}", mapping_.shape().banks, digit));
  }

  Rows configurable(const std::string& family) {
    const std::string setting = fmt::format("banks={}", mapping_.shape().banks);
    Rows rows = found(family, setting);
    const Rows beside = wideEnough(table_.of(kRowSelect, setting));
    rows.insert(rows.end(), beside.begin(), beside.end());
    return rows;
  }

  Rows found(const std::string& family, const std::string& setting) const {
    const Rows all = table_.of(family);
    Rows rows;
    // The address bits above the digits need no gates.
    if (family == "fixed-xor" || family == "add") {
      rows = table_.of(family, setting);
    } else {
      rows = wideEnough(table_.of(family, setting));
    }
    if (rows.empty()) refuse(fmt::format("no block with {} in the table", setting), choices(all));
    return rows;
  }

  const CostTable& table_;
  const std::string& text_;
  const Indexer& mapping_;
  std::string canonical_ = mapping_.text();
  Arguments arguments_;
  unsigned addressBits_ = 0;
};

/// Returns the rows for "lock-unit locks=64": settings of the block that contain each word after
/// its name.
Rows blocksNamed(const CostTable& table, const std::string& text, const std::string& name) {
  const Rows all = table.of(name);
  Rows rows;
  const std::vector<indexing::Token> words =
      indexing::split({std::string_view(text).substr(name.size()), name.size() + 1}, ' ');
  for (const BlockCost& row : all) {
    const std::string setting = fmt::format(" {} lanes={} ", row.setting, row.lanes);
    const auto has = [&](const indexing::Token& word) {
      return word.text.empty() || setting.find(fmt::format(" {} ", word.text)) != std::string::npos;
    };
    if (std::all_of(words.begin(), words.end(), has)) rows.push_back(row);
  }
  if (rows.empty())
    refuse("block '{}': not in the table; expected {}, or {} alone", text, choices(all), name);
  return rows;
}

/// Returns the gates of the narrowest block that gives bank and row, or of the narrowest two that
/// give one each.
std::optional<double> gatesOf(const Rows& rows) {
  const auto narrowest = [&](const std::string& gives) -> std::optional<double> {
    const BlockCost* least = nullptr;
    for (const BlockCost& row : rows) {
      if (row.gives != gives || row.lanes != 1) continue;
      if (least == nullptr || row.addressBits < least->addressBits) least = &row;
    }
    return least == nullptr ? std::nullopt : std::optional(least->gates);
  };
  if (const auto both = narrowest("bank and row")) return both;
  const std::optional<double> bank = narrowest("bank");
  return bank ? std::optional(*bank + narrowest("row").value_or(0)) : std::nullopt;
}

}  // namespace

MappingPrice priceOf(const CostTable& table, const std::string& mapping,
                     const indexing::Shape& shape) {
  try {
    const std::optional<double> gates = gatesOf(priced(table, mapping, shape).rows);
    return {gates, gates ? "" : fmt::format("mapping '{}': no block gives its bank", mapping)};
  } catch (const BadInput& error) {
    return {std::nullopt, error.what()};
  }
}

std::vector<std::string> otherBlocks(const CostTable& table) {
  std::vector<std::string> names;
  for (const BlockCost& row : table.rows()) {
    if (isFamily(row.block) || std::find(names.begin(), names.end(), row.block) != names.end())
      continue;
    names.push_back(row.block);
  }
  return names;
}

PricedText priced(const CostTable& table, const std::string& text, const indexing::Shape& shape) {
  const std::string name = text.substr(0, text.find(' '));
  const std::vector<std::string> others = otherBlocks(table);
  if (std::find(others.begin(), others.end(), name) != others.end()) {
    return {text, blocksNamed(table, text, name)};
  }
  try {
    const std::unique_ptr<Indexer> mapping = indexing::build(text, shape);
    return {text, Pricing(table, text, *mapping).rows()};
  } catch (const IndexingError& error) {
    const std::string column = error.column() == 0 ? "" : std::to_string(error.column()) + ":";
    refuse("mapping '{}':{} {}; blocks that are no mappings: {}", text, column, error.what(),
           fmt::join(others, ", "));
  }
}

}  // namespace fermata::platforms
