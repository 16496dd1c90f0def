#include <fermata/results/csv.h>

#include "tests/results/support.h"

namespace fermata::results::test {

BOOST_AUTO_TEST_SUITE(csv)

BOOST_AUTO_TEST_CASE(a_field_is_quoted_only_when_it_must_be) {
  const struct {
    const char* field;
    const char* written;
  } table[] = {
      {"", ""},
      {"plain", "plain"},
      {" spaces stay ", " spaces stay "},
      {"bits 3,4,0,1,2", "\"bits 3,4,0,1,2\""},
      {"say \"hi\"", "\"say \"\"hi\"\"\""},
      {"\"", "\"\"\"\""},
      {"two\nlines", "two\\nlines"},
      {"carriage\rreturn, tab\t", "\"carriage\\rreturn, tab\\t\""},
      {"\x1b[31m\x7f", "\\x1b[31m\\x7f"},
      {"a=1;b=2", "a=1;b=2"},
      {"M\xc3\xbcller \xe2\x82\xac \xf0\x9f\x8e\xbc",
       "M\xc3\xbcller \xe2\x82\xac \xf0\x9f\x8e\xbc"},
      {"caf\xe9", "caf\\xe9"},
      {"\xc0\xaf", "\\xc0\\xaf"},                    // overlong
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // a surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond U+10FFFF
      {"\xe2\x82", "\\xe2\\x82"},                    // cut short
      {"=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""},
      {"=1+1", "'=1+1"},
      {"+cmd", "'+cmd"},
      {"-cmd", "'-cmd"},
      {"@SUM(A1)", "'@SUM(A1)"},
      {"-", "'-"},
      {"-1.5e3", "-1.5e3"},
      {"+7", "+7"},
      {"-1;2", "'-1;2"},
  };
  for (const auto& entry : table) {
    std::string line = "before,";
    appendField(line, entry.field);
    BOOST_TEST(line == std::string("before,") + entry.written);
  }
}

BOOST_AUTO_TEST_CASE(any_text_reads_back) {
  std::mt19937 random(7);
  const std::string alphabet = "ab,\"\n\r; =\\\xc3";
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<std::string> fields(1 + random() % 4);
    std::string line;
    for (std::string& field : fields) {
      for (unsigned left = random() % 8; left != 0; --left)
        field += alphabet[random() % alphabet.size()];
      if (&field != &fields.front()) line += ',';
      appendExactField(line, field);
    }
    if (line.empty())
      continue;  // a single empty field is an empty line, which CSV reads as no field
    const CsvRows rows = parseCsv(line + "\n");
    BOOST_REQUIRE_EQUAL(rows.size(), 1U);
    BOOST_TEST(rows[0] == fields, tt::per_element());
  }
}

BOOST_AUTO_TEST_CASE(any_name_is_one_line_of_utf8_and_stays_when_written_again) {
  std::mt19937 random(11);
  for (int repeat = 0; repeat < 5000; ++repeat) {
    std::string name;
    for (unsigned left = random() % 8; left != 0; --left) name += static_cast<char>(random() % 256);
    const std::string shown = printable(name);
    BOOST_TEST(printable(shown) == shown);
    std::string once, twice;
    appendField(once, name);
    BOOST_TEST(once.find_first_of("\r\n") == std::string::npos);
    appendField(twice, shown);
    BOOST_TEST(once == twice);
  }
}

BOOST_AUTO_TEST_CASE(numbers_are_shortest) {
  const struct {
    double value;
    const char* written;
  } table[] = {{0.0, "0"},     {1.0, "1"}, {0.1, "0.1"},      {1.0 / 3, "0.3333333333333333"},
               {-2.5, "-2.5"}, {48, "48"}, {1e300, "1e+300"}, {0.1 + 0.2, "0.30000000000000004"},
               {0.75, "0.75"}};
  for (const auto& entry : table) BOOST_TEST(number(entry.value) == entry.written);
}

BOOST_AUTO_TEST_CASE(numbers_read_back_to_the_same_value) {
  std::mt19937_64 random(11);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const std::uint64_t bits = random();
    double value = 0;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    if (value != value || value > std::numeric_limits<double>::max()) continue;
    const double back = std::strtod(number(value).c_str(), nullptr);
    BOOST_REQUIRE(std::memcmp(&back, &value, sizeof value) == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
