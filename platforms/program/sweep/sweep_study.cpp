#include <fermata/platforms/program/sweep/sweep_study.h>

#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/toml/toml_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace fermata::platforms {

namespace {

constexpr std::size_t kMostValues = 1U << 20;

class SweepReader {
 public:
  explicit SweepReader(const std::string& file)
      : file_(file),
        text_(readTextFile(file, "cannot read the sweep; expected a readable TOML file")),
        document_(parseToml(text_, file, "a sweep in TOML")) {}

  SweepStudy read() {
    SweepStudy study;
    study.file = file_;
    study.text = text_;
    for (const auto& [key, node] : document_) {
      static const std::set<std::string> known{"description", "order", "base",
                                               "axes",        "zip",   "exclude"};
      if (known.count(std::string(key.str())) == 0)
        refuse(at(key.source()),
               "unknown key '{}'; expected description, order, base, axes, zip or exclude",
               std::string(key.str()));
    }
    checkDescription();
    readBase(study);
    readGroups(study);
    readExcludes(study);
    return study;
  }

 private:
  SourceLocation at(const toml::source_region& region) const { return placeOf(file_, region); }

  void checkDescription() const {  // only for readers of the file
    const toml::node* node = document_.get("description");
    if (node != nullptr && !node->is_string())
      refuse(at(node->source()), "'description' is {}; expected a text", describeType(*node));
  }

  std::string scalar(const std::string& name, const toml::node& node) const {
    if (const auto* value = node.as_string()) {
      const std::string& text = value->get();
      const bool blank = !text.empty() && (std::isspace(static_cast<unsigned char>(text.front())) ||
                                           std::isspace(static_cast<unsigned char>(text.back())));
      if (blank || text.find_first_of("\r\n") != std::string::npos)
        refuse(at(node.source()),
               "a value of '{}' has blanks at its ends or a line break; expected a text without",
               name);
      return text;
    }
    if (const auto* value = node.as_integer()) return std::to_string(value->get());
    if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
    if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
    refuse(at(node.source()), "a value of '{}' is {}; expected an integer, a text, true or false",
           name, describeType(node));
  }

  std::int64_t integer(const std::string& name, const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    const auto* value = node == nullptr ? nullptr : node->as_integer();
    if (value == nullptr)
      refuse(at(node == nullptr ? table.source() : node->source()),
             "the range of '{}' has no integer '{}'; expected {{ from = 1, to = 8, step = 1 }} or "
             "{{ from = 1, to = 8, factor = 2 }}",
             name, key);
    return value->get();
  }

  std::vector<std::string> range(const std::string& name, const toml::table& table) const {
    const std::int64_t from = integer(name, table, "from");
    const std::int64_t to = integer(name, table, "to");
    const bool factor = table.contains("factor");
    const std::int64_t by = factor                   ? integer(name, table, "factor")
                            : table.contains("step") ? integer(name, table, "step")
                                                     : 1;
    for (const auto& [key, node] : table) {
      const std::string_view k = key.str();
      if (k != "from" && k != "to" && k != (factor ? "factor" : "step"))
        refuse(at(key.source()),
               "the range of '{}' has '{}'; expected from, to and one of step and factor", name,
               std::string(k));
    }
    if (from > to || by < (factor ? 2 : 1) || (factor && from < 1))
      refuse(at(table.source()),
             "the range of '{}' has no value; expected from <= to and a step of 1 or more, or a "
             "factor of 2 or more from 1 or more",
             name);
    std::vector<std::string> values;
    for (std::int64_t v = from;;) {
      values.push_back(std::to_string(v));
      if (values.size() > kMostValues)
        refuse(at(table.source()), "the range of '{}' has too many values; expected up to {}", name,
               kMostValues);
      const bool beyond = factor ? v > to / by : v > to - by;
      if (beyond) break;
      v = factor ? v * by : v + by;
    }
    return values;
  }

  SweepAxis axis(const std::string& name, const toml::node& node) const {
    SweepAxis axis{name, {}, placeOf(file_, node.source())};
    if (const auto* table = node.as_table()) {
      axis.values = range(name, *table);
    } else if (const auto* array = node.as_array()) {
      for (const toml::node& value : *array) axis.values.push_back(scalar(name, value));
    } else {
      axis.values.push_back(scalar(name, node));
    }
    if (axis.values.empty())
      refuse(at(node.source()), "'{}' has no value; expected one or more", name);
    std::set<std::string> once;
    for (const std::string& value : axis.values) {
      if (!once.insert(value).second && !zipped_)
        refuse(at(node.source()), "'{}' has the value '{}' twice; expected each once", name, value);
    }
    return axis;
  }

  /// Collects axes. The path a.b = [..] is a table within a table; a table with `from` is a range.
  void collect(const toml::table& table, const std::string& prefix,
               std::vector<std::pair<SweepAxis, toml::source_position>>& out) const {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      const auto* inner = node.as_table();
      if (inner != nullptr && !inner->contains("from") && !inner->contains("to")) {
        collect(*inner, name + '.', out);
      } else {
        out.emplace_back(axis(name, node), key.source().begin);
      }
    }
  }

  /// Sorts axes by their place in the file, as the library has keys in alphabetical order.
  std::vector<SweepAxis> axes(const toml::table& table) const {
    std::vector<std::pair<SweepAxis, toml::source_position>> found;
    collect(table, "", found);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<SweepAxis> axes;
    for (auto& [one, position] : found) axes.push_back(std::move(one));
    return axes;
  }

  const toml::table* tableOf(const char* key) const {
    const toml::node* node = document_.get(key);
    if (node == nullptr) return nullptr;
    if (const auto* table = node->as_table()) return table;
    refuse(at(node->source()), "'{}' is {}; expected a table: [{}]", key, describeType(*node), key);
  }

  /// Calls visit(table) for each [[key]].
  template <class Visit>
  void forEachTable(const char* key, Visit visit) const {
    const toml::node* node = document_.get(key);
    if (node == nullptr) return;
    const auto* array = node->as_array();
    if (array == nullptr || !array->is_array_of_tables())
      refuse(at(node->source()), "'{}' is no list of tables; expected [[{}]]", key, key);
    for (const toml::node& one : *array) visit(*one.as_table());
  }

  void use(const SweepAxis& one) {
    if (names_.insert(one.name).second) return;
    refuse(one.where, "'{}' is given twice; expected it once, in base, axes or a zip", one.name);
  }

  void readBase(SweepStudy& study) {
    const toml::table* table = tableOf("base");
    if (table == nullptr) return;
    for (SweepAxis& one : axes(*table)) {
      use(one);
      if (one.values.size() != 1)
        refuse(one.where, "'{}' of base has {} values; expected one, or an axis", one.name,
               one.values.size());
      study.base.push_back(std::move(one));
    }
  }

  void readGroups(SweepStudy& study) {
    if (const toml::table* table = tableOf("axes")) {
      for (SweepAxis& one : axes(*table)) {
        use(one);
        study.groups.push_back({std::move(one)});
      }
    }
    zipped_ = true;
    forEachTable("zip", [&](const toml::table& table) {
      SweepGroup group = axes(table);
      if (group.empty()) refuse(at(table.source()), "a zip has no axis; expected two or more");
      for (const SweepAxis& one : group) {
        use(one);
        if (one.values.size() != group.front().values.size())
          refuse(one.where, "'{}' has {} values and '{}' has {}, in one zip; expected as many",
                 group.front().name, group.front().values.size(), one.name, one.values.size());
      }
      study.groups.push_back(std::move(group));
    });
    zipped_ = false;
    if (study.groups.empty())
      refuse(SourceLocation{file_}, "the sweep has no axis; expected [axes] or [[zip]]");
    sortGroups(study);
  }

  /// Sorts by `order`. Each name in it is an axis; it stands for the axis' group.
  void sortGroups(SweepStudy& study) const {
    const toml::node* node = document_.get("order");
    if (node == nullptr) return;
    const auto* array = node->as_array();
    if (array == nullptr) refuse(at(node->source()), "'order' is no list; expected names of axes");
    std::vector<SweepGroup> sorted;
    for (const toml::node& value : *array) {
      const std::string name = scalar("order", value);
      const auto group =
          std::find_if(study.groups.begin(), study.groups.end(), [&](const SweepGroup& one) {
            return std::any_of(one.begin(), one.end(),
                               [&](const SweepAxis& axis) { return axis.name == name; });
          });
      if (group == study.groups.end())
        refuse(at(value.source()), "'order' has '{}'; expected each axis once, and of a zip one",
               name);
      sorted.push_back(std::move(*group));
      study.groups.erase(group);
    }
    if (!study.groups.empty())
      refuse(at(node->source()), "'order' has no '{}'; expected each axis once, and of a zip one",
             study.groups.front().front().name);
    study.groups = std::move(sorted);
  }

  void readExcludes(SweepStudy& study) const {
    forEachTable("exclude", [&](const toml::table& table) {
      SweepExclude exclude;
      for (SweepAxis& one : axes(table)) {
        if (names_.count(one.name) == 0)
          refuse(one.where,
                 "an exclude has '{}', which is no axis; expected axes, with one value or a list",
                 one.name);
        exclude[one.name] = std::move(one.values);
      }
      if (exclude.empty())
        refuse(at(table.source()), "an exclude is empty; expected axes and values");
      study.excludes.push_back(std::move(exclude));
    });
  }

  const std::string& file_;
  std::string text_;
  toml::table document_;
  std::set<std::string> names_;
  bool zipped_ = false;
};

}  // namespace

SweepStudy readSweep(const std::string& file) {
  return SweepReader(file).read();
}

}  // namespace fermata::platforms
