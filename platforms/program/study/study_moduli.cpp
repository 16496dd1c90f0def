#include <fermata/platforms/program/study/study_moduli.h>

#include <algorithm>

#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_reading.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using What = ModulusFigure::What;

const Choices<What> kWhats{
    {"levels", What::Levels}, {"width", What::Width}, {"full_adders", What::FullAdders}};

ModulusRow rowOf(std::uint32_t modulus, std::uint32_t addressBits) {
  const indexing::AmiArithmetic ami(modulus);
  return {modulus, ami.levels(), ami.width(), ami.fullAdders(addressBits),
          addressBits * ami.levels()};
}

unsigned valueOf(const ModulusRow& row, What what) {
  return what == What::Levels ? row.levels : what == What::Width ? row.width : row.fullAdders;
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

ModulusFigure readFigure(TomlTable& table) {
  ModulusFigure figure;
  figure.claim = table.text("claim");
  figure.where = table.where("claim");
  figure.what = choose(table.text("of"), kWhats, table.where("of"), "figure");
  figure.atMost = optionalNumber(table, "at_most");
  figure.over = optionalNumber(table, "over");
  if (table.has("modulus")) figure.modulus = modulusAt(table, "modulus", 1);
  const int ways = (figure.atMost ? 1 : 0) + (figure.over ? 1 : 0) + (figure.modulus ? 1 : 0);
  if (ways != 1)
    refuse(table.where(), "a figure has {} of 'at_most', 'over' and 'modulus'; expected one", ways);
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
  table->refuseOtherKeys();
  for (TomlTable figure : figures) study.moduli.push_back(readFigure(figure));
}

std::vector<ModulusRow> modulusRows(const Study& study) {
  std::vector<ModulusRow> rows;
  for (std::uint32_t m = study.firstModulus; m <= study.lastModulus; ++m) {
    rows.push_back(rowOf(m, study.addressBits));
  }
  return rows;
}

void printModuli(const Study& study, const std::vector<ModulusRow>& rows, std::ostream& out) {
  out << "\nhardware of ami M, addresses of " << study.addressBits << " bits\n";
  results::Table table({{"modulus"},
                        {"levels a digit"},
                        {"digit width"},
                        {"address bits x levels"},
                        {"full adders"},
                        {"easy", results::Align::Left}});
  for (const ModulusRow& row : rows) {
    table.row({std::to_string(row.modulus), std::to_string(row.levels), std::to_string(row.width),
               std::to_string(row.area), std::to_string(row.fullAdders),
               row.levels <= 2 ? "+" : ""});
  }
  table.print(out);
}

void writeModuli(const std::vector<ModulusRow>& rows, files::OutputSet& files,
                 const std::filesystem::path& folder) {
  std::string text = "modulus,levels,width,address_bits_times_levels,full_adders\n";
  for (const ModulusRow& row : rows) {
    text += csvLine(row.modulus, row.levels, row.width, row.area, row.fullAdders);
  }
  files.add(folder / "table.csv").write(text);
}

std::vector<PicturePanel> panels(const std::vector<ModulusRow>& rows) {
  const auto panel = [&](const char* heading, unsigned ModulusRow::*value) {
    PicturePanel one;
    one.heading = heading;
    one.axis = "modulus; +: two levels a digit or fewer";
    one.style = PicturePanel::Style::Bars;
    PictureSeries series{heading, {}};
    for (const ModulusRow& row : rows) {
      one.places.push_back(std::to_string(row.modulus) + (row.levels <= 2 ? "+" : ""));
      series.values.emplace_back(row.*value);
    }
    one.series.push_back(std::move(series));
    return one;
  };
  return {panel("address bits x levels", &ModulusRow::area),
          panel("levels a digit", &ModulusRow::levels), panel("digit width", &ModulusRow::width)};
}

std::vector<ComparedFigure> compareModuli(const Study& study, const std::vector<ModulusRow>& rows) {
  const PublishedFacts facts;
  std::vector<ComparedFigure> figures;
  for (const ModulusFigure& asked : study.moduli) {
    ComparedFigure figure = facts.of(asked.claim, asked.where);
    const auto value = [&](const ModulusRow& row) {
      return static_cast<std::int64_t>(valueOf(row, asked.what));
    };
    if (asked.modulus) {
      const auto modulus = static_cast<std::uint32_t>(*asked.modulus);
      figure.ours = valueOf(rowOf(modulus, study.addressBits), asked.what);
    } else if (asked.atMost) {
      figure.ours = std::count_if(rows.begin(), rows.end(), [&](const ModulusRow& row) {
        return value(row) <= *asked.atMost;
      });
    } else {
      for (const ModulusRow& row : rows) {
        if (value(row) <= *asked.over) continue;
        figure.oursText += (figure.oursText.empty() ? "" : " ") + std::to_string(row.modulus);
      }
      if (figure.oursText.empty()) figure.oursText = "none";
    }
    if (!asked.note.empty()) figure.note = asked.note;
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace fermata::platforms
