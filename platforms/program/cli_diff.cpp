// fermata diff A B
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/diff/diff_page.h>
#include <fermata/platforms/program/diff/folder_diff.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/results/files/output_file.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

struct DiffOptions {
  std::string a;
  std::string b;
  std::size_t most = 10;
  RowOutput rows;
  std::string html;
};

void print(const DiffView& view, std::ostream& out) {
  if (view.rows.empty()) return;
  std::vector<results::TableColumn> columns;
  for (const DiffView::Column& column : view.columns)
    columns.push_back(
        {column.heading, column.isText ? results::Align::Left : results::Align::Right});
  results::Table table(columns);
  for (const std::vector<std::string>& row : view.rows) table.row(row);
  table.print(out);
}

/// Prints what was changed, and which rows have no partner.
void printHead(const FolderDiff& diff, std::ostream& out) {
  for (const ChangedColumn& column : diff.runs.changed)
    out << fmt::format("{}: {} -> {}\n", column.name, column.a.empty() ? "none" : column.a,
                       column.b.empty() ? "none" : column.b);
  for (const auto& [name, alone] :
       {std::pair(diff.nameA, &diff.runs.onlyA), std::pair(diff.nameB, &diff.runs.onlyB)}) {
    if (!alone->empty()) out << fmt::format("only in {}: {} of the runs\n", name, alone->size());
  }
}

void diff(const DiffOptions& options) {
  const FolderDiff both = diffFolders(options.a, options.b);
  if (!options.html.empty()) {
    files::OutputFile file(options.html);
    file.write(diffPage(both));
    file.commit();
  }
  if (options.rows.isAsked()) {
    options.rows.print(diffCsv(both), std::cout);
    return;
  }
  printHead(both, std::cout);
  for (const DiffView& view : viewsOf(both, options.most)) {
    std::cout << '\n' << view.title << '\n';
    print(view, std::cout);
    if (view.left != 0)
      std::cout << fmt::format("{} more differ less (--most)\n", results::grouped(view.left));
  }
  if (!options.html.empty()) std::cout << "\nPage: " << options.html << '\n';
}

}  // namespace

void addDiffCommand(CLI::App& app, Invocation&) {
  const auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand(
      "diff",
      "Sets two folders of runs, sweeps or CUDA programs beside each other: cycles, "
      "conflicts, stalls and energy by kernel and line, the greatest differences first");
  command->add_option("a", options->a, "Takes the folder of 'run --out', 'exec --out' or a sweep")
      ->required()
      ->check(notEmpty("a folder"));
  command->add_option("b", options->b, "Takes the folder to compare with it")
      ->required()
      ->check(notEmpty("a folder"));
  command
      ->add_option("--most", options->most, "Prints at most this many runs, stalls and lines each")
      ->capture_default_str()
      ->transform(wholeNumber(1, 1000000));
  addRowOutput(*command, options->rows, "every figure that differs, with its unit,");
  command
      ->add_option("--html", options->html,
                   "Writes the comparison to this file, as a page that needs no network")
      ->check(notEmpty("a file"));
  command->footer(
      "Examples:\n  fermata diff results/out/before results/out/after\n"
      "  fermata diff results/out/before results/out/after --html results/out/diff.html");
  command->callback([options] { diff(*options); });
}

}  // namespace fermata::platforms
