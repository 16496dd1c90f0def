#include <fermata/platforms/program/cc/device_objects.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

const std::string kUnitMark = "// fermata cc: relocatable device code of unit ";
const std::string kLinkMark = "// fermata cc: linked device code of units ";
constexpr std::string_view kReference = "__cudaRegisterLinkedBinary";
constexpr std::string_view kNamePrefix = "__nv_";

std::string objectBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool hasStart(const std::string& text, std::string_view start) {
  return text.compare(0, start.size(), start) == 0;
}

/// Returns the archive that -lNAME stands for; empty: it is a shared library, or nowhere.
fs::path archiveOf(const std::string& name, const std::vector<fs::path>& folders) {
  std::error_code error;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / ("lib" + name + ".so"), error)) return {};
    if (fs::is_regular_file(folder / ("lib" + name + ".a"), error))
      return folder / ("lib" + name + ".a");
  }
  return {};
}

std::vector<std::string> idsAt(const std::string& bytes, std::size_t at) {
  std::istringstream line(bytes.substr(at, bytes.find('\n', at) - at));
  return {std::istream_iterator<std::string>(line), {}};
}

void addUnits(const fs::path& path, DeviceObjects& found) {
  const std::string bytes = objectBytes(path);
  for (std::size_t at = 0; (at = bytes.find(kLinkMark, at)) != std::string::npos;) {
    at += kLinkMark.size();
    for (const std::string& id : idsAt(bytes, at)) found.linked.insert(id);
  }
  for (std::size_t at = 0; (at = bytes.find(kUnitMark, at)) != std::string::npos;) {
    const std::size_t begin = at;
    at += kUnitMark.size();
    const std::vector<std::string> ids = idsAt(bytes, at);
    const std::size_t end = bytes.find('\0', at);
    const auto isNew = [&](const DeviceUnit& unit) { return unit.id != ids[0]; };
    if (ids.size() != 1 || end == std::string::npos) continue;
    if (std::all_of(found.units.begin(), found.units.end(), isNew))
      found.units.push_back({ids[0], bytes.substr(begin, end - begin), path.filename().string(),
                             path.extension() == ".a"});
    at = end;
  }
}

}  // namespace

DeviceObjects deviceObjectsIn(const std::vector<std::string>& files) {
  std::vector<fs::path> folders;
  for (const std::string& file : files) {
    if (hasStart(file, "-L")) folders.emplace_back(file.substr(2));
  }
  DeviceObjects found;
  for (const std::string& file : files) {
    fs::path path = hasStart(file, "-l") ? archiveOf(file.substr(2), folders) : fs::path(file);
    if (path.extension() == ".o" || path.extension() == ".a") addUnits(path, found);
  }
  return found;
}

std::string markedUnit(const std::string& id, const std::string& ptx) {
  return kUnitMark + id + "\n" + ptx;
}

std::string markedLink(const std::vector<DeviceUnit>& units, const std::string& ptx) {
  std::string text = kLinkMark;
  for (const DeviceUnit& unit : units) text += unit.id + " ";
  return text + "\n" + ptx;
}

void nameUnit(const fs::path& object, const std::string& id) {
  std::string bytes = objectBytes(object);
  const std::string reference = std::string(kReference) + std::string(kNamePrefix);
  const std::size_t found = bytes.find(reference);
  if (found == std::string::npos)
    refuse("'{}' has no device code to register; expected a .cu that clang-16 compiles",
           object.string());
  const std::size_t digits = found + reference.size();
  const std::size_t count = bytes.find('\0', digits) - digits;
  const std::string old = std::string(kNamePrefix) + bytes.substr(digits, count);
  std::string fresh = id.substr(0, count);
  for (std::size_t at = 0; (at = bytes.find(old, at)) != std::string::npos; at += old.size())
    bytes.replace(at + kNamePrefix.size(), count, fresh);
  // Clang leaves leading zeros out: the id is as long as the name that it replaces.
  fresh.resize(kUnitDigits, ' ');
  const std::string mark = kUnitMark + id;
  const std::size_t marked = bytes.find(mark);
  if (marked != std::string::npos) bytes.replace(marked + kUnitMark.size(), kUnitDigits, fresh);
  std::ofstream(object, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace fermata::platforms
