#include <fermata/platforms/program/shell/completion.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/field.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/energy/price_table.h>
#include <fermata/platforms/program/shell/command_words.h>
#include <fermata/platforms/program/study/study.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

namespace {

using Candidates = std::vector<Completion::Candidate>;
using Words = std::vector<std::string>;

bool beginsWith(const std::string& text, const std::string& begin) {
  return text.compare(0, begin.size(), begin) == 0;
}

/// Joins what bash has split: "--out", "=", "folder" become "--out=folder".
Words joined(const Words& words) {
  Words whole;
  bool behindEquals = false;
  for (const std::string& word : words) {
    const bool equals = word == "=";
    if ((equals || behindEquals) && !whole.empty())
      whole.back() += word;
    else
      whole.push_back(word);
    behindEquals = equals;
  }
  return whole;
}

/// A command line as far as the word to be completed.
struct Line {
  const CLI::App* command = nullptr;
  Words positionals;                     ///< whole ones
  std::map<std::string, Words> values;   ///< of options, by each of their names
  const CLI::Option* pending = nullptr;  ///< option whose value is next; null: none
  bool optionsOver = false;              ///< behind --
};

const CLI::App* subcommandOf(const CLI::App& command, const std::string& name) {
  for (const CLI::App* each : commandsOf(command)) {
    if (each->get_name() == name) return each;
  }
  return nullptr;
}

const CLI::Option* optionOf(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* option : optionsOf(command)) {
    const Words names = namesOf(*option);
    if (std::find(names.begin(), names.end(), name) != names.end()) return option;
  }
  return nullptr;
}

void addValue(Line& line, const CLI::Option& option, const std::string& value) {
  for (const std::string& name : namesOf(option)) line.values[name].push_back(value);
}

void addOption(Line& line, const std::string& word) {
  const std::size_t equals = word.find('=');
  const CLI::Option* const option = optionOf(*line.command, word.substr(0, equals));
  if (option == nullptr || placeholderOf(*option).empty()) return;
  if (equals == std::string::npos)
    line.pending = option;
  else
    addValue(line, *option, word.substr(equals + 1));
}

Line readLine(const CLI::App& app, const Words& words) {
  Line line;
  line.command = &app;
  for (const std::string& word : words) {
    if (line.pending != nullptr) {
      addValue(line, *line.pending, word);
      line.pending = nullptr;
    } else if (line.optionsOver) {
      line.positionals.push_back(word);
    } else if (word == "--") {
      line.optionsOver = true;
    } else if (!word.empty() && word[0] == '-') {
      addOption(line, word);
    } else if (const CLI::App* const command = subcommandOf(*line.command, word);
               command != nullptr && line.positionals.empty()) {
      line.command = command;
    } else {
      line.positionals.push_back(word);
    }
  }
  return line;
}

/// Returns the names of platform parameters, and the choices of one whose name is complete.
Candidates parametersOf(const std::string& word) {
  PlatformParameters parameters;
  const std::size_t equals = word.find('=');
  Candidates found;
  for (const Field& field : fieldsOf(parameters)) {
    if (equals == std::string::npos) {
      found.push_back({field.path + "=", field.meaning});
    } else if (field.path == word.substr(0, equals)) {
      const std::string expected = field.expected();
      const std::string list = "one of ";
      if (beginsWith(expected, list)) {
        std::string choice;
        for (const char letter : expected.substr(list.size()) + "|") {
          if (letter != '|') {
            choice += letter;
            continue;
          }
          found.push_back({field.path + "=" + choice, ""});
          choice.clear();
        }
      }
    }
  }
  return found;
}

/// Returns the parameters of the line's workloads, as name=.
Candidates workloadParametersOf(const Line& line) {
  Candidates found;
  for (const std::string& word : line.positionals) {
    try {
      for (const ParameterChoice& parameter : findChoice(word).parameters)
        found.push_back({parameter.name + "=", parameter.description});
    } catch (const InputError&) {  // no workload: a platform, or a word still wrong
    }
  }
  return found;
}

/// Lists the values of a kind, and says whether paths are ones, too.
Completion valuesOf(const std::string& kind, const Line& line, const std::string& word) {
  using Paths = Completion::Paths;
  Completion all;
  const auto list = [&](const auto& entries) {
    for (const auto& entry : entries) all.candidates.push_back({entry.name, entry.description});
    all.paths = Paths::Files;
  };
  if (kind == "FOLDER") all.paths = Paths::Folders;
  if (kind == "FILE" || kind == "PROGRAM" || beginsWith(kind, "PATH(")) all.paths = Paths::Files;
  if (kind == "PLATFORM") list(listPlatforms());
  if (kind == "WORKLOAD") list(listChoices());
  if (kind == "TABLE") list(listPriceTables());
  if (kind == "STUDY") {
    for (const Study& study : listStudies()) all.candidates.push_back({study.name, study.title});
    all.paths = Paths::Files;
  }
  if (kind == "PATH=VALUE") all.candidates = parametersOf(word);
  if (kind == "NAME=VALUE") all.candidates = workloadParametersOf(line);
  if (kind.size() > 2 && kind.front() == '{') {
    std::string choice;
    for (const char letter : kind.substr(1)) {
      if (letter != ',' && letter != '}') {
        choice += letter;
        continue;
      }
      all.candidates.push_back({choice, ""});
      choice.clear();
    }
  }
  return all;
}

/// Returns the positional that the next word belongs to; null: none is left.
const CLI::Option* nextPositional(const Line& line) {
  std::size_t before = line.positionals.size();
  for (const CLI::Option* positional : positionalsOf(*line.command)) {
    const auto most = static_cast<std::size_t>(std::max(positional->get_expected_max(), 1));
    if (before < most) return positional;
    before -= most;
  }
  return nullptr;
}

Completion optionsFor(const CLI::App& command) {
  Completion all;
  for (const CLI::Option* option : optionsOf(command)) {
    for (const std::string& name : namesOf(*option))
      all.candidates.push_back({name, option->get_description()});
  }
  return all;
}

Completion wordsFor(const Line& line, const std::string& word) {
  Completion all;
  for (const CLI::App* command : commandsOf(*line.command))
    all.candidates.push_back({command->get_name(), command->get_description()});
  if (const CLI::Option* const positional = nextPositional(line)) {
    Completion values = valuesOf(placeholderOf(*positional), line, word);
    all.paths = values.paths;
    std::move(values.candidates.begin(), values.candidates.end(),
              std::back_inserter(all.candidates));
  }
  if (line.command->get_prefix_command()) all.paths = Completion::Paths::Files;  // sources of cc
  return all;
}

Completion everythingFor(const Line& line, const std::string& word) {
  if (line.pending != nullptr) return valuesOf(placeholderOf(*line.pending), line, word);
  if (line.optionsOver || word.empty() || word[0] != '-') return wordsFor(line, word);
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return optionsFor(*line.command);
  const std::string name = word.substr(0, equals);
  const CLI::Option* const option = optionOf(*line.command, name);
  if (option == nullptr) return {};
  Completion values = valuesOf(placeholderOf(*option), line, word.substr(equals + 1));
  for (Completion::Candidate& each : values.candidates) each.word.insert(0, name + "=");
  return values;
}

}  // namespace

Completion completionOf(const CLI::App& app, std::vector<std::string> words) {
  if (!words.empty() && words.front() == "help") words.erase(words.begin());
  words = joined(words);
  const std::string word = words.empty() ? std::string() : words.back();
  if (!words.empty()) words.pop_back();
  Completion completion = everythingFor(readLine(app, words), word);
  Candidates& all = completion.candidates;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const auto& each) { return !beginsWith(each.word, word); }),
            all.end());
  return completion;
}

std::string completionText(const Completion& completion) {
  constexpr const char* kKinds[] = {"words", "files", "folders"};  // in the order of Paths
  std::string text = kKinds[static_cast<std::size_t>(completion.paths)];
  text += '\n';
  for (const Completion::Candidate& each : completion.candidates)
    text += each.word + '\t' + each.meaning + '\n';
  return text;
}

}  // namespace fermata::platforms
