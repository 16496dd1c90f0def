#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fermata/platforms/program/study/study_reading.h>
#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

const Choices<Study::Kind> kKinds{{"runs", Study::Kind::Runs},
                                  {"searches", Study::Kind::Searches},
                                  {"configurations", Study::Kind::Configurations},
                                  {"sizes", Study::Kind::Sizes},
                                  {"facts", Study::Kind::Facts},
                                  {"moduli", Study::Kind::Moduli},
                                  {"hardware", Study::Kind::Hardware},
                                  {"examples", Study::Kind::Examples}};
constexpr std::size_t kMostWorkloads = 10000;  ///< limit for one 'vary'

/// Reads vary = { way = [1, 2], stride = [4, 8] }: every combination, the last key fastest.
std::vector<std::pair<std::string, Parameters>> combinations(TomlTable& table) {
  std::vector<std::pair<std::string, Parameters>> out{{"", {}}};
  auto inner = table.table("vary", "'vary'");
  if (!inner) return out;
  for (const std::string& name : inner->keys()) {
    std::vector<std::pair<std::string, Parameters>> next;
    const std::vector<std::int64_t> values = inner->constants(name);
    if (out.size() * values.size() > kMostWorkloads)
      refuse(inner->where(name), "'vary' makes too many workloads; expected {} or fewer",
             kMostWorkloads);
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
  if (from > to || more > 1000)
    refuse(inner->where("to"), "'to' is below 'from' or far above it; expected 1 to 1001 runs");
  for (std::uint64_t i = 0; i <= more; ++i) {
    out.push_back({{name, std::to_string(from + static_cast<std::int64_t>(i))}});
  }
  return out;
}

/// Adds a workload. Figures are selected by label, so a label must be unique on a platform.
void addWorkload(Study& study, StudyWorkload workload) {
  for (const StudyWorkload& other : study.workloads) {
    if (other.label != workload.label || other.platform != workload.platform) continue;
    refuse(workload.where, "another workload has the label '{}'; expected a label of its own",
           workload.label);
  }
  study.workloads.push_back(std::move(workload));
}

void readWorkloads(TomlTable& file, Study& study) {
  for (const std::string& name : file.texts("workloads")) {
    StudyWorkload workload;
    workload.label = workload.name = name;
    workload.platform = study.platform;
    workload.where = file.where("workloads");
    addWorkload(study, std::move(workload));
  }
  for (TomlTable& table : file.tablesOrRows("workload", "a workload")) {
    StudyWorkload workload;
    workload.name = table.text("name");
    const std::string label = filled(table.text("label", ""), workload.name);
    workload.parameters = readParameters(table, "parameters");
    workload.trained = readParameters(table, "trained");
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

/// Reads cycles = { unit = "shader cycles", of_each = 2 }.
TimeUnit timeUnit(TomlTable& file) {
  TimeUnit time;
  auto table = file.table("cycles", "'cycles'");
  if (!table) return time;
  time.name = table->text("unit");
  time.perCycle = table->constant("of_each");
  constexpr std::int64_t kMost = 1000;
  if (time.name.empty() || time.perCycle < 1 || time.perCycle > kMost)
    refuse(table->where(time.name.empty() ? "unit" : "of_each"),
           "'cycles' lacks the name of a unit, or 1 to {} of it per cycle of the platform; "
           "expected for instance {{ unit = \"shader cycles\", of_each = 2 }}",
           kMost);
  table->refuseOtherKeys();
  return time;
}

std::uint32_t bits(TomlTable& file, const std::string& key, std::uint32_t otherwise,
                   std::uint32_t most) {
  const std::int64_t value = file.constant(key, otherwise);
  if (value < 1 || value > most)
    refuse(file.where(key), "'{}' is {}; expected 1 to {}", key, value, most);
  return static_cast<std::uint32_t>(value);
}

void refuseWorkloadsOfNothing(const Study& study) {
  const auto runs = {Study::Kind::Runs, Study::Kind::Searches, Study::Kind::Configurations};
  if (study.workloads.empty() || std::count(runs.begin(), runs.end(), study.kind) != 0) return;
  refuse(study.workloads.front().where, "a study of this kind runs nothing; expected no workload");
}

void refuseEnergyOfNothing(TomlTable& file, const Study& study) {
  const bool runs = study.kind == Study::Kind::Runs;
  if (!study.power.empty() && !runs)
    refuse(file.where("power"), "a study of this kind runs nothing; expected no 'power'");
  if (study.asksEnergy() && study.power.empty())
    refuse(file.where("measures"),
           "energy without prices; expected power = \"fermi-40nm\" or another table");
}

std::vector<fs::path> files(const char* kind) {
  const fs::path folder = fs::path(launch::dataDirectory()) / kind;
  std::vector<fs::path> out;
  std::error_code missing;
  if (!fs::is_directory(folder, missing))
    refuse("{}: no such folder; expected the studies there", folder.string());
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".toml") out.push_back(file.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Returns the file of a study that comes with the program.
fs::path fileNamed(const std::string& name, const SourceLocation& where = {}) {
  std::string known;
  for (const char* kind : {kPaperStudies, kSiliconStudies}) {
    for (const fs::path& file : files(kind)) {
      if (file.stem() == name) return file;
      known += (known.empty() ? "" : ", ") + file.stem().string();
    }
  }
  refuseFolder(name, "a study: a name or a .toml file", where);
  refuse(where, "unknown study '{}'; expected one of {}, or the path of a .toml file", name, known);
}

struct StudyFile {
  explicit StudyFile(const fs::path& path)
      : root(parseTomlFile(path.string(), "a study in TOML")),
        table(root, path.string(), "a study") {}

  toml::table root;
  TomlTable table;
};

/// Opens the study that `base` names: one of the program's, or a file beside this one. null: none.
std::unique_ptr<StudyFile> openBase(TomlTable& file, const fs::path& path) {
  if (!file.has("base")) return nullptr;
  const std::string name = file.text("base");
  const bool isFile = fs::path(name).extension() == ".toml";
  auto base = std::make_unique<StudyFile>(isFile ? path.parent_path() / name
                                                 : fileNamed(name, file.where("base")));
  if (base->table.has("base"))
    refuse(file.where("base"), "the study '{}' has a base itself; expected one without", name);
  return base;
}

Study readStudy(const fs::path& path) {
  StudyFile opened(path);
  TomlTable& file = opened.table;
  const std::unique_ptr<StudyFile> base = openBase(file, path);
  const auto ownOrBase = [&](const std::string& key) -> TomlTable& {
    return base == nullptr || file.has(key) ? file : base->table;
  };
  Study study;
  study.name = path.stem().string();
  study.title = file.text("title");
  study.source = file.text("source");
  study.note = file.text("note", "");
  TomlTable& kind = ownOrBase("kind");
  study.kind = choose(kind.text("kind", "runs"), kKinds, kind.where("kind"), "kind");
  study.platform = ownOrBase("platform").text("platform", study.platform);
  study.time = timeUnit(file);
  study.power = file.text("power", "");
  readWorkloads(file.has("workloads") ? file : ownOrBase("workload"), study);
  TomlTable& followed = ownOrBase("followed");
  readFollowed(followed, &followed != &file, study);
  readVariants(ownOrBase("variant"), study);
  for (const std::string& text : file.texts("measures")) {
    study.measures.push_back(parseMeasure(text, file.where("measures")));
  }
  readComparisons(file, study);
  study.claims = file.texts("claims");
  study.claimsAt = file.where("claims");
  study.addressBits = bits(file, "address_bits", study.addressBits, 32);
  study.bankBits =
      bits(file, "bank_bits", std::min(study.bankBits, study.addressBits), study.addressBits);
  study.published = file.text("published", "");
  readPicture(file, study);
  readModuli(file, study);
  readHardware(file, study);
  readExamples(file, study);
  file.refuseOtherKeys();
  refuseWorkloadsOfNothing(study);
  refuseEnergyOfNothing(file, study);
  return study;
}

}  // namespace

std::vector<Study> listStudies(const char* kind) {
  std::vector<Study> out;
  for (const fs::path& file : files(kind)) out.push_back(readStudy(file));
  return out;
}

void setParameter(Study& study, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == 0 || equals == std::string::npos)
    refuse("--param {}: expected name=value", assignment);
  for (StudyWorkload& workload : study.workloads) {
    workload.parameters[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
}

Study openStudy(const std::string& nameOrPath) {
  if (fs::path(nameOrPath).extension() == ".toml") return readStudy(nameOrPath);
  return readStudy(fileNamed(nameOrPath));
}

}  // namespace fermata::platforms
