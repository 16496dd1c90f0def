// Parts of the reader of study files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fermata/platforms/program/study/study.h>
#include <fermata/stimuli/toml/toml_table.h>

namespace fermata::platforms {

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

/// Returns the text with `value` for each {} in it.
std::string filled(std::string text, const std::string& value);
/// Reads a table of parameters: integers or texts.
Parameters readParameters(TomlTable& table, const std::string& key);
/// Returns the labels at `key`. Each must be the label of a workload read before, or, with a *
/// behind or before it, the beginning or the end of one.
std::vector<std::string> knownLabels(TomlTable& table, const std::string& key, const Study& study);
/// Returns the labels of 'only' without those of 'except' and, under followed = false, without the
/// study's followed ones; empty: all.
std::vector<std::string> chosenLabels(TomlTable& table, const Study& study);

// Each reads its part of the file into the study. The parts before it must have been read.
void readVariants(TomlTable& file, Study& study);
void readComparisons(TomlTable& file, Study& study);
/// A label of the base's table may have no workload in the study.
void readFollowed(TomlTable& file, bool isBase, Study& study);
void readPicture(TomlTable& file, Study& study);
void readModuli(TomlTable& file, Study& study);
void readHardware(TomlTable& file, Study& study);
void readExamples(TomlTable& file, Study& study);

}  // namespace fermata::platforms
