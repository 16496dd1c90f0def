// fermata cost
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/cost/paper_costs.h>
#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

using results::Align;

struct CostOptions {
  std::vector<std::string> texts;
  indexing::Shape shape;
  RowOutput rows;
};

void list(const CostTable& table, const RowOutput& output) {
  if (!output.isAsked())
    std::cout << fmt::format(
        "blocks that are no mappings: {}\n"
        "mappings: ami, seznec, mod, perm, xor, bits, pairs, matrix, fixed-xor, add; 'fermata map' "
        "has their texts\n\n",
        fmt::join(otherBlocks(table), ", "));
  results::Table lines({{"block", Align::Left}, {"setting", Align::Left}, {"bits"}, {"lanes"}});
  for (const std::string& name : otherBlocks(table)) {
    for (const BlockCost& row : table.of(name)) {
      lines.row({row.block, row.setting,
                 row.addressBits == 0 ? "-" : std::to_string(row.addressBits),
                 std::to_string(row.lanes)});
    }
  }
  output.print(lines, std::cout);
}

std::string rowsOf(const std::vector<PricedText>& texts) {
  std::string rows =
      "text,block,setting,gives,address_bits,lanes,cells,gate_equivalents,"
      "register_equivalents,area_um2,delay_ns,energy_random_fj,energy_stream_fj,"
      "energy_glitches_fj,energy_clock_fj\n";
  for (const PricedText& one : texts) {
    for (const BlockCost& row : one.rows) {
      rows += csvLine(one.text, row.block, row.setting, row.gives,
                      row.addressBits == 0 ? "" : csvText(row.addressBits), row.lanes, row.cells,
                      row.gates, row.registers, row.area, row.delay, row.energy, row.energyInOrder,
                      row.energyGlitches, row.energyClock);
    }
  }
  return rows;
}

std::string digits(const std::optional<double>& value, int behind) {
  return value ? results::fixed(*value, behind) : "-";
}

/// Prints, for each text that is a mapping, the price that a search and a report compare.
void printPrices(const CostTable& table, const std::vector<PricedText>& texts,
                 const indexing::Shape& shape) {
  const std::vector<std::string> others = otherBlocks(table);
  bool any = false;
  for (const PricedText& one : texts) {
    if (std::find(others.begin(), others.end(), one.text.substr(0, one.text.find(' '))) !=
        others.end())
      continue;
    if (!any)
      std::cout << fmt::format("\nbank and row of a lane, in the narrowest blocks for {} words:\n",
                               results::grouped(shape.words));
    any = true;
    const MappingPrice price = priceOf(table, one.text, shape);
    std::cout << fmt::format("  {}: {}\n", one.text,
                             price.gates ? fmt::format("{:.0f} gates", *price.gates) : "no price");
  }
}

void printTables(const CostTable& table, const std::vector<PricedText>& texts,
                 const indexing::Shape& shape) {
  results::Table rows({{"text", Align::Left},
                       {"block", Align::Left},
                       {"gives", Align::Left},
                       {"bits"},
                       {"gates"},
                       {"registers"},
                       {"um^2"},
                       {"ns"},
                       {"fJ random"},
                       {"in order"},
                       {"glitches"},
                       {"clock"}});
  const std::vector<std::string> others = otherBlocks(table);
  for (const PricedText& one : texts) {
    const bool named =
        std::find(others.begin(), others.end(), one.rows.front().block) != others.end();
    for (const BlockCost& row : one.rows) {
      std::string block = row.block + (row.lanes == 1 ? "" : fmt::format(" x{}", row.lanes));
      if (named) block += " " + row.setting;
      rows.row({one.text, block, row.gives,
                row.addressBits == 0 ? "-" : std::to_string(row.addressBits),
                results::fixed(row.gates, 0), results::fixed(row.registers, 0),
                results::fixed(row.area, 0), results::fixed(row.delay, 2),
                results::fixed(row.energy, 0), digits(row.energyInOrder, 0),
                digits(row.energyGlitches, 0), results::fixed(row.energyClock, 0)});
    }
  }
  rows.print(std::cout);
  std::cout
      << "\ngates: equivalents of a NAND2; registers: of these. fJ: of an evaluation, in cells "
         "of 180 nm at 1.8 V.\n";
  printPrices(table, texts, shape);
  const std::vector<ComparedCost> compared = besideThePapers(table, texts);
  if (compared.empty()) return;
  results::Table lines(
      {{"figure", Align::Left}, {"where", Align::Left}, {"published"}, {"ours", Align::Left}});
  for (const ComparedCost& line : compared) {
    lines.row({line.subject, line.place, line.published, line.ours});
  }
  std::cout << '\n';
  lines.print(std::cout);
  for (const ComparedCost& line : compared) {
    std::cout << '\n' << line.subject << ": " << line.cause << '\n';
  }
}

void run(const CostOptions& options) {
  const CostTable& table = CostTable::ours();
  if (options.texts.empty()) {
    list(table, options.rows);
    return;
  }
  std::vector<PricedText> texts;
  for (const std::string& text : options.texts) texts.push_back(priced(table, text, options.shape));
  if (options.rows.isAsked())
    options.rows.print(rowsOf(texts), std::cout);
  else
    printTables(table, texts, options.shape);
}

}  // namespace

void addCostCommand(CLI::App& app, Invocation&) {
  const auto options = std::make_shared<CostOptions>();
  CLI::App* command = app.add_subcommand(
      "cost",
      "Prints gates, area, delay and energy of a mapping, an arbiter, a crossbar or a lock unit");
  CLI::Option* texts = command->add_option("text", options->texts,
                                           "Takes mappings or blocks, each quoted as one argument. "
                                           "Without any, lists blocks and mappings.");
  command
      ->add_option("--banks", options->shape.banks,
                   "Sets the number of banks for mappings without a number of their own")
      ->needs(texts)
      ->transform(wholeNumber(1, 4096))
      ->capture_default_str();
  command
      ->add_option("--words", options->shape.words,
                   "Sets the number of words of the memory, and so the bits of an address")
      ->needs(texts)
      ->transform(wholeNumber(1, 0xffffffffU))
      ->capture_default_str();
  addRowOutput(*command, options->rows, "the blocks, one row each,");
  command->footer(
      "Examples:\n  fermata cost\n  fermata cost 'ami 33' 'xor k1=0 k2=5 mask=31' --csv\n"
      "  fermata cost crossbar 'lock-unit lanes=8'");
  command->callback([options] { run(*options); });
}

}  // namespace fermata::platforms
