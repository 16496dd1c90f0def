#include "tests/results/support.h"

#include <csv.h>

namespace fermata::results::test {
namespace {

struct Reader {
  CsvRows rows;
  std::vector<std::string> row;
};

}  // namespace

CsvRows parseCsv(const std::string& bytes) {
  csv_parser parser;
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::runtime_error("csv_init");
  // libcsv trims spaces around unquoted fields; in RFC 4180 they belong to the field.
  csv_set_space_func(&parser, [](unsigned char) { return 0; });
  Reader reader;
  const auto field = [](void* text, std::size_t size, void* to) {
    static_cast<Reader*>(to)->row.emplace_back(static_cast<const char*>(text), size);
  };
  const auto line = [](int, void* to) {
    auto& r = *static_cast<Reader*>(to);
    r.rows.push_back(std::move(r.row));
    r.row.clear();
  };
  const std::size_t used = csv_parse(&parser, bytes.data(), bytes.size(), field, line, &reader);
  const bool good = used == bytes.size() && csv_fini(&parser, field, line, &reader) == 0;
  csv_free(&parser);
  if (!good) throw std::runtime_error("not CSV: " + bytes);
  return reader.rows;
}

}  // namespace fermata::results::test
