#include <fermata/platforms/compose/field.h>

#include <fermata/platforms/compose/parameters.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace fermata::platforms {

namespace {

constexpr const char* kAuto = "auto";

/// Collects the fields of describe().
class Collector {
 public:
  template <class Number>
  void operator()(const char* path, Number& number, const char* unit, Range range,
                  const char* meaning) {
    fields.push_back({path, &number, unit, range, meaning});
  }
  void operator()(const char* path, std::string& text, const char* meaning) {
    fields.push_back({path, &text, "", {}, meaning});
  }
  template <class Choice>
  void operator()(const char* path, Choice& choice, const char* meaning) {
    add(
        path, meaning, "one of " + choiceNames<Choice>(),
        [&choice] { return std::string(choiceName(choice)); },
        [&choice](const std::string& name) -> Refusal {
          if (choose(choice, name)) return std::nullopt;
          return "";
        });
  }
  void operator()(const char* path, LaneGroups& groups, const char* meaning) {
    add(
        path, meaning, kGroups, [&groups] { return groups.text(); },
        [&groups](const std::string& text) { return take(text, groups); });
  }
  void operator()(const char* path, std::optional<LaneGroups>& groups, const char* meaning) {
    add(
        path, meaning, kGroups + std::string("; or an empty text"),
        [&groups] { return groups ? groups->text() : std::string(); },
        [&groups](const std::string& text) -> Refusal {
          if (text.empty()) return groups.reset(), std::nullopt;
          return take(text, groups.emplace(groups.value_or(LaneGroups())));
        });
  }
  void operator()(const char* path, LanePacking& packing, const char* meaning) {
    add(
        path, meaning, "distances of lanes, as \"1,2\", or an empty text",
        [&packing] { return packing.text(); },
        [&packing](const std::string& text) -> Refusal {
          std::string wrong = LanePacking::read(text, packing);
          return wrong.empty() ? Refusal() : Refusal(std::move(wrong));
        });
  }
  void operator()(const char* path, AtomicForms& forms, const char* meaning) {
    add(
        path, meaning, "names separated by blanks: " + choiceNames<AtomicForm>(),
        [&forms] { return forms.text(); },
        [&forms](const std::string& text) -> Refusal {
          std::string wrong = AtomicForms::read(text, forms);
          return wrong.empty() ? Refusal() : Refusal(std::move(wrong));
        });
  }
  void operator()(const char* path, bool& flag, const char* meaning) {
    fields.push_back({path, &flag, "", {}, meaning});
  }
  std::vector<Field> fields;

  Collector() { fields.reserve(kMostFields); }

 private:
  static constexpr std::size_t kMostFields = 256;  ///< more only cost time
  using Refusal = std::optional<std::string>;
  static constexpr const char* kGroups =
      "every lane from 0 to 31 in one group, as \"0-15|16-31\" or \"0-3,20-23|4-19|24-31\", or "
      "every lane from 0 to 63, those above 31 as those below, as \"0-31|32-63\" or \"0-63\"";

  static Refusal take(const std::string& text, LaneGroups& groups) {
    std::string wrong = LaneGroups::read(text, groups);
    return wrong.empty() ? Refusal() : Refusal(std::move(wrong));
  }
  template <class Text, class Take>
  void add(const char* path, const char* meaning, std::string expected, Text text, Take take) {
    fields.push_back({path, TextTarget{text, take, std::move(expected)}, "", {}, meaning});
  }
};

/// Parses the whole text as a number; false if it is not one.
template <class Number>
bool parse(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end;
}

}  // namespace

std::string tomlText(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::vector<Field> fieldsOf(PlatformParameters& parameters) {
  Collector collector;
  describe(parameters, collector);
  return std::move(collector.fields);
}

const Field* findField(const std::vector<Field>& fields, const std::string& path) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.path == path; });
  return found == fields.end() ? nullptr : &*found;
}

bool Field::isText() const {
  if (const auto* automatic = std::get_if<Automatic*>(&target)) return !(*automatic)->has_value();
  return std::holds_alternative<std::string*>(target) || std::holds_alternative<TextTarget>(target);
}

std::string Field::expected() const {
  const std::string in = unit.empty() ? "" : " (" + unit + ")";
  if (std::holds_alternative<std::string*>(target)) return "a text";
  if (const auto* text = std::get_if<TextTarget>(&target)) return text->expected;
  if (std::holds_alternative<bool*>(target)) return "true or false";
  const bool real = std::holds_alternative<double*>(target);
  return fmt::format("{}{} from {} to {}{}{}", real ? "a number" : "an integer",
                     range.powerOfTwo ? " that is a power of two" : "", range.least, range.most, in,
                     std::holds_alternative<Automatic*>(target) ? ", or auto" : "");
}

std::string Field::assign(std::int64_t value) const {
  if (std::holds_alternative<double*>(target)) return assign(static_cast<double>(value));
  const auto* slot = std::get_if<std::uint32_t*>(&target);
  const auto* automatic = std::get_if<Automatic*>(&target);
  const auto real = static_cast<double>(value);
  if ((slot == nullptr && automatic == nullptr) || !range.holds(real))
    return fmt::format("{} = {}; expected {}", path, value, expected());
  if (slot != nullptr) {
    **slot = static_cast<std::uint32_t>(value);
  } else {
    **automatic = static_cast<std::uint32_t>(value);
  }
  return "";
}

std::string Field::assign(double value) const {
  const auto* slot = std::get_if<double*>(&target);
  if (slot == nullptr || !std::isfinite(value) || !range.holds(value))
    return fmt::format("{} = {}; expected {}", path, value, expected());
  **slot = value;
  return "";
}

std::string Field::assign(const std::string& value) const {
  if (const auto* slot = std::get_if<std::string*>(&target)) {
    **slot = value;
    return "";
  }
  if (const auto* automatic = std::get_if<Automatic*>(&target)) {
    if (value == kAuto) return (*automatic)->reset(), "";
  }
  const auto* text = std::get_if<TextTarget>(&target);
  const auto wrong = text == nullptr ? std::optional<std::string>("") : text->take(value);
  if (!wrong) return "";
  return fmt::format("{} = \"{}\"{}{}; expected {}", path, value, wrong->empty() ? "" : ": ",
                     *wrong, expected());
}

std::string Field::assign(bool value) const {
  const auto* slot = std::get_if<bool*>(&target);
  if (slot == nullptr) return fmt::format("{} = {}; expected {}", path, value, expected());
  **slot = value;
  return "";
}

std::string Field::assignText(const std::string& text) const {
  const bool automatic = std::holds_alternative<Automatic*>(target);
  if (automatic ? text == kAuto : isText()) return assign(text);
  if (std::holds_alternative<bool*>(target) && (text == "true" || text == "false"))
    return assign(text == "true");
  if (std::int64_t integer = 0; parse(text, integer)) return assign(integer);
  if (double real = 0; std::holds_alternative<double*>(target) && parse(text, real))
    return assign(real);
  return fmt::format("{} = '{}'; expected {}", path, text, expected());
}

std::string Field::plainValue() const {
  return std::visit(
      [](const auto& value) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, TextTarget>) {
          return value.text();
        } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Automatic*>) {
          return *value ? std::to_string(**value) : kAuto;
        } else {
          return fmt::format("{}", *value);
        }
      },
      target);
}

std::string Field::tomlValue() const {
  if (isText()) return tomlText(plainValue());
  return plainValue();
}

}  // namespace fermata::platforms
