#include <fermata/platforms/program/study/study_text.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fermata/platforms/program/study/study_measures.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

std::string shown(std::optional<double> value, Measure measure) {
  if (!value) return "-";
  using Form = MeasureTraits::Form;
  switch (traits(measure).form) {
    case Form::Count:
    case Form::Cycles: {
      const long long whole = std::llround(*value);
      const std::string digits = results::grouped(static_cast<std::uint64_t>(std::llabs(whole)));
      return whole < 0 ? "-" + digits : digits;
    }
    case Form::Factor:
      return results::fixed(*value, 3);
    case Form::Share:
      return results::fixed(*value, 2);
    case Form::Yes:
      return *value == 1 ? "yes" : "no";
    case Form::Percent:
    case Form::Rate:
      break;
  }
  return results::fixed(*value, 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  std::istringstream in(text);
  for (std::string piece; std::getline(in, piece, separator);) pieces.push_back(piece);
  return pieces;
}

}  // namespace fermata::platforms
