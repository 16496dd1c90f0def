// A line has the same fields on the short path and by libcsv.
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/traces/csv_rows.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows read(const std::string& text) {
  traces::CsvRows csv(std::make_unique<std::istringstream>(text), "fields.csv");
  Rows rows;
  while (csv.next()) {
    std::vector<std::string>& row = rows.emplace_back();
    for (std::size_t field = 0; field < csv.size(); ++field) row.emplace_back(csv[field]);
  }
  return rows;
}

/// Returns the fields in quotes, which the short path does not handle.
std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) all += c == ',' ? "\",\"" : c == '\n' ? "\"\n\"" : std::string(1, c);
  all.resize(all.size() - 1);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(csv_fields)

BOOST_AUTO_TEST_CASE(quotes_change_nothing) {
  const std::string text = "a,b\n,\nx\n,,\n1;2,,f,\n\xc3\xa4,=\n";
  const Rows expected{{"a", "b"},           {"", ""},         {"x"}, {"", "", ""},
                      {"1;2", "", "f", ""}, {"\xc3\xa4", "="}};
  BOOST_TEST((read(text) == expected));
  BOOST_TEST((read(quoted(text)) == expected));
}

BOOST_AUTO_TEST_CASE(line_ends_and_a_byte_order_mark_change_nothing) {
  const Rows expected{{"a", "b"}, {"c", ""}};
  for (const char* const text : {"a,b\nc,\n", "a,b\r\nc,\r\n", "a,b\nc,", "a,b\nc,\r",
                                 "\xef\xbb\xbf"
                                 "a,b\n\nc,\n"}) {
    BOOST_TEST((read(text) == expected));
  }
}

BOOST_AUTO_TEST_CASE(a_file_without_a_row_has_none) {
  for (const char* const text : {"", "\n", "\r\n\n", "\xef\xbb\xbf", "\xef\xbb\xbf\n"}) {
    BOOST_TEST(read(text).empty());
  }
}

BOOST_AUTO_TEST_CASE(both_ways_take_as_many_fields) {
  const std::string most(traces::CsvRows::kMaxFields - 1, ',');
  BOOST_TEST(read(most + "\n").front().size() == traces::CsvRows::kMaxFields);
  BOOST_TEST(read(quoted(most + "\n")).front().size() == traces::CsvRows::kMaxFields);
  BOOST_CHECK_THROW(read(most + ",\n"), InputError);
  BOOST_CHECK_THROW(read(quoted(most + ",\n")), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
