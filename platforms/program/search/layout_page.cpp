#include <fermata/platforms/program/search/layout_page.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/report/page_text.h>
#include <fermata/platforms/program/search/element_names.h>
#include <fermata/platforms/program/search/lane_grid.h>
#include <fermata/platforms/program/search/layout_limits.h>
#include <fermata/platforms/program/search/mapping_notations.h>
#include <fermata/platforms/program/search/search_advice.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fermata::platforms {

namespace {

constexpr std::size_t kMostGroups = 16;                ///< lane groups that are drawn of an access
constexpr std::size_t kLanesInView = 32;               ///< lanes of an access that are not folded
constexpr std::uint64_t kMostCounted = 1'000'000'000;  ///< mappings that are worth a number

/// Accesses as they were described, and their lane groups.
struct Described {
  std::string text;
  std::vector<AskedGroup> groups;
  ElementNaming name;
};

std::vector<Described> describedBy(const SearchRequest& request, const SearchReport& report) {
  const PlatformParameters& platform = report.configuration.parameters();
  std::vector<Described> all;
  for (const std::string& text : request.accessTexts)
    all.push_back({text, matrixGroups(text, report.shape.words, platform), matrixElements(text)});
  for (std::size_t i = 0; i < request.layouts.size(); ++i) {
    const std::string& layout = request.layouts[i];
    const std::string& atom = atomOf(request, i);
    all.push_back({layout + ", " + atom,
                   layoutGroups(layout, atom, request.elementBytes, report.shape.words, platform),
                   layoutElements(layout, atom, request.elementBytes, report.shape.wordBytes)});
  }
  return all;
}

std::string passesText(const std::vector<AskedGroup>& groups, const indexing::Indexer& mapping) {
  std::uint64_t passes = 0;
  for (const AskedGroup& group : groups) passes += passesOf(group, mapping).passes;
  return fmt::format("{} pass{} for {} lane group{}", passes, passes == 1 ? "" : "es",
                     groups.size(), groups.size() == 1 ? "" : "s");
}

std::size_t lanesOf(const AskedGroup& group) {
  std::size_t lanes = 0;
  for (std::size_t i = 0; i < group.words.size(); ++i)
    lanes += i == 0 || group.words[i].lane != group.words[i - 1].lane ? 1 : 0;
  return lanes;
}

std::string moreGroups(std::size_t count) {
  return fmt::format("{} more lane group{}", count, count == 1 ? "" : "s");
}

/// Draws lane groups: in view while they have few lanes, then to be unfolded, at most kMostGroups.
std::string gridsOf(const Described& access, const indexing::Indexer& mapping) {
  std::string text = fmt::format("<h3><code>{}</code>: {}</h3>\n", forHtml(access.text),
                                 passesText(access.groups, mapping));
  const std::size_t drawn = std::min(access.groups.size(), kMostGroups);
  std::size_t lanes = 0;
  bool folded = false;
  for (std::size_t i = 0; i < drawn; ++i) {
    if (!folded && lanes >= kLanesInView) {
      folded = true;
      text += fmt::format("<details><summary>{}</summary>\n", moreGroups(drawn - i));
    }
    text += laneGrid(access.groups[i], mapping, access.name);
    lanes += lanesOf(access.groups[i]);
  }
  if (folded) text += "</details>\n";
  if (drawn < access.groups.size())
    text += fmt::format("<p class=\"how\">{} {} not drawn.</p>\n",
                        moreGroups(access.groups.size() - drawn),
                        access.groups.size() - drawn == 1 ? "is" : "are");
  return text;
}

std::string gridsOf(const std::vector<Described>& accesses, const indexing::Indexer& mapping) {
  std::string text;
  for (const Described& access : accesses) text += gridsOf(access, mapping);
  return text;
}

std::string conflictsText(const SearchReport& report) {
  return (report.estimates() ? "~" : "") + plural(report.before, "conflict");
}

/// Returns what a search says of a mapping: conflicts, cost and how it was proved.
std::string factsOf(const SearchReport& report, const SearchRow& row) {
  const search::Found& found = row.found;
  std::string text = fmt::format(
      "<p>{} of {} left; cost: {}. Found by the {} search of class {} among {}: {}. The mapping is "
      "one to one.</p>\n",
      counted(report, row.after), conflictsText(report), forHtml(costText(report, row)),
      search::name(found.method), search::name(found.mappingClass),
      found.candidates < kMostCounted ? plural(found.candidates, "mapping") : "all mappings",
      forHtml(proofText(found)));
  if (!found.searched.empty()) text += "<p>Searched: " + forHtml(found.searched) + ".</p>\n";
  return text;
}

/// Returns a mapping in the notations of kernel authors. `banks`: those of the memory as it is.
std::string formulaOf(const SearchRequest& request, const indexing::Indexer& mapping,
                      std::uint32_t banks) {
  return fmt::format("<pre>{}</pre>\n", forHtml(linesOf(mappingNotations(request, mapping, banks))));
}

/// Best mapping of a kind.
struct Kind {
  const char* id;
  const char* kind;
  const SearchRow* row;

  /// Returns "in the kernel, swizzle".
  std::string name() const { return fmt::format("{}, {}", platforms::name(row->where()), kind); }
};

/// Returns the kinds that were searched. The best mapping of all comes first.
std::vector<Kind> kindsOf(const SearchReport& report) {
  std::vector<Kind> kinds{{"swizzle", "swizzle", report.bestSwizzle()},
                          {"padding", "padding", report.bestPadding()},
                          {"hash", "XOR hash", report.bestHash()},
                          {"modulus", "modulus", report.bestModulus()}};
  const auto found = [](const Kind& kind) { return kind.row != nullptr; };
  kinds.erase(std::stable_partition(kinds.begin(), kinds.end(), found), kinds.end());
  const SearchRow* const best = report.best();
  std::stable_partition(kinds.begin(), kinds.end(),
                        [&](const Kind& kind) { return kind.row == best; });
  return kinds;
}

/// Returns the best mapping in the kernel beside the best in hardware, with the conflicts of each.
std::string bestOf(const SearchReport& report) {
  std::string text;
  for (const MadeIn where : {MadeIn::Kernel, MadeIn::Hardware}) {
    const SearchRow* const row = report.bestIn(where);
    if (row == nullptr) continue;
    text += fmt::format("<li>Best {}: <code>{}</code>, {} of {} left.</li>\n", name(where),
                        forHtml(row->found.mapping), counted(report, row->after),
                        conflictsText(report));
  }
  return text.empty() ? "" : "<ul>\n" + text + "</ul>\n";
}

/// Returns the choice of the kind that is shown. A browser without :has() shows all.
std::string choiceOf(const SearchReport& report, const std::vector<Kind>& kinds) {
  if (kinds.empty()) return "";
  std::string text = "<fieldset class=\"kinds\"><legend>Best mapping of each kind</legend>\n";
  for (const Kind& kind : kinds) {
    text += fmt::format(
        "<label><input type=\"radio\" name=\"kind\" id=\"kind-{}\"{}> {} <code>{}</code>: {} of {} "
        "left</label>\n",
        kind.id, &kind == kinds.data() ? " checked" : "", kind.name(),
        forHtml(kind.row->found.mapping), counted(report, kind.row->after), conflictsText(report));
  }
  return text + "</fieldset>\n";
}

std::string pageOf(const std::string& title, const std::string& lead, const std::string& command,
                   const std::string& sections) {
  return filled(pagePart("layout.html"), {{"style", pagePart("page.css")},
                                          {"title", forHtml(title)},
                                          {"lead", lead},
                                          {"command", command},
                                          {"sections", sections}});
}

/// Returns how pictures and formulas are read. `cells`: what a cell names.
std::string how(const std::string& cells) {
  return fmt::format(
      "<p class=\"how\">{} A small number behind it is the pass that brings it; without one it "
      "comes "
      "in the first. In the formulas, i is the index of an element, and bank is the bank of word "
      "w, "
      "in C with unsigned w.</p>\n",
      cells);
}

/// Returns what a cell names on the page of a search.
std::string cellsText(const SearchRequest& request) {
  std::string text;
  if (!request.layouts.empty())
    text +=
        "A cell names an element by its coordinates in the layout, (row,column) with two modes; +n "
        "is the n-th element behind it. ";
  if (!request.accessTexts.empty())
    text += "A cell of a matrix names a word by row and column of its array. ";
  return text + "Its row is the lane that asks for it; point at it for its number.";
}

}  // namespace

void checkLayoutPage(const SearchRequest& request) {
  if (request.workloads.empty() && request.accessFiles.empty()) return;
  refuse(
      "--html draws lanes, which only layouts and matrices have; expected --layout or --access "
      "alone");
}

std::string layoutPage(const SearchRequest& request, const SearchReport& report) {
  const std::vector<Described> accesses = describedBy(request, report);
  const auto drawn = [&](const std::string& text) {
    const auto mapping = indexing::build(text, report.shape);
    return formulaOf(request, *mapping, report.shape.banks) + gridsOf(accesses, *mapping);
  };
  const std::vector<Kind> kinds = kindsOf(report);
  std::string sections = how(cellsText(request)) + bestOf(report) + choiceOf(report, kinds);
  sections += fmt::format("<section>\n<h2>Before: <code>{}</code></h2>\n<p>{}.</p>\n{}</section>\n",
                          forHtml(report.baseline), conflictsText(report), drawn(report.baseline));
  for (const Kind& kind : kinds) {
    const std::string& mapping = kind.row->found.mapping;
    sections += fmt::format(
        "<section class=\"kind kind-{}\">\n<h2>After, {}: <code>{}</code></h2>\n{}</section>\n",
        kind.id, kind.name(), forHtml(mapping), factsOf(report, *kind.row) + drawn(mapping));
  }
  const std::string lead =
      fmt::format("On {}: {} banks of {} bytes, elements of {}.",
                  forHtml(report.configuration.parameters().name), report.shape.banks,
                  report.shape.wordBytes, plural(request.elementBytes, "byte"));
  return pageOf(fmt::format("{}", fmt::join(report.collected.sources, ", ")), lead, "search",
                sections);
}

std::string accessPage(const indexing::Indexer& mapping, const AskedGroup& group,
                       const std::string& access) {
  const std::vector<Described> accesses{{access, {group}, wordNumbers()}};
  SearchRequest words;  // elements are words
  words.elementBytes = mapping.shape().wordBytes;
  indexing::Shape shape = mapping.shape();
  while ((shape.banks & (shape.banks - 1)) != 0) shape.banks &= shape.banks - 1;
  const auto section = [&](const std::string& heading, const indexing::Indexer& drawn) {
    return fmt::format("<section>\n<h2>{}<code>{}</code></h2>\n{}</section>\n", heading,
                       forHtml(drawn.text()),
                       formulaOf(words, drawn, shape.banks) + gridsOf(accesses, drawn));
  };
  const auto plain = indexing::build(fmt::format("mod {}", shape.banks), shape);
  std::string sections =
      how("A cell holds the number of a word. Its row is the lane that asks for it.");
  if (mapping.text() != plain->text()) sections += section("Before: ", *plain);
  sections += section("", mapping);
  const std::string lead = "Words of one access, lanes by banks.";
  return pageOf(access + " under " + mapping.text(), lead, "map", sections);
}

}  // namespace fermata::platforms
