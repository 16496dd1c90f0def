#include "tests/timeline/trace.h"

#include "tests/support/csv_columns.h"

namespace fermata::test {
std::ostream& operator<<(std::ostream& out, const Slice& s) {
  return out << s.name << " [" << s.from << ", " << s.to << ") " << s.number << ' ' << s.source
             << " flow " << s.flow << " since " << s.since << (s.goesOn ? " goes on" : "");
}

std::uint64_t Trace::sum(const std::string& part, const std::string& name) const {
  std::uint64_t sum = 0;
  for (const auto& [track, all] : instants) {
    if (!has(track, part)) continue;
    for (const Instant& instant : all) sum += instant.name == name ? instant.number : 0;
  }
  return sum;
}

std::uint64_t Trace::count(const std::string& part, const std::string& name) const {
  std::uint64_t sum = 0;
  eachSlice(part, [&](const Slice& slice) { sum += slice.name.rfind(name, 0) == 0 ? 1U : 0U; });
  return sum;
}

Trace readTrace(const fs::path& file) {
  const std::string text =
      runShell("'" FERMATA_PERFETTO_PYTHON "' '" FERMATA_SOURCE_DIR
               "/tests/timeline/read_perfetto.py' '" FERMATA_PERFETTO_FOLDER "' '" +
               file.string() + "'")
          .ok()
          .text;
  Trace trace;
  std::map<std::string, std::optional<Slice>> open;
  for (const std::string& line : linesOf(text)) {
    const std::vector<std::string> field = cellsOf(line, '\t');
    const std::string& track = field.at(2);
    const std::uint64_t at = std::stoull(field.at(1));
    std::optional<Slice>& slice = open[track];
    if (field[0] == "B") {
      BOOST_TEST_REQUIRE(!slice.has_value(), "two slices at once: " << line);
      slice = Slice{at,          at,
                    field.at(3), std::stoull(field.at(4)),
                    field.at(5), std::stoull(field.at(6)),
                    field.at(8), false};
    } else if (field[0] == "E") {
      BOOST_TEST_REQUIRE(slice.has_value(), "an end without a begin: " << line);
      slice->to = at;
      slice->goesOn = field.at(3) == "1";
      BOOST_TEST_REQUIRE((slice->from < at), "an empty slice: " << line);
      trace.slices[track].push_back(*slice);
      slice.reset();
    } else if (field[0] == "I") {
      trace.instants[track].push_back({at, field.at(3), std::stoull(field.at(4)),
                                       std::stoull(field.at(6)), field.at(7) == "1"});
    } else {
      trace.values[track].push_back({at, std::stod(field.at(3))});
    }
  }
  for (const auto& [track, slice] : open)
    BOOST_TEST(!slice.has_value(), "a slice without an end on " << track);
  return trace;
}

}  // namespace fermata::test
