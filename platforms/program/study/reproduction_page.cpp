#include <fermata/platforms/program/study/reproduction_page.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/report/page_text.h>
#include <fermata/stimuli/launch/data_directory.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

/// A figure and its study.
struct Row {
  const ReproducedStudy* study;
  const ComparedFigure* figure;
};

constexpr double kNear = 5;  ///< points

/// Returns what figures are sorted by; below 0: there is nothing to compare.
double farOff(const ComparedFigure& figure) {
  constexpr double kOther = 100;  // of a text that differs, and where a share of 0 has no meaning
  return isCompared(figure) ? pointsOff(figure).value_or(kOther) : -1;
}

/// Returns the figures that `belongs` picks, the largest difference first, those without one last.
template <class Belongs>
std::vector<Row> rowsOf(const std::vector<ReproducedStudy>& studies, Belongs belongs) {
  std::vector<Row> rows;
  for (const ReproducedStudy& study : studies) {
    for (const ComparedFigure& figure : study.figures) {
      if (belongs(figure)) rows.push_back({&study, &figure});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return farOff(*a.figure) > farOff(*b.figure);
  });
  return rows;
}

/// Returns ours with the digits that a reader needs.
std::string shortOurs(const ComparedFigure& figure) {
  const bool isNumber = figure.oursText.empty() && figure.ours;
  return isNumber ? fmt::format("{:.4g}", *figure.ours) : oursText(figure);
}

std::string pointsText(const ComparedFigure& figure) {
  const auto points = pointsOff(figure);
  return points ? fmt::format("{:.1f}", *points) : "";
}

std::string cell(const std::string& html, const char* kind) {
  return fmt::format("<td class=\"{}\">{}</td>", kind, html);
}

std::string link(const Study& study) {
  return fmt::format("<a href=\"#{0}\">{0}</a>", forHtml(study.name));
}

/// Returns the reason of a difference and the runs that show it, or the note.
std::string why(const ComparedFigure& figure) {
  std::string text;
  if (!figure.cause.empty())
    text = fmt::format("{} <span class=\"run\">Shown by: {}.</span> ", forHtml(figure.cause),
                       forHtml(figure.shownBy));
  text += forHtml(figure.note);
  return figure.followed.empty() ? text
                                 : "Taken from the paper's table: " + forHtml(figure.followed);
}

std::string tableOf(const std::vector<Row>& rows, bool formula) {
  std::string text = fmt::format(
      "<div class=\"table\"><table><thead><tr><th>study</th><th>figure</th><th>where</th>"
      "<th class=\"number\">{}</th><th class=\"number\">ours</th>{}<th>unit</th><th>cause, and "
      "the run that shows it; note</th></tr></thead>\n<tbody>\n",
      formula ? "formula" : "published",
      formula ? "" : "<th class=\"number\">difference</th><th class=\"number\">points</th>");
  for (const auto& [study, figure] : rows) {
    const std::string source = formula ? csvText(figure->formula) : forHtml(publishedText(*figure));
    text += "<tr>" + cell(link(study->study), "") + cell(forHtml(figureName(*figure)), "long") +
            cell(forHtml(figure->place), "") + cell(source, "number") +
            cell(forHtml(shortOurs(*figure)), "number");
    if (!formula)
      text += cell(differenceText(*figure), "number") + cell(pointsText(*figure), "number");
    text += cell(forHtml(figure->unit), "") + cell(why(*figure), "long") + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

/// Returns the picture of a study as an element of the page; nothing if it has none.
std::string pictureOf(const Study& study, const fs::path& folder) {
  std::ifstream in(folder / study.name / (study.name + ".svg"), std::ios::binary);
  if (!in) return "";
  const std::string svg{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::string base64(4 * ((svg.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(base64.data()),
                                     reinterpret_cast<const unsigned char*>(svg.data()),
                                     static_cast<int>(svg.size()));
  base64.resize(static_cast<std::size_t>(length));
  return fmt::format("<img alt=\"Picture of {}\" src=\"data:image/svg+xml;base64,{}\">\n",
                     forHtml(study.name), base64);
}

std::string sectionOf(const ReproducedStudy& study, const fs::path& folder) {
  const Study& about = study.study;
  std::string text = fmt::format(
      "<section id=\"{0}\"><p class=\"kicker\">{0}</p><h2>{1}</h2>\n<p class=\"how\">{2}</p>\n",
      forHtml(about.name), forHtml(about.title), forHtml(about.source));
  if (!about.note.empty()) text += "<p>" + forHtml(about.note) + "</p>\n";
  if (!study.failure.empty())
    text += "<p class=\"notice\">Not computed: " + forHtml(study.failure) + "</p>\n";
  return text + pictureOf(about, folder) +
         fmt::format("<p class=\"how\"><code>fermata study {}</code></p></section>\n",
                     forHtml(about.name));
}

/// Returns how many figures are within 5 points of the published ones: "3 of 4".
std::string within(const std::vector<Row>& rows) {
  const auto near = std::count_if(rows.begin(), rows.end(),
                                  [](const Row& row) { return farOff(*row.figure) <= kNear; });
  return fmt::format("{} of {}", near, rows.size());
}

std::string stampText(const ReproductionStamp& stamp) {
  return fmt::format("{}, fermata {}, commit {}", stamp.date, stamp.version, stamp.commit);
}

}  // namespace

ReproductionStamp stampOfHere(const std::string& version) {
  std::ifstream in(fs::path(launch::dataDirectory()) / "commit.txt");  // written by the build
  std::string commit;
  if (!(in >> commit)) commit = "unknown";
  return {fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))), version, commit};
}

std::string figuresPage(const std::string& title, const std::string& content,
                        const std::string& csv, const std::vector<ReproducedStudy>& studies,
                        const ReproductionStamp& stamp, const fs::path& folder) {
  std::string sections;
  for (const ReproducedStudy& study : studies) sections += sectionOf(study, folder);
  return filled(pagePart("figures.html"), {{"title", forHtml(title)},
                                           {"style", pagePart("page.css")},
                                           {"stamp", forHtml(stampText(stamp))},
                                           {"content", content},
                                           {"studies", sections},
                                           {"csv", csv}});
}

std::string reproductionCsv(const std::vector<ReproducedStudy>& studies) {
  std::vector<std::string> header{"study", "headline"};
  header.insert(header.end(), figureColumns().begin(), figureColumns().end());
  header.emplace_back("points");
  std::string text = csvLine(header);
  for (const auto& [study, figure] : rowsOf(studies, [](const auto&) { return true; })) {
    std::vector<std::string> line{study->study.name, figure->headline};
    for (std::string& field : figureFields(*figure)) line.push_back(std::move(field));
    line.push_back(csvText(pointsOff(*figure)));
    text += csvLine(line);
  }
  return text;
}

std::string headlines(const std::vector<ReproducedStudy>& studies, const ReproductionStamp& stamp) {
  std::string text =
      "| headline | published | ours | difference | unit | study |\n|---|---|---|---|---|---|\n";
  for (const ReproducedStudy& study : studies) {
    for (const ComparedFigure& figure : study.figures) {
      if (figure.headline.empty()) continue;
      text +=
          fmt::format("| {} | {} | {} | {} | {} | `{}` |\n", figure.headline, publishedText(figure),
                      shortOurs(figure), differenceText(figure), figure.unit, study.study.name);
    }
  }
  const auto compared = rowsOf(studies, isCompared);
  return text + fmt::format("\nWithin 5 points: {} published figures ({}).\n", within(compared),
                            stampText(stamp));
}

std::string reproductionPage(const std::vector<ReproducedStudy>& studies,
                             const ReproductionStamp& stamp, const fs::path& folder) {
  const auto compared = rowsOf(studies, isCompared);
  const auto whole =
      rowsOf(studies, [](const auto& f) { return isCompared(f) && f.workload.empty(); });
  const auto single =
      rowsOf(studies, [](const auto& f) { return isCompared(f) && !f.workload.empty(); });
  const auto best = rowsOf(studies, [](const auto& f) { return !f.headline.empty(); });
  const auto formulas = rowsOf(studies, [](const auto& f) { return f.formula.has_value(); });
  const auto alone = rowsOf(studies, [](const auto& f) { return !isCompared(f) && !f.formula; });
  const std::string content =
      filled(pagePart("reproduction.html"), {{"within", within(compared)},
                                             {"headlines", tableOf(best, false)},
                                             {"figures", tableOf(whole, false)},
                                             {"rows", tableOf(single, false)},
                                             {"formulas", tableOf(formulas, true)},
                                             {"alone", tableOf(alone, false)}});
  return figuresPage("Published figures and Fermata's", content, "reproduction.csv", studies, stamp,
                     folder);
}

}  // namespace fermata::platforms
