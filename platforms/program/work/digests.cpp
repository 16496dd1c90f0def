#include <fermata/platforms/program/work/digests.h>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/energy/price_table.h>
#include <fermata/stimuli/launch/catalog.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/toml/toml_file.h>
#include <fermata/stimuli/traces/content_hash.h>
#include <fermata/stimuli/traces/sass/kernel_list.h>

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

bool isRegularFile(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

std::string readBytes(const fs::path& file) {
  return readTextFile(file.string(), "cannot read it; expected a readable file");
}

std::string digestOf(const std::set<fs::path>& files) {
  std::string all;
  for (const fs::path& file : files)
    all += file.filename().string() + ' ' + sha256(readBytes(file)) + '\n';
  return sha256(all);
}

/// Adds the files of a folder that a compiler may read.
void addSources(const fs::path& folder, std::set<fs::path>& files) {
  static const std::set<std::string> kSources{".cu", ".cuh", ".h", ".hh", ".hpp", ".inc", ".ptx"};
  std::error_code unknown;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unknown)) {
    if (isRegularFile(entry.path()) && kSources.count(entry.path().extension().string()) != 0)
      files.insert(entry.path());
  }
}

void addNamed(const toml::node& node, const fs::path& folder, std::set<fs::path>& files) {
  if (const auto* table = node.as_table()) {
    for (const auto& [key, inner] : *table) addNamed(inner, folder, files);
  } else if (const auto* array = node.as_array()) {
    for (const toml::node& inner : *array) addNamed(inner, folder, files);
  } else if (const auto* text = node.as_string(); text != nullptr && !text->get().empty()) {
    const fs::path named = folder / text->get();
    std::error_code unknown;
    if (fs::is_directory(named, unknown)) addSources(named, files);
    if (!isRegularFile(named)) return;
    files.insert(named);
    addSources(named.parent_path(), files);
  }
}

/// Hashes a trace, or all traces of a list, piece by piece: they may be larger than the memory.
std::string traceDigest(const std::string& name) {
  std::vector<std::string> files{name};
  if (sass::isListName(name)) {
    for (const auto& kernel : sass::readKernelList(name).kernels) files.push_back(kernel.path);
  }
  std::string all;
  for (const std::string& file : files) {
    const auto hash = traces::hashOfFile(file);
    if (!hash) refuse({file}, "cannot read it; expected a readable file");
    all += fmt::format("{} {:016x}{:016x}\n", fs::path(file).filename().string(), hash->high,
                       hash->low);
  }
  return sha256(all);
}

std::string workloadDigest(const std::string& name) {
  if (sass::isSassName(name)) return traceDigest(name);
  std::set<fs::path> files;
  if (launch::isLaunchPath(name)) {
    files.insert(name);
    const fs::path folder = fs::path(name).parent_path();
    if (fs::path(name).extension() == ".toml")
      addNamed(parseTomlFile(name, "a launch file in TOML"), folder, files);
  } else if (isRegularFile(name)) {
    files.insert(name);
  } else {
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(launch::dataDirectory()) / "cuda")) {
      if (isRegularFile(entry.path())) files.insert(entry.path());
    }
  }
  return digestOf(files);
}

/// Caches a digest function: each name is hashed once.
std::function<std::string(const std::string&)> remembered(
    std::function<std::string(const std::string&)> digest) {
  return [digest = std::move(digest),
          known = std::map<std::string, std::string>()](const std::string& name) mutable {
    const auto [at, isNew] = known.try_emplace(name);
    if (isNew) at->second = digest(name);
    return at->second;
  };
}

}  // namespace

std::string sha256(const std::string& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 fails");
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string keyOf(const KeyedInputs& inputs, const Digests& digests) {
  std::vector<std::string> settings = inputs.settings;
  std::vector<std::string> parameters;
  for (const std::string& assignment : inputs.parameters) {
    const std::size_t value = assignment.find('=') + 1;
    parameters.push_back(assignment.substr(0, value) + digests.value(assignment.substr(value)));
  }
  std::sort(settings.begin(), settings.end());
  std::sort(parameters.begin(), parameters.end());
  const std::string prices = inputs.prices.empty() ? ""
                                                   : fmt::format("prices {} {}\n", inputs.prices,
                                                                 digests.prices(inputs.prices));
  return sha256(fmt::format(
      "{}\nmodel {}\nplatform {} {}\n{}\nworkload {} {}\n{}\n{}", inputs.kind, digests.model,
      inputs.platform, digests.platform(inputs.platform), fmt::join(settings, "\n"),
      inputs.workload, digests.workload(inputs.workload), fmt::join(parameters, "\n"), prices));
}

Digests digestsOfHere() {
  return {sha256(readBytes("/proc/self/exe")),
          remembered([](const std::string& name) { return sha256(openPlatform(name).text()); }),
          remembered(workloadDigest), remembered([](const std::string& value) {
            return isRegularFile(value) ? value + ' ' + sha256(readBytes(value)) : value;
          }),
          remembered([](const std::string& name) {
            return sha256(readBytes(openPriceTable(name).where.file));
          })};
}

}  // namespace fermata::platforms
