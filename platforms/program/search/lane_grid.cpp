#include <fermata/platforms/program/search/lane_grid.h>

#include <fermata/platforms/program/report/page_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fermata::platforms {

namespace {

/// Returns the lanes as ranges: "0-7, 16".
std::string rangesOf(const AskedGroup& group) {
  std::string text;
  for (std::size_t i = 0; i < group.words.size();) {
    const std::uint32_t first = group.words[i].lane;
    std::uint32_t last = first;
    for (; i < group.words.size() && group.words[i].lane <= last + 1; ++i)
      last = group.words[i].lane;
    text += (text.empty() ? "" : ", ") + std::to_string(first) +
            (last == first ? "" : '-' + std::to_string(last));
  }
  return text;
}

std::string headOf(const std::vector<std::uint32_t>& passesOfBank) {
  std::string text = "<thead><tr><th scope=\"col\">lane</th>";
  for (std::size_t bank = 0; bank < passesOfBank.size(); ++bank)
    text += fmt::format("<th scope=\"col\"{}>{}</th>",
                        passesOfBank[bank] > 1 ? " class=\"crowded\"" : "", bank);
  return text + "</tr></thead>\n<tbody>\n";
}

/// Words that a lane asks of a bank.
struct Cell {
  std::string shown;
  std::string whole;
  std::uint32_t pass = 0;  ///< the last of them; 0: nothing is asked

  void add(const ElementName& name, std::uint32_t itsPass) {
    shown += (shown.empty() ? "" : ", ") + name.shown;
    whole += (whole.empty() ? "" : "; ") + name.whole;
    pass = std::max(pass, itsPass);
  }
};

std::string textOf(const Cell& cell) {
  if (cell.pass == 0) return "<td></td>";
  return fmt::format("<td class=\"{}\" title=\"{}; pass {}\">{}{}</td>",
                     cell.pass == 1 ? "first" : "late", forHtml(cell.whole), cell.pass,
                     forHtml(cell.shown),
                     cell.pass == 1 ? "" : fmt::format("<sub>{}</sub>", cell.pass));
}

}  // namespace

GroupPasses passesOf(const AskedGroup& group, const indexing::Indexer& mapping) {
  GroupPasses result;
  std::map<std::uint32_t, std::vector<std::uint32_t>> delivered;  // words of a bank, in order
  for (const AskedWord& asked : group.words) {
    const std::uint32_t bank = mapping.location(asked.word).bank;
    std::vector<std::uint32_t>& words = delivered[bank];
    auto at = std::find(words.begin(), words.end(), asked.word);
    if (at == words.end()) at = words.insert(words.end(), asked.word);
    result.bank.push_back(bank);
    result.pass.push_back(static_cast<std::uint32_t>(at - words.begin()) + 1);
    result.passes = std::max(result.passes, result.pass.back());
  }
  return result;
}

std::string laneGrid(const AskedGroup& group, const indexing::Indexer& mapping,
                     const ElementNaming& name) {
  const GroupPasses passes = passesOf(group, mapping);
  const std::uint32_t banks = mapping.shape().banks;
  std::vector<std::uint32_t> ofBank(banks, 0);
  for (std::size_t i = 0; i < passes.bank.size(); ++i)
    ofBank[passes.bank[i]] = std::max(ofBank[passes.bank[i]], passes.pass[i]);
  std::string text = fmt::format(
      "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table "
      "class=\"lanes\"><caption>{0}: {1} pass{2}</caption>\n{3}",
      fmt::format("Warp {}, lanes {}", group.warp, rangesOf(group)), passes.passes,
      passes.passes == 1 ? "" : "es", headOf(ofBank));
  for (std::size_t i = 0; i < group.words.size();) {
    const std::uint32_t lane = group.words[i].lane;
    std::vector<Cell> cells(banks);
    for (; i < group.words.size() && group.words[i].lane == lane; ++i)
      cells[passes.bank[i]].add(name(group.words[i]), passes.pass[i]);
    text += fmt::format("<tr><th scope=\"row\">{}</th>", lane);
    for (const Cell& cell : cells) text += textOf(cell);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace fermata::platforms
