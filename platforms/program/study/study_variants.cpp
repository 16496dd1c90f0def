// Reads the variants of a study file, and the sweeps that make several of one.
#include <algorithm>
#include <cmath>
#include <string_view>

#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/platforms/program/study/study_reading.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

constexpr std::string_view kHole = "{}";

/// Returns the text of a parameter's value: an integer or a text.
std::string value(const toml::node& node, const SourceLocation& where, const std::string& key) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  refuse(where, "'{}' is {}; expected an integer or a text", key, describeType(node));
}

}  // namespace

std::string filled(std::string text, const std::string& value) {
  for (std::size_t at = text.find(kHole); at != std::string::npos;
       at = text.find(kHole, at + value.size())) {
    text.replace(at, kHole.size(), value);
  }
  return text;
}

Parameters readParameters(TomlTable& table, const std::string& key) {
  Parameters out;
  if (auto inner = table.table(key, "'" + key + "'")) {
    for (const std::string& name : inner->keys()) {
      out[name] = value(*inner->find(name), inner->where(name), name);
    }
  }
  return out;
}

namespace {

/// Returns whether a label is the text; with a * before or behind the text, ends or begins with it.
bool isNamed(const std::string& label, const std::string& text) {
  if (text.size() < 2) return label == text;
  const std::size_t size = text.size() - 1;
  if (text.back() == '*') return label.compare(0, size, text, 0, size) == 0;
  if (text.front() != '*') return label == text;
  return label.size() >= size && label.compare(label.size() - size, size, text, 1, size) == 0;
}

}  // namespace

std::vector<std::string> knownLabels(TomlTable& table, const std::string& key, const Study& study) {
  std::vector<std::string> labels;
  for (const std::string& text : table.texts(key)) {
    const std::size_t before = labels.size();
    for (const StudyWorkload& workload : study.workloads) {
      if (isNamed(workload.label, text)) labels.push_back(workload.label);
    }
    if (labels.size() != before) continue;
    refuse(table.where(key), "no workload has the label '{}'; expected one of this file", text);
  }
  return labels;
}

std::vector<std::string> chosenLabels(TomlTable& table, const Study& study) {
  std::vector<std::string> labels = knownLabels(table, "only", study);
  std::vector<std::string> except = knownLabels(table, "except", study);
  if (!table.flag("followed", true)) {
    for (const auto& [label, what] : study.followed) except.push_back(label);
  }
  if (except.empty()) return labels;
  if (labels.empty()) {
    for (const StudyWorkload& workload : study.workloads) labels.push_back(workload.label);
  }
  const auto isLeftOut = [&](const std::string& label) {
    return std::find(except.begin(), except.end(), label) != except.end();
  };
  labels.erase(std::remove_if(labels.begin(), labels.end(), isLeftOut), labels.end());
  if (labels.empty()) refuse(table.where(), "no workload is left; expected one or more");
  return labels;
}

namespace {

std::string withHole(TomlTable& table, const std::string& key) {
  const std::string text = table.text(key);
  if (text.find(kHole) == std::string::npos)
    refuse(table.where(key), "'{}' of a sweep is '{}'; expected {{}} where its number goes", key,
           text);
  return text;
}

/// Returns whether a modulus is marked + by Diamond et al., section VI.C: at most two array rows
/// per digit (section III.A).
bool easyModulus(std::int64_t modulus) {
  return indexing::AmiArithmetic(static_cast<std::uint32_t>(modulus)).levels() <= 2;
}

/// Returns the variant, or one per number of its sweep.
std::vector<StudyVariant> swept(TomlTable& table, const StudyVariant& variant) {
  auto sweep = table.table("sweep", "'sweep'");
  if (!sweep) return {variant};
  const std::string label = withHole(table, "label");
  const std::string set = withHole(*sweep, "set");
  const std::int64_t from = sweep->constant("from");
  const std::int64_t to = sweep->constant("to");
  const bool mark = sweep->flag("mark_easy", false);
  sweep->refuseOtherKeys();
  constexpr std::int64_t kMost = indexing::AmiArithmetic::kMaxModulus;
  if (from < 1 || to > kMost || from > to)
    refuse(sweep->where(from < 1 || from > kMost ? "from" : "to"),
           "a sweep from {} to {}; expected 1 <= from <= to <= {}", from, to, kMost);
  std::vector<StudyVariant> all;
  for (std::int64_t number = from; number <= to; ++number) {
    StudyVariant one = variant;
    one.swept = true;
    one.label = filled(label, std::to_string(number) + (mark && easyModulus(number) ? "+" : ""));
    one.sets.push_back(filled(set, std::to_string(number)));
    all.push_back(std::move(one));
  }
  return all;
}

/// Returns the index of the variant before this one with the label at `key`.
std::size_t earlier(TomlTable& table, const std::string& key, const Study& study) {
  const std::string label = table.text(key);
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    if (study.variants[v].label == label) return v;
  }
  refuse(table.where(key),
         "no variant before this one has the label '{}'; expected one of this file", label);
}

/// Returns the index of the variant with the label `against`: an earlier variant, or this one.
/// Absent: the first.
std::size_t baselineOf(TomlTable& table, const Study& study) {
  if (!table.has("against")) return 0;
  const bool isOwn = table.text("against") == table.text("label") && !table.has("sweep");
  return isOwn ? study.variants.size() : earlier(table, "against", study);
}

/// Reads whether a search has parts of the accesses: regions of the memory, or instructions.
void readParts(TomlTable& table, const Study& study, StudyVariant& variant) {
  constexpr std::int64_t kMostRegions = 64;
  const std::int64_t regions = table.constant("regions", 1);
  variant.byInstruction = table.flag("by_instruction", false);
  if (regions < 1 || regions > kMostRegions)
    refuse(table.where("regions"), "'regions' is {}; expected 1 to {}", regions, kMostRegions);
  variant.regions = static_cast<std::uint32_t>(regions);
  if (regions == 1 && !variant.byInstruction) return;
  if (!variant.search || variant.search->mappingClass > search::MappingClass::Matrix)
    refuse(variant.where,
           "parts of the accesses without a hash; expected a search of perm, xor, "
           "bits, pairs or matrix");
  if (variant.byInstruction && (regions != 1 || study.kind != Study::Kind::Searches))
    refuse(table.where("by_instruction"),
           "a hash for each instruction is no mapping; expected kind = \"searches\", and no "
           "'regions'");
}

void addVariant(Study& study, StudyVariant variant, TomlTable& table) {
  for (const StudyVariant& other : study.variants) {
    if (other.label != variant.label) continue;
    refuse(table.where("label"), "another variant has the label '{}'; expected a label of its own",
           variant.label);
  }
  study.variants.push_back(std::move(variant));
}

}  // namespace

void readVariants(TomlTable& file, Study& study) {
  for (TomlTable& table : file.tablesOrRows("variant", "a variant")) {
    StudyVariant variant;
    variant.where = table.where();
    variant.mapping = table.text("mapping", "");
    if (table.has("search")) {
      variant.search = parseSearchChoice(table.text("search"), table.where("search"));
    }
    readParts(table, study, variant);
    if (table.has("lock_search")) {
      const SourceLocation where = table.where("lock_search");
      variant.lockSearch = parseSearchChoice(table.text("lock_search"), where);
      if (study.kind != Study::Kind::Runs)
        refuse(where, "locks are not judged without a run; expected kind = \"runs\"");
    }
    variant.software = table.flag("software", false);
    variant.parameters = readParameters(table, "parameters");
    variant.workloads = chosenLabels(table, study);
    if (table.has("like")) variant.sets = study.variants[earlier(table, "like", study)].sets;
    for (const std::string& set : table.texts("set")) variant.sets.push_back(set);
    variant.label = table.text("label");
    variant.baseline = baselineOf(table, study);
    variant.less = table.real("less", 0);
    if (!std::isfinite(variant.less) || variant.less < 0)
      refuse(table.where("less"), "'less' is {}; expected 0 cycles or more", variant.less);
    if (variant.search && !variant.mapping.empty())
      refuse(variant.where, "a variant has a mapping and a search; expected one of them");
    for (StudyVariant& one : swept(table, variant)) addVariant(study, std::move(one), table);
    table.refuseOtherKeys();
  }
}

SearchChoice parseSearchChoice(const std::string& text, const SourceLocation& where) {
  for (int c = 0; c <= static_cast<int>(search::MappingClass::Padding); ++c) {
    for (int m = 0; m <= static_cast<int>(search::Method::General); ++m) {
      const SearchChoice choice{static_cast<search::MappingClass>(c),
                                static_cast<search::Method>(m)};
      if (!search::applies(choice.mappingClass, choice.method)) continue;
      if (text == std::string(name(choice.mappingClass)) + "." + name(choice.method)) return choice;
    }
  }
  refuse(where,
         "unknown search '{}'; expected CLASS.METHOD as `fermata search` takes them, for instance "
         "pairs.minimum-imbalance",
         text);
}

}  // namespace fermata::platforms
