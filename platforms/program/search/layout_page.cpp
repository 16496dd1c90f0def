#include <fermata/platforms/program/search/layout_page.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/report/page_text.h>
#include <fermata/platforms/program/search/lane_grid.h>
#include <fermata/platforms/program/search/search_advice.h>
#include <fermata/platforms/program/search/search_words.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fermata::platforms {

namespace {

constexpr std::size_t kMostGroups = 16;                ///< lane groups that are drawn of an access
constexpr std::uint64_t kMostCounted = 1'000'000'000;  ///< mappings that are worth a number

/// Accesses as they were described, and their lane groups.
struct Described {
  std::string text;
  std::vector<AskedGroup> groups;
};

std::vector<Described> describedBy(const SearchRequest& request, const SearchReport& report) {
  if (!request.workloads.empty() || !request.accessFiles.empty())
    refuse(
        "--html draws lanes, which only layouts and matrices have; expected --layout or "
        "--access alone");
  const PlatformParameters& platform = report.configuration.parameters();
  std::vector<Described> all;
  for (const std::string& text : request.accessTexts)
    all.push_back({text, matrixGroups(text, report.shape.words, platform)});
  for (std::size_t i = 0; i < request.layouts.size(); ++i) {
    const std::string& atom = request.atoms[request.atoms.size() == 1 ? 0 : i];
    all.push_back({request.layouts[i] + ", " + atom,
                   layoutGroups(request.layouts[i], atom, request.elementBytes, report.shape.words,
                                platform)});
  }
  return all;
}

std::string passesText(const std::vector<AskedGroup>& groups, const indexing::Indexer& mapping) {
  std::uint64_t passes = 0;
  for (const AskedGroup& group : groups) passes += passesOf(group, mapping).passes;
  return fmt::format("{} pass{} for {} lane group{}", passes, passes == 1 ? "" : "es",
                     groups.size(), groups.size() == 1 ? "" : "s");
}

/// `elementBytes`: elements are numbered; a cell names the first one in its word.
std::string gridsOf(const std::vector<Described>& accesses, const indexing::Indexer& mapping,
                    std::uint32_t elementBytes) {
  const std::uint32_t wordBytes = mapping.shape().wordBytes;
  const auto label = [&](std::uint32_t word) {
    return std::to_string(std::uint64_t{word} * wordBytes / elementBytes);
  };
  std::string text;
  for (const Described& access : accesses) {
    text += fmt::format("<h3><code>{}</code>: {}</h3>\n", forHtml(access.text),
                        passesText(access.groups, mapping));
    const std::size_t drawn = std::min(access.groups.size(), kMostGroups);
    for (std::size_t i = 0; i < drawn; ++i) text += laneGrid(access.groups[i], mapping, label);
    if (drawn < access.groups.size())
      text += fmt::format("<p class=\"how\">{} more lane groups are not drawn.</p>\n",
                          access.groups.size() - drawn);
  }
  return text;
}

std::string sectionOf(const std::string& heading, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", heading, body);
}

std::string conflictsText(const SearchReport& report) {
  return (report.estimates() ? "~" : "") + plural(report.before, "conflict");
}

/// Returns what a search says of a mapping: conflicts, cost, how it was proved, and its formula.
std::string factsOf(const SearchRequest& request, const SearchReport& report,
                    const SearchRow& row) {
  const search::Found& found = row.found;
  std::string text = fmt::format(
      "<p>{} of {} left; cost: {}. Found by the {} search of class {} among {}: {}. The mapping is "
      "one to one.</p>\n",
      counted(report, row.after), conflictsText(report), forHtml(costText(report, row)),
      search::name(found.method), search::name(found.mappingClass),
      found.candidates < kMostCounted ? plural(found.candidates, "mapping") : "all mappings",
      forHtml(proofText(found)));
  if (!found.searched.empty()) text += "<p>Searched: " + forHtml(found.searched) + ".</p>\n";
  const std::string words = kernelWords(request, report.shape, found.mapping);
  if (words.empty()) return text + "<p>No index of a kernel computes it: it is hardware.</p>\n";
  return text + fmt::format("<pre>{}</pre>\n", forHtml(words));
}

/// `what`: "element" or "word".
std::string cellsText(const char* what) {
  return fmt::format(
      "A cell holds the number of the {} that the lane asks of the bank. A small number behind it "
      "is "
      "the pass that brings it; without one it comes in the first.",
      what);
}

std::string pageOf(const std::string& title, const std::string& lead, const std::string& command,
                   const std::string& sections) {
  return filled(pagePart("layout.html"), {{"style", pagePart("page.css")},
                                          {"title", forHtml(title)},
                                          {"lead", lead},
                                          {"command", command},
                                          {"sections", sections}});
}

}  // namespace

std::string layoutPage(const SearchRequest& request, const SearchReport& report) {
  const std::vector<Described> accesses = describedBy(request, report);
  const auto drawn = [&](const std::string& mapping) {
    return gridsOf(accesses, *indexing::build(mapping, report.shape), request.elementBytes);
  };
  std::string sections =
      sectionOf("Before: <code>" + forHtml(report.baseline) + "</code>",
                "<p>" + conflictsText(report) + ".</p>\n" + drawn(report.baseline));
  for (const auto& [kind, row] :
       {std::pair("swizzle", report.bestSwizzle()), std::pair("padding", report.bestPadding()),
        std::pair("XOR hash", report.bestHash()), std::pair("modulus", report.bestModulus())}) {
    if (row == nullptr) continue;
    sections +=
        sectionOf(fmt::format("After, {}: <code>{}</code>", kind, forHtml(row->found.mapping)),
                  factsOf(request, report, *row) + drawn(row->found.mapping));
  }
  const std::string lead =
      fmt::format("On {}: {} banks of {} bytes, elements of {} bytes. {}",
                  forHtml(report.configuration.parameters().name), report.shape.banks,
                  report.shape.wordBytes, request.elementBytes, cellsText("element"));
  return pageOf(fmt::format("{}", fmt::join(report.collected.sources, ", ")), lead, "search",
                sections);
}

std::string accessPage(const indexing::Indexer& mapping, const AskedGroup& group,
                       const std::string& access) {
  const std::vector<Described> accesses{{access, {group}}};
  const std::uint32_t wordBytes = mapping.shape().wordBytes;
  indexing::Shape shape = mapping.shape();
  while ((shape.banks & (shape.banks - 1)) != 0) shape.banks &= shape.banks - 1;
  const std::string plain = fmt::format("mod {}", shape.banks);
  std::string sections;
  if (mapping.text() != plain)
    sections += sectionOf("Before: <code>" + plain + "</code>",
                          gridsOf(accesses, *indexing::build(plain, shape), wordBytes));
  sections += sectionOf("<code>" + forHtml(mapping.text()) + "</code>",
                        gridsOf(accesses, mapping, wordBytes));
  const std::string lead = cellsText("word");
  return pageOf(access + " under " + mapping.text(), lead, "map", sections);
}

}  // namespace fermata::platforms
