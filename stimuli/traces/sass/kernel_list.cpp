#include <fermata/stimuli/traces/sass/kernel_list.h>

#include <charconv>
#include <filesystem>
#include <limits>

#include <fermata/stimuli/traces/sass/access_list.h>
#include <fermata/stimuli/traces/sass/kernel_header.h>

namespace fermata::sass {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCopy = "MemcpyHtoD";
constexpr std::string_view kKernel = "kernel";
constexpr std::string_view kXz = ".xz";
constexpr std::string_view kEndings[] = {".traceg", ".tracez", ".trace", ".memtrace", ".mem"};

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

/// Parses ",0xADDRESS,BYTES" behind the name of a copy.
DeviceBytes copyOf(const TraceLines& lines, std::string_view text) {
  const auto wrong = [&]() {
    lines.fail(text.data(), "'{}'; expected MemcpyHtoD,0xADDRESS,BYTES", lines.text());
  };
  DeviceBytes range;
  range.copied = true;
  if (text.substr(0, 3) != ",0x") wrong();
  const char* const end = text.data() + text.size();
  const auto [comma, error] = std::from_chars(text.data() + 3, end, range.address, 16);
  if (error != std::errc{} || comma == end || *comma != ',') wrong();
  std::uint64_t bytes = 0;
  const auto [stop, wrongBytes] = std::from_chars(comma + 1, end, bytes);
  if (wrongBytes != std::errc{} || stop != end) wrong();
  if (bytes > std::numeric_limits<std::uint64_t>::max() - range.address) wrong();
  range.bytes = bytes;
  return range;
}

/// Returns a file that is there: the named one, or the same packed.
std::string present(const fs::path& named) {
  std::error_code error;
  if (fs::is_regular_file(named, error)) return named.string();
  fs::path packed = named;
  packed += std::string(kXz);
  return fs::is_regular_file(packed, error) ? packed.string() : "";
}

}  // namespace

bool isListName(const std::string& path) {
  return fs::path(path).filename().string().rfind("kernelslist", 0) == 0;
}

std::string withoutSassSuffix(std::string path) {
  std::string bare = path;
  if (endsWith(bare, kXz)) bare.resize(bare.size() - kXz.size());
  for (const std::string_view ending : kEndings) {
    if (endsWith(bare, ending)) return bare.substr(0, bare.size() - ending.size());
  }
  return path;
}

bool isSassName(const std::string& path) {
  return isListName(path) || isAccessListName(path) || withoutSassSuffix(path) != path;
}

KernelList readKernelList(const std::string& path) {
  KernelList list;
  TraceLines lines(openBytes(path), path);
  const fs::path folder = fs::path(path).parent_path();
  while (lines.next()) {
    std::string_view text = lines.text();
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
    if (text.substr(0, kCopy.size()) == kCopy) {
      const DeviceBytes range = copyOf(lines, text.substr(kCopy.size()));
      if (range.bytes != 0) list.copies.push_back(range);
    } else if (text.substr(0, kKernel.size()) == kKernel) {
      const std::string file = present(folder / std::string(text));
      if (file.empty()) {
        list.missing.emplace_back(text);
      } else {
        list.kernels.push_back({file, list.copies.size()});
      }
    }
  }
  if (list.kernels.empty())
    lines.fail(nullptr,
               list.missing.empty()
                   ? "the list names no kernel; expected lines such as kernel-1.traceg"
                   : "no kernel of the list is there; expected their files beside the list");
  return list;
}

std::string architectureOf(const std::string& path) {
  if (isAccessListName(path)) return "";
  const std::string kernel = isListName(path) ? readKernelList(path).kernels.front().path : path;
  TraceLines lines(openBytes(kernel), kernel);
  TraceSettings anything;  // only the architecture is asked for
  anything.shared = anything.registers = 0;
  const std::uint32_t architecture = readHeader(lines, anything).architecture;
  return architecture == 0 ? "" : "sm_" + std::to_string(architecture);
}

}  // namespace fermata::sass
