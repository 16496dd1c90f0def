#include <fermata/platforms/compose/configuration.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/core_checks.h>
#include <fermata/platforms/compose/field.h>
#include <fermata/platforms/compose/parts.h>
#include <fermata/platforms/compose/rtl_parts.h>
#include <fermata/platforms/compose/shorthands.h>
#include <fermata/stimuli/toml/toml_file.h>

namespace fermata::platforms {

namespace {

/// Reads a parsed TOML document into the fields of a configuration.
class Reader {
 public:
  Reader(const std::string& file, std::vector<Field> fields,
         std::map<std::string, std::string>& sources, std::map<std::string, SourceLocation>& places)
      : file_(file), fields_(std::move(fields)), sources_(sources), places_(places) {}

  void table(const toml::table& node, const std::string& prefix) {
    for (const auto& [key, value] : node) {
      const std::string path =
          prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
      if (const Field* field = find(path)) {
        this->value(*field, value);
      } else if (const toml::table* inner = value.as_table(); inner != nullptr && isGroup(path)) {
        table(*inner, path);
      } else if (inner == nullptr && isGroup(path)) {
        throw InputError(
            placeOf(file_, key.source()),
            fmt::format("'{0}' is {1}; expected a table: [{0}]", path, describeType(value)));
      } else {
        throw InputError(placeOf(file_, key.source()), unknown(path));
      }
    }
  }

 private:
  const Field* find(const std::string& path) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [&](const Field& f) { return f.path == path; });
    return found == fields_.end() ? nullptr : &*found;
  }
  bool isGroup(const std::string& path) const {
    return std::any_of(fields_.begin(), fields_.end(),
                       [&](const Field& f) { return f.path.rfind(path + ".", 0) == 0; });
  }
  std::string unknown(const std::string& path) const;
  void value(const Field& field, const toml::node& node);
  void plain(const Field& field, const toml::node& node);

  const std::string& file_;
  std::vector<Field> fields_;
  std::map<std::string, std::string>& sources_;
  std::map<std::string, SourceLocation>& places_;
};

/// Names the keys of the group that the unknown one stands in.
std::string Reader::unknown(const std::string& path) const {
  const std::size_t dot = path.rfind('.');
  const std::string group = dot == std::string::npos ? "" : path.substr(0, dot + 1);
  std::string known;
  for (const Field& field : fields_) {
    if (!group.empty() && field.path.rfind(group, 0) != 0) continue;
    const std::string shown =
        group.empty() ? field.path.substr(0, field.path.find('.')) : field.path;
    if (known.size() >= shown.size() &&
        known.compare(known.size() - shown.size(), shown.size(), shown) == 0)
      continue;
    known += (known.empty() ? "" : ", ") + shown;
  }
  if (known.empty()) return fmt::format("unknown parameter '{}'", path);
  return fmt::format("unknown parameter '{}'; expected one of {}", path, known);
}

/// `value` or `{ value = ..., source = "..." }`.
void Reader::value(const Field& field, const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return plain(field, node);
  for (const auto& [key, inner] : *table) {
    if (key.str() == "value") {
      plain(field, inner);
    } else if (key.str() == "source" && inner.is_string()) {
      sources_[field.path] = inner.as_string()->get();
    } else {
      throw InputError(
          placeOf(file_, key.source()),
          fmt::format("unexpected '{}' in {}; expected value = ... and source = \"...\"",
                      std::string(key.str()), field.path));
    }
  }
  if (!table->contains("value")) {
    throw InputError(placeOf(file_, node.source()),
                     field.path + " has no value; expected { value = ..., source = \"...\" }");
  }
}

void Reader::plain(const Field& field, const toml::node& node) {
  std::string wrong = field.path + " has the wrong type; expected " + field.expected();
  if (const auto* integer = node.as_integer()) {
    wrong = field.assign(integer->get());
  } else if (const auto* real = node.as_floating_point()) {
    wrong = field.assign(real->get());
  } else if (const auto* text = node.as_string()) {
    wrong = field.assign(text->get());
  } else if (const auto* flag = node.as_boolean()) {
    wrong = field.assign(flag->get());
  }
  if (!wrong.empty()) throw InputError(placeOf(file_, node.source()), wrong);
  places_[field.path] = placeOf(file_, node.source());
}

/// Top-level texts that are no parameters. Nothing: it is not there.
std::optional<SourceLocation> takeText(toml::table& document, const char* key,
                                       const std::string& file, std::string& target) {
  const toml::node* node = document.get(key);
  if (node == nullptr) return std::nullopt;
  const auto* text = node->as_string();
  if (text == nullptr)
    throw InputError(placeOf(file, node->source()),
                     fmt::format("{} has the wrong type; expected a text", key));
  target = text->get();
  const SourceLocation place = placeOf(file, node->source());
  document.erase(key);
  return place;
}

}  // namespace

Configuration Configuration::read(const std::string& path) {
  Configuration configuration = parse(
      readTextFile(path, "cannot read the platform file; expected a readable TOML file"), path);
  if (configuration.places_.empty()) {
    throw InputError(SourceLocation{path},
                     "the file sets no parameter; expected a platform file, such as 'fermata show "
                     "gtx480' prints");
  }
  return configuration;
}

Configuration Configuration::parse(const std::string& text, const std::string& fileName) {
  Configuration configuration;
  configuration.file_ = fileName;
  toml::table document = parseToml(text, fileName, "TOML");
  takeText(document, "name", fileName, configuration.parameters_.name);
  takeText(document, "description", fileName, configuration.parameters_.description);
  std::string ami;
  const auto amiPlace = takeText(document, kAmi, fileName, ami);
  Reader(fileName, fieldsOf(configuration.parameters_), configuration.sources_,
         configuration.places_)
      .table(document, "");
  if (amiPlace) configuration.giveAmi(ami, *amiPlace);
  configuration.checkValues();
  return configuration;
}

/// What the file gives beside its `ami` must be what that says.
void Configuration::giveAmi(const std::string& text, const SourceLocation& where) {
  share();
  for (const auto& [path, value] : expand(kAmi, text, where, parameters_)) {
    for (const Field& field : fieldsOf(parameters_)) {
      if (field.path != path) continue;
      if (places_.count(path) != 0 && field.plainValue() != value) {
        throw InputError(
            place(path),
            fmt::format("{} = {}, but ami = \"{}\" makes it '{}'; expected one of them", path,
                        field.tomlValue(), text, value));
      }
      field.assignText(value);
      places_[path] = where;
      sources_[path] = fmt::format("ami = {}", text);
    }
  }
}

void Configuration::set(const std::string& path, const std::string& value) {
  if (!isShorthand(path)) return setOne(path, value);
  share();
  const SourceLocation where{"--set " + path};
  for (const auto& [each, own] : expand(path, value, where, parameters_)) {
    setOne(each, own);
    places_[each] = where;
  }
}

void Configuration::setOne(const std::string& path, const std::string& value) {
  const std::vector<Field> fields = fieldsOf(parameters_);
  const auto field =
      std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.path == path; });
  if (field == fields.end()) {
    std::string near;
    const std::string group = path.substr(0, path.find('.') + 1);
    for (const Field& f : fields) {
      if (group.empty() || f.path.rfind(group, 0) == 0) near += (near.empty() ? "" : ", ") + f.path;
    }
    if (near.empty()) near = "a path that 'fermata show' prints, for instance scratchpad.indexer";
    throw InputError(fmt::format("--set {}: unknown parameter; expected {}", path, near));
  }
  chosen_.insert(path);
  places_[path] = SourceLocation{"--set " + path};
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
  if (equals == std::string::npos || equals == 0) {
    throw InputError(fmt::format("--set '{}'; expected path=value", assignment));
  }
  set(assignment.substr(0, equals), assignment.substr(equals + 1));
}

void Configuration::applyAll(const std::vector<std::string>& assignments) {
  std::set<std::string> given;
  for (const std::string& assignment : assignments) {
    const std::string path = assignment.substr(0, assignment.find('='));
    if (!given.insert(path).second) {
      throw InputError(fmt::format("--set {} is given twice; expected one value", path));
    }
    apply(assignment);
  }
}

std::shared_ptr<const indexing::Indexer> Configuration::buildIndexer() const {
  return build("scratchpad.indexer", parameters_.scratchpad.indexer, parameters_.scratchpad.banks);
}

std::shared_ptr<const indexing::Indexer> Configuration::buildLocks() const {
  return build("lock.indexer", parameters_.lock.indexer, parameters_.lock.locks);
}

std::shared_ptr<const indexing::Indexer> Configuration::build(const std::string& path,
                                                              const std::string& text,
                                                              std::uint32_t banks) const {
  const ScratchpadParameters& s = parameters_.scratchpad;
  try {
    return indexing::build(text, indexing::Shape{banks, s.bytes / s.bankBytes, s.bankBytes});
  } catch (const indexing::IndexingError& error) {
    const std::string column =
        error.column() == 0 ? "" : fmt::format(" (column {})", error.column());
    throw InputError(place(path),
                     fmt::format("{} = \"{}\"{}: {}", path, text, column, error.what()));
  }
}

/// The count that the mapping has. A mapping that the user chose over the file's brings its own.
void Configuration::takeCount(const std::string& mapping, const std::string& count,
                              std::uint32_t& banks, const indexing::Indexer& indexer,
                              const char* what) const {
  const std::uint32_t has = indexer.shape().banks;
  const bool mappingRules = chosen_.count(mapping) != 0 && chosen_.count(count) == 0;
  if (banks != has && places_.count(count) != 0 && !mappingRules) {
    throw InputError(
        place(count),
        fmt::format("{0} = {1} but the indexer '{2}' maps onto {3} {4}; expected an indexer for "
                    "{1} {4}, for instance {5}='ami {1}'",
                    count, banks, indexer.text(), has, what, mapping));
  }
  banks = has;
}

SourceLocation Configuration::place(const std::string& path) const {
  return placeOf({path});
}

/// Of several: what was set, else what the file gives, the first of the list before others.
SourceLocation Configuration::placeOf(const Paths& paths) const {
  for (const std::string& path : paths) {
    if (chosen_.count(path) != 0) return places_.at(path);
  }
  for (const std::string& path : paths) {
    if (const auto found = places_.find(path); found != places_.end()) return found->second;
  }
  return {file_};
}

/// A value of the file gives way to what was set.
bool Configuration::standsAgainst(const std::string& path, const std::string& other) const {
  return chosen_.count(path) != 0 || (places_.count(path) != 0 && chosen_.count(other) == 0);
}

void Configuration::check() {
  checkValues();
  checkParts();
}

/// Parts the array of scratchpad and L1.
void Configuration::share() {
  applySplit(
      parameters_, [this](const Paths& paths) { return placeOf(paths); },
      [this](const std::string& path, const std::string& other) {
        return standsAgainst(path, other);
      });
}

void Configuration::checkValues() {
  share();
  ScratchpadParameters& s = parameters_.scratchpad;
  if (s.bytes % s.bankBytes != 0) {
    throw InputError(place("scratchpad.bytes"),
                     fmt::format("scratchpad.bytes = {} is no whole number of {}-byte words; "
                                 "expected a multiple",
                                 s.bytes, s.bankBytes));
  }
  const auto indexer = buildIndexer();
  takeCount("scratchpad.indexer", "scratchpad.banks", s.banks, *indexer, "banks");
  if (!missingPart(parameters_, "lock.indexer"))
    takeCount("lock.indexer", "lock.locks", parameters_.lock.locks, *buildLocks(), "locks");
  const PlaceOf place = [this](const Paths& paths) { return placeOf(paths); };
  checkCore(parameters_, place);
  checkCaches(parameters_, place);
  checkRtl(parameters_, place, [this](const std::string& path, const std::string& other) {
    return standsAgainst(path, other);
  });
  instructionHashes().check(*indexer);
  conflictFree();  // reads
}

InstructionHashes Configuration::instructionHashes() const {
  return {parameters_.scratchpad.instructionHashes, place("scratchpad.instruction_hashes")};
}

InstructionList Configuration::conflictFree() const {
  const char* const path = "scratchpad.conflict_free";
  return {path, InstructionList::Marks::Ones, parameters_.scratchpad.conflictFree, place(path)};
}

/// A file may give the figures of a flat memory beside caches: global.memory = flat has them then.
/// The sizes of caches must be given: none suit every platform.
void Configuration::checkParts() const {
  for (const auto& [path, where] : places_) {
    const auto missing = missingPart(parameters_, path);
    if (!missing || !standsAgainst(path, missing->by)) continue;
    if (path.rfind("global.", 0) == 0 && chosen_.count(path) == 0) continue;
    throw InputError(where, fmt::format("{} has no effect, for {}; expected {}", path, missing->why,
                                        missing->expected));
  }
  const bool l1 = places_.count("l1.bytes") != 0 || places_.count("l1.split") != 0;
  if (missingPart(parameters_, "l1.bytes") || (l1 && places_.count("l2.bytes") != 0)) return;
  throw InputError(place("global.memory"),
                   fmt::format("global.memory = \"caches\", but nothing says what caches {} has; "
                               "expected l1.bytes and l2.bytes in the platform file or by --set",
                               parameters_.name));
}

std::string Configuration::text() const {
  PlatformParameters copy = parameters_;
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
  PlatformParameters copy = parameters_;
  results::Settings settings;
  for (const Field& field : fieldsOf(copy)) {
    const auto change = changes_.find(field.path);
    if (change != changes_.end()) settings.push_back({change->first, change->second});
  }
  return settings;
}

}  // namespace fermata::platforms
