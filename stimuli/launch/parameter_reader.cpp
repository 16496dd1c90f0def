#include <fermata/stimuli/launch/parameter_reader.h>

#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

void readWords(ExpressionTable& table, Parameter& parameter) {
  parameter.isWord = true;
  parameter.defaultWord = table.text("default");
  parameter.words = table.texts("allowed");
  parameter.isFile = table.flag("file", false);
  table.refuseOtherKeys();
  if (parameter.words.empty() && !parameter.isFile) {
    refuse(table.where("default"),
           "'{}' is a word but nothing says which; expected allowed = [\"..\"] or file = true",
           parameter.name);
  }
  if (!parameter.acceptsWord(parameter.defaultWord)) {
    refuse(table.where("default"), "the default of '{}' is not allowed; expected {}",
           parameter.name, parameter.allowedText());
  }
}

}  // namespace

bool isName(const std::string& text) {
  if (text.empty()) return false;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (c < '0' || c > '9')) return false;
  }
  return text[0] < '0' || text[0] > '9';
}

void requireName(const std::string& name, const SourceLocation& where) {
  if (!isName(name))
    refuse(where, "'{}' cannot be a name; expected letters, digits and _, no digit first", name);
}

Parameter readParameter(ExpressionTable& tables, const std::string& name) {
  Parameter parameter;
  parameter.name = name;
  parameter.where = tables.where(name);
  const toml::node* node = tables.find(name);
  if (node->is_integer()) {
    parameter.defaultValue = node->as_integer()->get();
    return parameter;
  }
  if (!node->is_table()) {
    refuse(parameter.where,
           "parameter '{}' is {}; expected an integer or a table {{ default = .. }}", name,
           describeType(*node));
  }
  auto table = tables.table(name, "parameter '" + name + "'");
  const toml::node* standard = table->find("default");
  if (standard != nullptr && standard->is_string()) {
    parameter.description = table->text("description", "");
    readWords(*table, parameter);
    return parameter;
  }
  parameter.defaultValue = table->constant("default");
  parameter.description = table->text("description", "");
  parameter.from = table->constant("from", INT64_MIN);
  parameter.to = table->constant("to", INT64_MAX);
  parameter.allowed = table->constants("allowed");
  parameter.multiple = table->constant("multiple", 1);
  table->refuseOtherKeys();
  if (parameter.from > parameter.to)
    refuse(table->where("from"), "'from' is above 'to'; expected an ascending range");
  if (parameter.multiple < 1)
    refuse(table->where("multiple"), "'multiple' is no size; expected 1 or more");
  if (!parameter.accepts(parameter.defaultValue) ||
      parameter.defaultValue % parameter.multiple != 0) {
    refuse(table->where("default"), "the default of '{}' is not allowed; expected {}", name,
           parameter.allowedText());
  }
  return parameter;
}

}  // namespace fermata::launch
