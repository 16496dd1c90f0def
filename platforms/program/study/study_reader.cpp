#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include <fermata/platforms/program/study/study.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/toml/toml_table.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

template <class Value>
using Choices = std::vector<std::pair<const char*, Value>>;

template <class Value>
Value choose(const std::string& text, const Choices<Value>& choices, const SourceLocation& where,
             const std::string& what) {
  std::string list;
  for (const auto& [name, value] : choices) {
    if (text == name) return value;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  throw InputError(where, "unknown " + what + " '" + text + "'; expected one of " + list);
}

const Choices<Study::Kind> kKinds{{"runs", Study::Kind::Runs},
                                  {"searches", Study::Kind::Searches},
                                  {"configurations", Study::Kind::Configurations},
                                  {"sizes", Study::Kind::Sizes},
                                  {"facts", Study::Kind::Facts}};
const Choices<Measure> kMeasures{{"conflicts_removed", Measure::ConflictsRemoved},
                                 {"speedup", Measure::Speedup},
                                 {"slowdown", Measure::Slowdown},
                                 {"instructions_added", Measure::InstructionsAdded},
                                 {"conflicts", Measure::Conflicts},
                                 {"cycles", Measure::Cycles},
                                 {"time", Measure::Time},
                                 {"conflict_free", Measure::ConflictFree}};
const Choices<Summary> kSummaries{{"mean", Summary::Mean},
                                  {"geometric_mean", Summary::GeometricMean},
                                  {"largest", Summary::Largest},
                                  {"smallest", Summary::Smallest},
                                  {"sum", Summary::Sum}};

/// A parameter's value: an integer or a text.
std::string value(const toml::node& node, const SourceLocation& where, const std::string& key) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  throw InputError(where,
                   "'" + key + "' is " + describeType(node) + "; expected an integer or a text");
}

Parameters parameters(TomlTable& table, const std::string& key) {
  Parameters out;
  if (auto inner = table.table(key, "'" + key + "'")) {
    for (const std::string& name : inner->keys()) {
      out[name] = value(*inner->find(name), inner->where(name), name);
    }
  }
  return out;
}

constexpr std::size_t kMostWorkloads = 10000;  ///< of one 'vary'

/// vary = { way = [1, 2], stride = [4, 8] }: every combination, the last key fastest.
std::vector<std::pair<std::string, Parameters>> combinations(TomlTable& table) {
  std::vector<std::pair<std::string, Parameters>> out{{"", {}}};
  auto inner = table.table("vary", "'vary'");
  if (!inner) return out;
  for (const std::string& name : inner->keys()) {
    std::vector<std::pair<std::string, Parameters>> next;
    const std::vector<std::int64_t> values = inner->constants(name);
    if (out.size() * values.size() > kMostWorkloads) {
      throw InputError(inner->where(name), "'vary' makes too many workloads; expected " +
                                               std::to_string(kMostWorkloads) + " or fewer");
    }
    for (const auto& [label, chosen] : out) {
      for (const std::int64_t v : values) {
        Parameters more = chosen;
        more[name] = std::to_string(v);
        next.emplace_back(label + (label.empty() ? "" : " ") + name + "=" + std::to_string(v),
                          std::move(more));
      }
    }
    out = std::move(next);
  }
  return out;
}

std::vector<Parameters> repeats(TomlTable& table) {
  std::vector<Parameters> out;
  auto inner = table.table("runs", "'runs'");
  if (!inner) return out;
  const std::string name = inner->text("parameter");
  const std::int64_t from = inner->constant("from", {});
  const std::int64_t to = inner->constant("to", {});
  inner->refuseOtherKeys();
  const std::uint64_t more = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  if (from > to || more > 1000) {
    throw InputError(inner->where("to"),
                     "'to' is below 'from' or far above it; expected 1 to 1001 runs");
  }
  for (std::uint64_t i = 0; i <= more; ++i) {
    out.push_back({{name, std::to_string(from + static_cast<std::int64_t>(i))}});
  }
  return out;
}

/// Figures are asked for by label: one label on one platform is one workload.
void addWorkload(Study& study, StudyWorkload workload) {
  for (const StudyWorkload& other : study.workloads) {
    if (other.label != workload.label || other.platform != workload.platform) continue;
    throw InputError(workload.where, "another workload has the label '" + workload.label +
                                         "'; expected a label of its own");
  }
  study.workloads.push_back(std::move(workload));
}

/// The labels of `key`; each must be a workload's.
std::vector<std::string> knownLabels(TomlTable& table, const std::string& key, const Study& study) {
  const std::vector<std::string> labels = table.texts(key);
  for (const std::string& label : labels) {
    const auto same = [&](const StudyWorkload& workload) { return workload.label == label; };
    if (std::any_of(study.workloads.begin(), study.workloads.end(), same)) continue;
    throw InputError(table.where(key),
                     "no workload has the label '" + label + "'; expected one of this file");
  }
  return labels;
}

void readWorkloads(TomlTable& file, Study& study) {
  for (const std::string& name : file.texts("workloads")) {
    StudyWorkload workload;
    workload.label = workload.name = name;
    workload.platform = study.platform;
    workload.where = file.where("workloads");
    addWorkload(study, std::move(workload));
  }
  for (TomlTable& table : file.tables("workload", "a workload")) {
    StudyWorkload workload;
    workload.name = table.text("name");
    const std::string label = table.text("label", "");
    workload.parameters = parameters(table, "parameters");
    workload.trained = parameters(table, "trained");
    workload.runs = repeats(table);
    workload.platform = table.text("platform", study.platform);
    workload.where = table.where();
    for (const auto& [chosen, extra] : combinations(table)) {
      StudyWorkload one = workload;
      one.label = label.empty() ? (chosen.empty() ? one.name : chosen) : label + chosen;
      one.parameters.insert(extra.begin(), extra.end());
      addWorkload(study, std::move(one));
    }
    table.refuseOtherKeys();
  }
}

void readVariants(TomlTable& file, Study& study) {
  for (TomlTable& table : file.tables("variant", "a variant")) {
    StudyVariant variant;
    variant.where = table.where();
    variant.mapping = table.text("mapping", "");
    if (table.has("search")) {
      variant.search = parseSearchChoice(table.text("search"), table.where("search"));
    }
    variant.software = table.flag("software", false);
    variant.parameters = parameters(table, "parameters");
    variant.workloads = knownLabels(table, "only", study);
    variant.sets = table.texts("set");
    variant.label = table.text("label");
    for (const StudyVariant& other : study.variants) {
      if (other.label != variant.label) continue;
      throw InputError(table.where("label"), "another variant has the label '" + variant.label +
                                                 "'; expected a label of its own");
    }
    table.refuseOtherKeys();
    if (variant.search && !variant.mapping.empty()) {
      throw InputError(variant.where, "a variant has a mapping and a search; expected one of them");
    }
    study.variants.push_back(std::move(variant));
  }
}

Selection readSelection(TomlTable& table, const Study& study) {
  Selection selection;
  selection.variant = table.text("variant");
  selection.platform = table.text("platform", "");
  const auto onIt = [&](const StudyWorkload& w) { return w.platform == selection.platform; };
  if (!selection.platform.empty() &&
      std::none_of(study.workloads.begin(), study.workloads.end(), onIt)) {
    throw InputError(table.where("platform"), "no workload runs on '" + selection.platform +
                                                  "'; expected a platform of this file");
  }
  selection.workloads = knownLabels(table, "only", study);
  selection.measure = choose(table.text("measure"), kMeasures, table.where("measure"), "measure");
  selection.summary =
      choose(table.text("summary", "mean"), kSummaries, table.where("summary"), "summary");
  const auto same = [&](const StudyVariant& v) { return v.label == selection.variant; };
  if (std::none_of(study.variants.begin(), study.variants.end(), same)) {
    throw InputError(table.where("variant"), "no variant has the label '" + selection.variant +
                                                 "'; expected one of this file");
  }
  return selection;
}

/// A number, or a text of one for digits that a number would not keep ("1.10").
std::string printedNumber(TomlTable& table, const std::string& key) {
  const toml::node* node = table.find(key);
  if (node == nullptr) return "";
  if (node->is_string()) {
    const std::string text = table.text(key);
    double parsed = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(parsed)) {
      throw InputError(table.where(key), "'" + text + "'; expected a number as it is printed");
    }
    return text;
  }
  const double value = table.real(key, 0);
  if (!std::isfinite(value)) {
    throw InputError(table.where(key), "'" + key + "' is not finite; expected a number");
  }
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

/// Every {NAME} of a note is a figure, and every figure stands in it.
void checkNote(const Comparison& comparison, const SourceLocation& where) {
  std::set<std::string> named;
  const std::string& note = comparison.note;
  for (std::size_t at = note.find('{'); at != std::string::npos; at = note.find('{', at + 1)) {
    const std::size_t end = note.find('}', at);
    const std::string name = note.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    if (end == std::string::npos || comparison.figures.count(name) == 0) {
      throw InputError(where, "the note says {" + name + "}; expected a name of 'figures'");
    }
    named.insert(name);
  }
  for (const auto& [name, figure] : comparison.figures) {
    if (named.count(name) == 0) {
      throw InputError(where, "the note has no {" + name + "}; expected each of 'figures' in it");
    }
  }
}

void readComparisons(TomlTable& file, Study& study) {
  for (TomlTable& table : file.tables("compare", "a comparison")) {
    Comparison comparison;
    static_cast<Selection&>(comparison) = readSelection(table, study);
    comparison.where = table.where();
    comparison.claim = table.text("claim", "");
    if (comparison.claim.empty()) {
      comparison.subject = table.text("subject");
      comparison.published = printedNumber(table, "published");
      comparison.place = table.text("place");
      comparison.unit = table.text("unit", "");
    }
    comparison.each = table.flag("each", false);
    comparison.note = table.text("note", "");
    if (auto figures = table.table("figures", "'figures'")) {
      for (const std::string& name : figures->keys()) {
        auto figure = figures->table(name, "figure '" + name + "'");
        comparison.figures[name] = readSelection(*figure, study);
        figure->refuseOtherKeys();
      }
    }
    checkNote(comparison, table.where("note"));
    table.refuseOtherKeys();
    study.comparisons.push_back(std::move(comparison));
  }
}

void readFollowed(TomlTable& file, Study& study) {
  auto table = file.table("followed", "'followed'");
  if (!table) return;
  for (const std::string& label : table->keys()) {
    const auto same = [&](const StudyWorkload& w) { return w.label == label; };
    if (std::none_of(study.workloads.begin(), study.workloads.end(), same)) {
      throw InputError(table->where(label),
                       "no workload has the label '" + label + "'; expected one of this file");
    }
    study.followed[label] = table->text(label);
  }
}

std::uint32_t bits(TomlTable& file, const std::string& key, std::uint32_t otherwise,
                   std::uint32_t most) {
  const std::int64_t value = file.constant(key, otherwise);
  if (value < 1 || value > most) {
    throw InputError(file.where(key), "'" + key + "' is " + std::to_string(value) +
                                          "; expected 1 to " + std::to_string(most));
  }
  return static_cast<std::uint32_t>(value);
}

Study readStudy(const fs::path& path) {
  const toml::table root = parseTomlFile(path.string(), "a study in TOML");
  TomlTable file(root, path.string(), "a study");
  Study study;
  study.name = path.stem().string();
  study.title = file.text("title");
  study.source = file.text("source");
  study.note = file.text("note", "");
  study.kind = choose(file.text("kind"), kKinds, file.where("kind"), "kind");
  study.platform = file.text("platform", study.platform);
  readWorkloads(file, study);
  readVariants(file, study);
  for (const std::string& text : file.texts("measures")) {
    study.measures.push_back(choose(text, kMeasures, file.where("measures"), "measure"));
  }
  readComparisons(file, study);
  readFollowed(file, study);
  study.claims = file.texts("claims");
  study.addressBits = bits(file, "address_bits", study.addressBits, 32);
  study.bankBits =
      bits(file, "bank_bits", std::min(study.bankBits, study.addressBits), study.addressBits);
  study.published = file.text("published", "");
  file.refuseOtherKeys();
  return study;
}

fs::path folder() {
  return fs::path(launch::dataDirectory()) / "studies";
}

std::vector<fs::path> files() {
  std::vector<fs::path> out;
  std::error_code missing;
  if (!fs::is_directory(folder(), missing)) {
    throw InputError(folder().string() + ": no such folder; expected the studies there");
  }
  for (const fs::directory_entry& file : fs::directory_iterator(folder())) {
    if (file.path().extension() == ".toml") out.push_back(file.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

SearchChoice parseSearchChoice(const std::string& text, const SourceLocation& where) {
  for (int c = 0; c <= static_cast<int>(search::MappingClass::Padding); ++c) {
    for (int m = 0; m <= static_cast<int>(search::Method::General); ++m) {
      const SearchChoice choice{static_cast<search::MappingClass>(c),
                                static_cast<search::Method>(m)};
      if (!search::applies(choice.mappingClass, choice.method)) continue;
      if (text == std::string(name(choice.mappingClass)) + "." + name(choice.method)) return choice;
    }
  }
  throw InputError(where, "unknown search '" + text +
                              "'; expected CLASS.METHOD as `fermata search` takes them, for "
                              "instance pairs.minimum-imbalance");
}

const char* name(Measure measure) {
  for (const auto& [text, value] : kMeasures) {
    if (value == measure) return text;
  }
  return "";
}

std::vector<Study> listStudies() {
  std::vector<Study> out;
  for (const fs::path& file : files()) out.push_back(readStudy(file));
  return out;
}

Study openStudy(const std::string& nameOrPath) {
  if (fs::path(nameOrPath).extension() == ".toml") return readStudy(nameOrPath);
  std::string known;
  for (const fs::path& file : files()) {
    if (file.stem() == nameOrPath) return readStudy(file);
    known += (known.empty() ? "" : ", ") + file.stem().string();
  }
  throw InputError("unknown study '" + nameOrPath + "'; expected one of " + known +
                   ", or the path of a .toml file");
}

}  // namespace fermata::platforms
