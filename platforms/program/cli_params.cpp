// fermata params WORD: parameters of a platform whose names hold the word.
#include <algorithm>
#include <iostream>
#include <memory>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/field.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

struct ParamsOptions : Measurement {
  std::vector<std::string> words;
  RowOutput rows;
};

void printParameters(const ParamsOptions& options) {
  using results::Align;
  const Configuration platform = openPlatform(options.platform, options.sets);
  PlatformParameters parameters = platform.parameters();
  results::Table table({{"parameter", Align::Left},
                        {"value", Align::Left},
                        {"unit", Align::Left},
                        {"meaning", Align::Left}});
  std::size_t shown = 0;
  for (const Field& field : fieldsOf(parameters)) {
    const bool fits = std::all_of(
        options.words.begin(), options.words.end(),
        [&](const std::string& word) { return field.path.find(word) != std::string::npos; });
    if (!fits) continue;
    ++shown;
    table.row({field.path, field.plainValue(), field.unit, field.meaning});
  }
  if (shown == 0)
    refuse("no parameter has '{}' in its name; expected a part of one, as in 'fermata params lock'",
           options.words.front());
  options.rows.print(table, std::cout);
}

}  // namespace

void addParamsCommand(CLI::App& app, Invocation&) {
  const auto options = std::make_shared<ParamsOptions>();
  CLI::App* command = app.add_subcommand(
      "params", "Lists the parameters of a platform, or those with a word in their names");
  command
      ->add_option("word", options->words, "Lists only parameters with these words in their names")
      ->type_name("WORD");
  addOptions(*command, *options, {"--platform", "--set"});
  addRowOutput(*command, options->rows);
  command->footer("Examples:\n  fermata params lock\n  fermata params latency --platform sm_80");
  command->callback([options] { printParameters(*options); });
}

}  // namespace fermata::platforms
