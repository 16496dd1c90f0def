#include <fermata/platforms/compose/configuration.h>

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>

#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/core_checks.h>
#include <fermata/platforms/compose/field.h>
#include <fermata/platforms/compose/gpc_text.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/parts.h>
#include <fermata/platforms/compose/platform_file.h>
#include <fermata/platforms/compose/platform_reader.h>
#include <fermata/platforms/compose/rtl_parts.h>
#include <fermata/platforms/compose/shorthands.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/toml/toml_file.h>

namespace fermata::platforms {

namespace fs = std::filesystem;

/// A platform file as it was read.
struct PlatformDocument {
  toml::table toml;
  std::string file;
  std::string base;  ///< name by which the file above builds on it; empty: the platform's own file

  /// Returns the source of a value of this file as `fermata show` prints it.
  std::string sourceOf(const std::string& source) const {
    if (base.empty()) return source;
    return source.empty() ? "base " + base : "base " + base + ": " + source;
  }
};

namespace {

constexpr unsigned kMostBases = 16;  ///< files of a platform, each on the one before

/// Takes a top-level text that is no parameter. Returns its place, or nothing if it is absent.
std::optional<SourceLocation> takeText(toml::table& document, const char* key,
                                       const std::string& file, std::string& target) {
  const toml::node* node = document.get(key);
  if (node == nullptr) return std::nullopt;
  const auto* text = node->as_string();
  if (text == nullptr)
    refuse(placeOf(file, node->source()), "{} has the wrong type; expected a text", key);
  target = text->get();
  const SourceLocation place = placeOf(file, node->source());
  document.erase(key);
  return place;
}

/// Returns the platform's own file, then the one that it builds on, and so on.
std::vector<PlatformDocument> chainOf(const std::string& text, const std::string& file) {
  std::vector<PlatformDocument> chain;
  chain.reserve(kMostBases);  // a copy of a table would not know the places of its values
  chain.push_back({parseToml(text, file, "TOML"), file, ""});
  std::string name;
  while (const auto where = takeText(chain.back().toml, "base", chain.back().file, name)) {
    if (chain.size() == kMostBases)
      refuse(*where,
             "base = \"{}\": more than {} files, each on another one; expected fewer, and none "
             "that builds on itself",
             name, kMostBases);
    const std::string path = platformFile(name, fs::path(where->file).parent_path());
    if (path.empty())
      refuse(*where,
             "base = \"{}\": no such platform; expected the name of one beside this file or of a "
             "shipped one, or a path",
             name);
    const std::string base =
        readTextFile(path, "cannot read the platform file; expected a readable TOML file");
    chain.push_back({parseToml(base, path, "TOML"), path, name});
  }
  return chain;
}

}  // namespace

Configuration::Configuration() : parameters_(std::make_shared<PlatformParameters>()) {}

PlatformParameters& Configuration::own() {
  if (parameters_.use_count() != 1)
    parameters_ = std::make_shared<PlatformParameters>(*parameters_);
  return *parameters_;
}

Configuration Configuration::read(const std::string& path) {
  Configuration configuration = parse(
      readTextFile(path, "cannot read the platform file; expected a readable TOML file"), path);
  if (configuration.given_.empty())
    refuse(SourceLocation{path},
           "the file sets no parameter; expected a platform file, such as 'fermata show gtx480' "
           "prints");
  return configuration;
}

Configuration Configuration::parse(const std::string& text, const std::string& fileName) {
  Configuration configuration;
  const std::vector<Field> fields = fieldsOf(configuration.own());
  std::vector<PlatformDocument> chain = chainOf(text, fileName);
  configuration.level_ = 0;
  for (; !chain.empty(); chain.pop_back()) configuration.take(chain.back(), fields);
  configuration.checkValues();
  return configuration;
}

/// Takes the values of one file of a chain. They outweigh those of the files before it.
void Configuration::take(PlatformDocument& document, const std::vector<Field>& fields) {
  file_ = document.file;
  ++level_;
  own().name = fs::path(file_).stem().string();
  takeText(document.toml, "name", file_, own().name);
  takeText(document.toml, "description", file_, own().description);
  std::string ami;
  const auto amiPlace = takeText(document.toml, kAmi, file_, ami);
  PlatformReader(
      file_, fields,
      [&](const std::string& path, const std::string& source, const SourceLocation& where) {
        give(path, where);
        sources_[path] = document.sourceOf(source);
      })
      .table(document.toml, "");
  if (!amiPlace) return;
  for (const std::string& path : giveAmi(ami, *amiPlace, fields))
    sources_[path] = document.sourceOf("ami = " + ami);
}

/// Expands `ami` of a file. Returns the paths that it sets. Throws InputError if the file gives
/// another value beside it.
std::vector<std::string> Configuration::giveAmi(const std::string& text,
                                                const SourceLocation& where,
                                                const std::vector<Field>& fields) {
  share();
  std::vector<std::string> paths;
  for (const auto& [path, value] : expand(kAmi, text, where, *parameters_)) {
    const Field& field = *findField(fields, path);
    if (levelOf(path) == level_ && field.plainValue() != value)
      refuse(place(path), "{} = {}, but ami = \"{}\" makes it '{}'; expected one of them", path,
             field.tomlValue(), text, value);
    field.assignText(value);
    give(path, where);
    paths.push_back(path);
  }
  return paths;
}

void Configuration::set(const std::string& path, const std::string& value) {
  if (!isShorthand(path)) return setOne(path, value);
  share();
  const SourceLocation where{"--set " + path};
  for (const auto& [each, text] : expand(path, value, where, *parameters_)) {
    setOne(each, text);
    given_[each] = {where, kSet};
  }
}

void Configuration::setOne(const std::string& path, const std::string& value) {
  const std::vector<Field> fields = fieldsOf(own());
  const Field* const field = findField(fields, path);
  if (field == nullptr) {
    std::string near;
    const std::string group = path.substr(0, path.find('.') + 1);
    for (const Field& f : fields) {
      if (group.empty() || f.path.rfind(group, 0) == 0) near += (near.empty() ? "" : ", ") + f.path;
    }
    refuse("--set {}: unknown parameter '{}'; expected {}", path, path,
           near.empty() ? "a path that 'fermata show' prints, for instance scratchpad.indexer"
                        : "one of " + near);
  }
  given_[path] = {SourceLocation{"--set " + path}, kSet};
  const std::string& original = originals_.emplace(path, field->plainValue()).first->second;
  if (const std::string wrong = field->assignText(value); !wrong.empty())
    throw InputError("--set " + wrong);
  if (field->plainValue() == original) {
    changes_.erase(path);
  } else {
    changes_[path] = field->plainValue();
  }
}

void Configuration::apply(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    refuse("--set '{}'; expected path=value", assignment);
  set(assignment.substr(0, equals), assignment.substr(equals + 1));
}

void Configuration::applyAll(const std::vector<std::string>& assignments) {
  std::set<std::string> given;
  for (const std::string& assignment : assignments) {
    const std::string path = assignment.substr(0, assignment.find('='));
    if (!given.insert(path).second) refuse("--set {} is given twice; expected one value", path);
    apply(assignment);
  }
}

std::shared_ptr<const indexing::Indexer> Configuration::buildIndexer() const {
  return build("scratchpad.indexer", parameters_->scratchpad.indexer,
               parameters_->scratchpad.banks);
}

std::shared_ptr<const indexing::Indexer> Configuration::buildLocks() const {
  return build("lock.indexer", parameters_->lock.indexer, parameters_->lock.locks);
}

std::shared_ptr<const indexing::Indexer> Configuration::build(const std::string& path,
                                                              const std::string& text,
                                                              std::uint32_t banks) const {
  const ScratchpadParameters& s = parameters_->scratchpad;
  try {
    return indexing::build(text, indexing::Shape{banks, s.bytes / s.bankBytes, s.bankBytes});
  } catch (const indexing::IndexingError& error) {
    const std::string column =
        error.column() == 0 ? "" : fmt::format(" (column {})", error.column());
    refuse(place(path), "{} = \"{}\"{}: {}", path, text, column, error.what());
  }
}

/// Takes the count of the mapping. It replaces the file's count if the user set the mapping alone.
void Configuration::takeCount(const std::string& mapping, const std::string& count,
                              std::uint32_t& banks, const indexing::Indexer& indexer,
                              const char* what) const {
  const std::uint32_t has = indexer.shape().banks;
  if (banks != has && levelOf(count) != 0 && levelOf(mapping) <= levelOf(count))
    refuse(place(count),
           "{0} = {1} but the indexer '{2}' maps onto {3} {4}; expected an indexer for {1} {4}, "
           "for instance {5}='{6} {1}'",
           count, banks, indexer.text(), has, what, mapping,
           (banks & (banks - 1)) == 0 ? "mod" : "ami");
  banks = has;
}

SourceLocation Configuration::place(const std::string& path) const {
  return placeOf({path});
}

unsigned Configuration::levelOf(const std::string& path) const {
  const auto found = given_.find(path);
  return found == given_.end() ? 0 : found->second.level;
}

/// Notes a value of the file.
void Configuration::give(const std::string& path, const SourceLocation& where) {
  given_[path] = {where, level_};
}

/// Returns the place of the path of the highest level, the first of several; otherwise the file.
SourceLocation Configuration::placeOf(const Paths& paths) const {
  SourceLocation where{file_};
  unsigned highest = 0;
  for (const std::string& path : paths) {
    const auto found = given_.find(path);
    if (found == given_.end() || found->second.level <= highest) continue;
    highest = found->second.level;
    where = found->second.where;
  }
  return where;
}

/// A value gives way to one of a higher level.
bool Configuration::standsAgainst(const std::string& path, const std::string& other) const {
  return levelOf(path) != 0 && levelOf(path) >= levelOf(other);
}

void Configuration::check() {
  checkValues();
  checkParts();
}

/// Splits the array of scratchpad and L1.
void Configuration::share() {
  applySplit(
      own(), [this](const Paths& paths) { return placeOf(paths); },
      [this](const std::string& path, const std::string& other) {
        return standsAgainst(path, other);
      });
}

void Configuration::checkValues() {
  share();
  ScratchpadParameters& s = own().scratchpad;
  if (s.bytes % s.bankBytes != 0)
    refuse(place("scratchpad.bytes"),
           "scratchpad.bytes = {} is no whole number of {}-byte words; expected a multiple",
           s.bytes, s.bankBytes);
  const auto indexer = buildIndexer();
  takeCount("scratchpad.indexer", "scratchpad.banks", s.banks, *indexer, "banks");
  if (!missingPart(*parameters_, "lock.indexer"))
    takeCount("lock.indexer", "lock.locks", own().lock.locks, *buildLocks(), "locks");
  const PlaceOf place = [this](const Paths& paths) { return placeOf(paths); };
  checkCore(*parameters_, place);
  checkCaches(*parameters_, place);
  checkGpcs(*parameters_, place);
  checkRtl(*parameters_, place, [this](const std::string& path, const std::string& other) {
    return standsAgainst(path, other);
  });
  instructionHashes().check(*indexer);
  conflictFree();  // throws if the text is wrong
}

InstructionHashes Configuration::instructionHashes() const {
  return {parameters_->scratchpad.instructionHashes, place("scratchpad.instruction_hashes")};
}

InstructionList Configuration::conflictFree() const {
  const char* const path = "scratchpad.conflict_free";
  return {path, InstructionList::Marks::Ones, parameters_->scratchpad.conflictFree, place(path)};
}

/// The file may give figures of a flat memory beside caches, and of a whole L1, L2 and DRAM beside
/// flat memory, for another global.memory. It must give the sizes of caches: no default suits every
/// platform.
void Configuration::checkParts() const {
  for (const auto& [path, given] : given_) {
    const auto missing = missingPart(*parameters_, path);
    if (!missing || !standsAgainst(path, missing->by)) continue;
    const std::string group = path.substr(0, path.find('.'));
    const bool ofL1 = group == "l1" && levelOf("l1.bytes") != 0;
    const bool behindL1 = (group == "l2" || group == "interconnect" || group == "dram" ||
                           group == "instruction" || path == "chip.of") &&
                          levelOf("l2.bytes") != 0;
    if ((ofL1 || behindL1 || group == "global") && given.level != kSet) continue;
    refuse(given.where, "{} has no effect, for {}; expected {}", path, missing->why,
           missing->expected);
  }
  const bool l1 = levelOf("l1.bytes") != 0 || levelOf("l1.split") != 0;
  const bool l2 = levelOf("l2.bytes") != 0 || missingPart(*parameters_, "l2.bytes");
  if (missingPart(*parameters_, "l1.bytes") || (l1 && l2)) return;
  const GlobalMemory kind = parameters_->globalMemory;
  refuse(place("global.memory"),
         "global.memory = \"{}\", but nothing says what caches {} has; expected l1.bytes{} in the "
         "platform file or by --set",
         choiceName(kind), parameters_->name, kind == GlobalMemory::L1 ? "" : " and l2.bytes");
}

const std::string& Configuration::name() const {
  return parameters_->name;
}

const std::string& Configuration::description() const {
  return parameters_->description;
}

std::string Configuration::text() const {
  PlatformParameters copy = *parameters_;
  std::string out =
      fmt::format("name = {}\ndescription = {}\n", tomlText(copy.name), tomlText(copy.description));
  std::string group;
  for (const Field& field : fieldsOf(copy)) {
    if (saysNone(field.path, field.plainValue()) || missingPart(copy, field.path)) continue;
    const std::size_t dot = field.path.find('.');
    const std::string here = dot == std::string::npos ? "" : field.path.substr(0, dot);
    const std::string key = dot == std::string::npos ? field.path : field.path.substr(dot + 1);
    if (here.empty()) {  // a top-level key must stand before the first table
      const std::string line =
          fmt::format("{} = {}  # {}\n", key, field.tomlValue(), field.meaning);
      out.insert(out.find('\n', out.find('\n') + 1) + 1, line);
      continue;
    }
    if (here != group) out += fmt::format("\n[{}]\n", group = here);
    const auto source = sources_.find(field.path);
    const bool changed = changes_.count(field.path) != 0;
    const std::string from = changed                    ? "set by the user"
                             : source == sources_.end() ? ""
                                                        : source->second;
    const std::string value = from.empty() ? field.tomlValue()
                                           : fmt::format("{{ value = {}, source = {} }}",
                                                         field.tomlValue(), tomlText(from));
    out += fmt::format("{} = {}  # {}{}\n", key, value, field.unit.empty() ? "" : field.unit + ": ",
                       field.meaning);
  }
  return out;
}

results::Settings Configuration::changes() const {
  PlatformParameters copy = *parameters_;
  results::Settings settings;
  for (const Field& field : fieldsOf(copy)) {
    const auto change = changes_.find(field.path);
    if (change != changes_.end()) settings.push_back({change->first, change->second});
  }
  return settings;
}

}  // namespace fermata::platforms
