// fermata prices
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using results::Align;

struct PricesOptions : Measurement {
  std::string priceTable;
  RowOutput rows;
};

void listTables(const RowOutput& rows) {
  results::Table table({{"table", Align::Left}, {"description", Align::Left}});
  for (const PriceTable& one : listPriceTables()) table.row({one.name, one.description});
  rows.print(table, std::cout);
}

std::string picojoules(std::uint64_t femtojoules) {
  return fmt::format("{:.7g}", static_cast<double>(femtojoules) * 1e-3);
}

std::string milliwatts(std::uint64_t nanowatts) {
  return fmt::format("{:.7g}", static_cast<double>(nanowatts) * 1e-6);
}

/// Prints the table's prices for the platform: those of its bank size, its mappings, and all
/// instances.
void printPrices(const PricesOptions& options) {
  const PriceTable prices = openPriceTable(options.priceTable);
  const Configuration configuration = openPlatform(options.platform, options.sets);
  const PlatformParameters& platform = configuration.parameters();
  const EnergyPrices effective = pricesOf(prices, platform);
  results::Table table({{"component", Align::Left},
                        {"action", Align::Left},
                        {"low"},
                        {"nominal"},
                        {"high"},
                        {"unit", Align::Left},
                        {"", Align::Left}});
  const auto remark = [&](std::string_view component, std::string_view action) -> std::string {
    const Price* const price =
        findPrice(prices, std::string(component), std::string(action), platform);
    return price != nullptr && price->relative ? "relative only" : "";
  };
  for (unsigned i = 0; i < kEnergyActions; ++i) {
    const EnergyActionText& text = describe(static_cast<EnergyAction>(i));
    if (!effective.actions[i] || sizeOf(std::string(text.component), platform).instances == 0)
      continue;
    const Energy& energy = *effective.actions[i];
    table.row({std::string(text.component), std::string(text.action), picojoules(energy.low),
               picojoules(energy.nominal), picojoules(energy.high), "pJ/" + std::string(text.each),
               remark(text.component, text.action)});
  }
  for (const auto& [name, energy] : effective.others) {
    const std::size_t dot = name.find('.');
    table.row({name.substr(0, dot), name.substr(dot + 1), picojoules(energy.low),
               picojoules(energy.nominal), picojoules(energy.high), "pJ/action", ""});
  }
  for (const EnergyPrices::Standing& one : effective.standing) {
    if (one.leakage.high != 0) {
      table.row({one.component, std::string(kLeakageAction), milliwatts(one.leakage.low),
                 milliwatts(one.leakage.nominal), milliwatts(one.leakage.high), "mW, all of them",
                 remark(one.component, kLeakageAction)});
    }
    if (one.clock.high != 0) {
      table.row({one.component, std::string(kClockAction), picojoules(one.clock.low),
                 picojoules(one.clock.nominal), picojoules(one.clock.high), "pJ/cycle, all of them",
                 remark(one.component, kClockAction)});
    }
  }
  if (!options.rows.isAsked())
    std::cout << prices.description << "\nfor " << platform.name << "\n\n";
  options.rows.print(table, std::cout);
}

}  // namespace

void addPricesCommand(CLI::App& app, Invocation&) {
  const auto options = std::make_shared<PricesOptions>();
  CLI::App* command = app.add_subcommand(
      "prices", "Lists the tables of energy prices, or the prices of one table for a platform");
  command
      ->add_option(
          "table", options->priceTable,
          "Selects the table of energy prices by name or path. Without it, lists the tables.")
      ->type_name("TABLE");
  addPlatformEitherWay(*command, *options);
  addOptions(*command, *options, {"--set"});
  addRowOutput(*command, options->rows);
  command->footer(
      "Examples:\n  fermata prices\n  fermata prices fermi-40nm gtx480 --csv\n"
      "  fermata prices fermi-40nm --platform sm_80");
  command->callback([command, options] {
    if (options->priceTable.empty()) {
      if (namesPlatform(*command) || !options->sets.empty())
        refuse("no table of prices is named; expected one, as in 'fermata prices fermi-40nm {}'",
               options->platform);
      listTables(options->rows);
    } else {
      printPrices(*options);
    }
  });
}

}  // namespace fermata::platforms
