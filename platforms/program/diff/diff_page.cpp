#include <fermata/platforms/program/diff/diff_page.h>

#include <fermata/platforms/program/report/page_text.h>

#include <fmt/format.h>

namespace fermata::platforms {

namespace {

constexpr std::size_t kMost = 200;  ///< rows of a table

std::string tableOf(const DiffView& view) {
  std::string text = "<div class=\"table\"><table><thead><tr>";
  const auto cell = [&](const char* tag, std::size_t column, const std::string& content) {
    text += fmt::format("<{0}{1}>{2}</{0}>", tag,
                        view.columns[column].isText ? "" : " class=\"number\"", forHtml(content));
  };
  for (std::size_t i = 0; i < view.columns.size(); ++i) cell("th", i, view.columns[i].heading);
  text += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : view.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) cell("td", i, row[i]);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string changesOf(const FolderDiff& diff) {
  std::string text;
  for (const ChangedColumn& column : diff.runs.changed)
    text += fmt::format("<li>{}: <code>{}</code> in A, <code>{}</code> in B</li>\n",
                        forHtml(column.name), forHtml(column.a), forHtml(column.b));
  if (!diff.runs.onlyA.empty())
    text += fmt::format("<li>{} runs are in A only</li>\n", diff.runs.onlyA.size());
  if (!diff.runs.onlyB.empty())
    text += fmt::format("<li>{} runs are in B only</li>\n", diff.runs.onlyB.size());
  return text.empty() ? text : "<ul>\n" + text + "</ul>\n";
}

}  // namespace

std::string diffPage(const FolderDiff& diff) {
  std::string sections;
  for (const DiffView& view : viewsOf(diff, kMost)) {
    sections += fmt::format("<section><h2>{}</h2>\n{}", forHtml(view.title), tableOf(view));
    if (view.left != 0)
      sections += fmt::format("<p class=\"how\">{} more differ less.</p>\n", view.left);
    sections += "</section>\n";
  }
  return filled(pagePart("diff.html"), {{"style", pagePart("page.css")},
                                        {"a", forHtml(diff.nameA)},
                                        {"b", forHtml(diff.nameB)},
                                        {"changes", changesOf(diff)},
                                        {"sections", sections}});
}

}  // namespace fermata::platforms
