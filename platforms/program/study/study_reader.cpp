#include <algorithm>
#include <filesystem>
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
                                 {"conflicts", Measure::Conflicts},
                                 {"cycles", Measure::Cycles},
                                 {"time", Measure::Time},
                                 {"conflict_free", Measure::ConflictFree}};
const Choices<Summary> kSummaries{{"mean", Summary::Mean},
                                  {"geometric_mean", Summary::GeometricMean},
                                  {"largest", Summary::Largest},
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

void readWorkloads(TomlTable& file, Study& study) {
  for (const std::string& name : file.texts("workloads")) {
    StudyWorkload workload;
    workload.label = workload.name = name;
    workload.platform = study.platform;
    workload.where = file.where("workloads");
    study.workloads.push_back(std::move(workload));
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
      study.workloads.push_back(std::move(one));
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
    variant.workloads = table.texts("only");
    variant.sets = table.texts("set");
    variant.label = table.text("label");
    table.refuseOtherKeys();
    if (variant.search && !variant.mapping.empty()) {
      throw InputError(variant.where, "a variant has a mapping and a search; expected one of them");
    }
    study.variants.push_back(std::move(variant));
  }
}

void readComparisons(TomlTable& file, Study& study) {
  for (TomlTable& table : file.tables("compare", "a comparison")) {
    Comparison comparison;
    comparison.where = table.where();
    comparison.claim = table.text("claim", "");
    if (comparison.claim.empty()) {
      comparison.subject = table.text("subject");
      comparison.published = table.real("published", 0);
      comparison.place = table.text("place");
      comparison.unit = table.text("unit", "");
    }
    comparison.variant = table.text("variant");
    comparison.platform = table.text("platform", "");
    comparison.workloads = table.texts("only");
    comparison.measure =
        choose(table.text("measure"), kMeasures, table.where("measure"), "measure");
    comparison.summary =
        choose(table.text("summary", "mean"), kSummaries, table.where("summary"), "summary");
    comparison.note = table.text("note", "");
    table.refuseOtherKeys();
    const auto same = [&](const StudyVariant& v) { return v.label == comparison.variant; };
    if (std::none_of(study.variants.begin(), study.variants.end(), same)) {
      throw InputError(table.where("variant"), "no variant has the label '" + comparison.variant +
                                                   "'; expected one of this file");
    }
    study.comparisons.push_back(std::move(comparison));
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
