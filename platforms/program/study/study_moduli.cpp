#include <fermata/platforms/program/study/study_moduli.h>

#include <fmt/format.h>

#include <algorithm>

#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/program/cost/mapping_costs.h>
#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_reading.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using What = ModulusFigure::What;

const Choices<What> kWhats{{"levels", What::Levels},
                           {"width", What::Width},
                           {"full_adders", What::FullAdders},
                           {"ami_gates", What::AmiGates},
                           {"seznec_gates", What::SeznecGates}};

ModulusRow::Built built(const std::string& family, std::uint32_t modulus, std::uint32_t words) {
  const std::string text = fmt::format("{} {}", family, modulus);
  const auto mapping = indexing::build(text, {modulus, words});
  return {priceOf(CostTable::ours(), text, mapping->shape()).gates, mapping->rows()};
}

ModulusRow rowOf(const Study& study, std::uint32_t modulus) {
  const indexing::AmiArithmetic ami(modulus);
  ModulusRow row{modulus, ami.levels(), ami.width(), ami.fullAdders(study.addressBits),
                 study.addressBits * ami.levels()};
  if (study.modulusWords == 0) return row;
  row.ami = built("ami", modulus, study.modulusWords);
  row.seznec = built("seznec", modulus, study.modulusWords);
  return row;
}

std::optional<double> valueOf(const ModulusRow& row, What what) {
  switch (what) {
    case What::Levels:
      return row.levels;
    case What::Width:
      return row.width;
    case What::FullAdders:
      return row.fullAdders;
    case What::AmiGates:
      return row.ami.gates;
    case What::SeznecGates:
      return row.seznec.gates;
  }
  return {};
}

/// Lists moduli, in the order of the rows.
std::string listed(const std::vector<ModulusRow>& rows, const std::vector<bool>& in) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (in[i]) text += (text.empty() ? "" : " ") + std::to_string(rows[i].modulus);
  }
  return text.empty() ? "none" : text;
}

/// Marks the `count` rows with the least of a figure; at a tie, the smaller moduli.
std::vector<bool> fewest(const std::vector<ModulusRow>& rows, What what, std::int64_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (valueOf(rows[i], what)) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return *valueOf(rows[a], what) < *valueOf(rows[b], what);
  });
  std::vector<bool> in(rows.size());
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  for (const std::size_t i : order) in[i] = true;
  return in;
}

std::uint32_t modulusAt(TomlTable& table, const std::string& key, std::int64_t least) {
  constexpr std::int64_t kMost = indexing::AmiArithmetic::kMaxModulus;
  const std::int64_t modulus = table.constant(key);
  if (modulus < least || modulus > kMost)
    refuse(table.where(key), "'{}' is {}; expected {} to {}", key, modulus, least, kMost);
  return static_cast<std::uint32_t>(modulus);
}

std::optional<std::int64_t> optionalNumber(TomlTable& table, const std::string& key) {
  if (!table.has(key)) return {};
  return table.constant(key);
}

ModulusFigure readFigure(TomlTable& table, const Study& study) {
  ModulusFigure figure;
  figure.claim = table.text("claim");
  figure.where = table.where("claim");
  figure.what = choose(table.text("of"), kWhats, table.where("of"), "figure");
  figure.atMost = optionalNumber(table, "at_most");
  figure.over = optionalNumber(table, "over");
  figure.fewest = optionalNumber(table, "fewest");
  if (table.has("modulus")) figure.modulus = modulusAt(table, "modulus", 1);
  const int ways = (figure.atMost ? 1 : 0) + (figure.over ? 1 : 0) + (figure.fewest ? 1 : 0) +
                   (figure.modulus ? 1 : 0);
  if (ways != 1)
    refuse(table.where(),
           "a figure has {} of 'at_most', 'over', 'fewest' and 'modulus'; expected one", ways);
  if (figure.fewest && *figure.fewest < 1)
    refuse(table.where("fewest"), "'fewest' is {}; expected 1 or more", *figure.fewest);
  const bool gates = figure.what == What::AmiGates || figure.what == What::SeznecGates;
  if (gates && study.modulusWords == 0)
    refuse(table.where("of"), "gates without a memory; expected 'words' in 'moduli'");
  figure.note = table.text("note", "");
  table.refuseOtherKeys();
  return figure;
}

}  // namespace

void readModuli(TomlTable& file, Study& study) {
  const auto figures = file.tablesOrRows("figure", "a figure");
  auto table = file.table("moduli", "'moduli'");
  if (study.kind != Study::Kind::Moduli) {
    if (table || !figures.empty())
      refuse(table ? file.where("moduli") : figures.front().where(),
             "'moduli' and 'figure' are for kind = \"moduli\"; expected neither");
    return;
  }
  if (!table) refuse(file.where("kind"), "no 'moduli'; expected 'from' and 'to' there");
  study.firstModulus = modulusAt(*table, "from", 1);
  study.lastModulus = modulusAt(*table, "to", study.firstModulus);
  const std::int64_t words = table->constant("words", 0);
  constexpr std::int64_t kMostWords = 1U << 30;
  if (words < 0 || words > kMostWords)
    refuse(table->where("words"), "'words' is {}; expected 1 to {}", words, kMostWords);
  study.modulusWords = static_cast<std::uint32_t>(words);
  table->refuseOtherKeys();
  for (TomlTable figure : figures) study.moduli.push_back(readFigure(figure, study));
}

std::vector<ModulusRow> modulusRows(const Study& study) {
  std::vector<ModulusRow> rows;
  for (std::uint32_t m = study.firstModulus; m <= study.lastModulus; ++m) {
    rows.push_back(rowOf(study, m));
  }
  return rows;
}

void printModuli(const Study& study, const std::vector<ModulusRow>& rows, std::ostream& out) {
  out << "\nhardware of ami M, addresses of " << study.addressBits << " bits\n";
  std::vector<results::TableColumn> columns{{"modulus"},     {"levels a digit"},
                                            {"digit width"}, {"address bits x levels"},
                                            {"full adders"}, {"easy", results::Align::Left}};
  if (study.modulusWords != 0) {
    columns.insert(columns.end(), {{"gates: ami"}, {"seznec"}, {"rows: ami"}, {"seznec"}});
  }
  results::Table table(std::move(columns));
  for (const ModulusRow& row : rows) {
    std::vector<std::string> cells{std::to_string(row.modulus),    std::to_string(row.levels),
                                   std::to_string(row.width),      std::to_string(row.area),
                                   std::to_string(row.fullAdders), row.levels <= 2 ? "+" : ""};
    if (study.modulusWords != 0) {
      for (const auto* mapping : {&row.ami, &row.seznec}) {
        cells.push_back(mapping->gates ? fmt::format("{:.0f}", *mapping->gates) : "-");
      }
      for (const auto* mapping : {&row.ami, &row.seznec}) {
        cells.push_back(std::to_string(mapping->rows));
      }
    }
    table.row(std::move(cells));
  }
  table.print(out);
  if (study.modulusWords == 0) return;
  out << "gates: equivalents of a NAND2, for bank and row of a lane; rows: of each bank, for "
      << results::grouped(study.modulusWords) << " words\n";
}

void writeModuli(const Study& study, const std::vector<ModulusRow>& rows, files::OutputSet& files,
                 const std::filesystem::path& folder) {
  const bool built = study.modulusWords != 0;
  std::string text = "modulus,levels,width,address_bits_times_levels,full_adders";
  text += built ? ",ami_gates,seznec_gates,ami_rows,seznec_rows\n" : "\n";
  for (const ModulusRow& row : rows) {
    std::string line = csvLine(row.modulus, row.levels, row.width, row.area, row.fullAdders);
    if (built) {
      line.back() = ',';
      line +=
          csvLine(csvText(row.ami.gates), csvText(row.seznec.gates), row.ami.rows, row.seznec.rows);
    }
    text += line;
  }
  files.add(folder / "table.csv").write(text);
}

std::vector<PicturePanel> panels(const Study& study, const std::vector<ModulusRow>& rows) {
  const auto panel = [&](const char* heading, const Choices<What>& series) {
    PicturePanel one;
    one.heading = heading;
    one.axis = "modulus; +: two levels a digit or fewer";
    one.style = PicturePanel::Style::Bars;
    one.unit = heading;
    for (const ModulusRow& row : rows) {
      one.places.push_back(std::to_string(row.modulus) + (row.levels <= 2 ? "+" : ""));
    }
    for (const auto& [name, what] : series) {
      PictureSeries bars{name, {}};
      for (const ModulusRow& row : rows) bars.values.push_back(valueOf(row, what));
      one.series.push_back(std::move(bars));
    }
    return one;
  };
  if (study.modulusWords != 0) {
    return {panel("gate equivalents for bank and row of a lane",
                  {{"ami", What::AmiGates}, {"seznec", What::SeznecGates}})};
  }
  PicturePanel area = panel("address bits x levels", {{"address bits x levels", What::Levels}});
  for (auto& value : area.series.front().values) *value *= study.addressBits;
  return {area, panel("levels a digit", {{"levels a digit", What::Levels}}),
          panel("digit width", {{"digit width", What::Width}})};
}

std::vector<ComparedFigure> compareModuli(const Study& study, const std::vector<ModulusRow>& rows) {
  const PublishedFacts facts;
  std::vector<ComparedFigure> figures;
  for (const ModulusFigure& asked : study.moduli) {
    ComparedFigure figure = facts.of(asked.claim, asked.where);
    const auto exceeds = [&](const ModulusRow& row, std::int64_t limit) {
      return valueOf(row, asked.what) > static_cast<double>(limit);
    };
    if (asked.modulus) {
      const auto modulus = static_cast<std::uint32_t>(*asked.modulus);
      figure.ours = valueOf(rowOf(study, modulus), asked.what);
    } else if (asked.atMost) {
      figure.ours = std::count_if(rows.begin(), rows.end(), [&](const ModulusRow& row) {
        return valueOf(row, asked.what) && !exceeds(row, *asked.atMost);
      });
    } else if (asked.fewest) {
      figure.oursText = listed(rows, fewest(rows, asked.what, *asked.fewest));
    } else {
      std::vector<bool> in;
      for (const ModulusRow& row : rows) in.push_back(exceeds(row, *asked.over));
      figure.oursText = listed(rows, in);
    }
    if (!asked.note.empty()) figure.note = asked.note;
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace fermata::platforms
