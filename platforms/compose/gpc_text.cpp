#include <fermata/platforms/compose/gpc_text.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/stimuli/refuse.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numeric>
#include <optional>
#include <sstream>

namespace fermata::platforms {

namespace {

constexpr unsigned kMostSms = 256;

/// Returns the number that a whole text is, 0 to kMostSms.
std::optional<unsigned> numberIn(const std::string& text) {
  unsigned number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number > kMostSms) return std::nullopt;
  return number;
}

/// Returns the size of a GPC; nothing if `word` is none.
std::optional<Gpcs::Size> sizeIn(const std::string& whole) {
  const std::size_t colon = whole.find(':');
  const std::string word = whole.substr(0, colon);
  if (colon != std::string::npos) {
    const auto part = numberIn(whole.substr(colon + 1));
    auto size = sizeIn(word);
    if (size && part) size->part = *part;
    return part ? size : std::nullopt;
  }
  const std::size_t plus = word.find('+');
  const auto sms = numberIn(word.substr(0, plus));
  if (!sms) return std::nullopt;
  if (plus == std::string::npos)
    return *sms == 0 ? std::nullopt : std::optional<Gpcs::Size>({*sms, 0, {}});
  const auto lone = numberIn(word.substr(plus + 1));
  if (!lone || *lone == 0 || *lone % Gpcs::kTpcSms != 0) return std::nullopt;
  return Gpcs::Size{*sms, *lone, {}};
}

std::vector<std::string> wordsIn(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<Gpcs::Size> sizesIn(const std::string& text) {
  std::vector<Gpcs::Size> sizes;
  for (const std::string& word : wordsIn(text)) sizes.push_back(sizeIn(word).value());
  const bool parts = std::any_of(sizes.begin(), sizes.end(),
                                 [](const Gpcs::Size& size) { return size.part.has_value(); });
  for (Gpcs::Size& size : sizes) {
    if (parts) size.part = size.part.value_or(0);
  }
  return sizes;
}

unsigned smsOf(const std::vector<Gpcs::Size>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0U, [](unsigned sum, const Gpcs::Size& size) {
    return sum + size.sms + size.lone;
  });
}

/// Returns the largest of the GPCs that have `sms` SMs together.
std::vector<Gpcs::Size> partOf(std::vector<Gpcs::Size> sizes, unsigned sms) {
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const Gpcs::Size& a, const Gpcs::Size& b) { return a.sms > b.sms; });
  for (Gpcs::Size& size : sizes) sms -= size.sms = std::min(size.sms, sms);
  for (Gpcs::Size& size : sizes) sms -= size.lone = std::min(size.lone, sms);
  const auto isEmpty = [](const Gpcs::Size& size) { return size.sms + size.lone == 0; };
  sizes.erase(std::remove_if(sizes.begin(), sizes.end(), isEmpty), sizes.end());
  return sizes;
}

}  // namespace

void checkGpcs(const PlatformParameters& p, const PlaceOf& placeOf) {
  for (const std::string& word : wordsIn(p.gpcs)) {
    if (!sizeIn(word))
      refuse(placeOf({"chip.gpcs"}),
             "chip.gpcs = \"{}\": '{}' is no GPC; expected SMs, 1 to {}, or SMs and those of lone "
             "TPCs, an even number, and a partition of the L2 behind a colon, such as 16, 8+8 or "
             "16:1",
             p.gpcs, word, kMostSms);
    const unsigned part = sizeIn(word)->part.value_or(0);
    if (part >= p.interconnect.partitions)
      refuse(placeOf({"chip.gpcs", "l2.partitions"}),
             "chip.gpcs = \"{}\": partition {} of the L2 in '{}', l2.partitions = {}; expected a "
             "lower number",
             p.gpcs, part, word, p.interconnect.partitions);
  }
  const unsigned sms = smsOf(sizesIn(p.gpcs));
  if (sms == 0) return;
  if (p.smsOfChip != 0 && sms != p.smsOfChip)
    refuse(placeOf({"chip.gpcs", "chip.of"}),
           "chip.gpcs = \"{}\" has {} SMs, chip.of = {}; expected as many", p.gpcs, sms,
           p.smsOfChip);
  if (sms < p.sms)
    refuse(placeOf({"chip.gpcs", "chip.sms"}),
           "chip.gpcs = \"{}\" has {} SMs, chip.sms = {}; expected as many or more", p.gpcs, sms,
           p.sms);
}

Gpcs gpcsOf(const PlatformParameters& p) {
  const std::vector<Gpcs::Size> sizes = sizesIn(p.gpcs);
  if (sizes.empty() || p.sms == 1) return {};
  return Gpcs(smsOf(sizes) <= p.sms ? sizes : partOf(sizes, p.sms));
}

}  // namespace fermata::platforms
