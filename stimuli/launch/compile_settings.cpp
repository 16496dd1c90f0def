#include <fermata/stimuli/launch/compile_settings.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fermata/stimuli/launch/newer_architectures.h>
#include <fermata/stimuli/launch/parameter_reader.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

namespace fs = std::filesystem;

/// Architectures of clang-16 (its --cuda-gpu-arch), from sm_20 to sm_90.
constexpr std::array<std::string_view, 20> kArchitectures = {
    "sm_20", "sm_21", "sm_30", "sm_32", "sm_35", "sm_37", "sm_50", "sm_52", "sm_53", "sm_60",
    "sm_61", "sm_62", "sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90"};

unsigned addressBits(const Expression& bits, const Scope& scope) {
  const std::int64_t value = bits.evaluate(scope);
  if (value != 32 && value != 64)
    refuse(bits.where(), "address_bits is {}; expected 32 or 64", value);
  return static_cast<unsigned>(value);
}

CompileSettings::Word architecture(const Text& arch, const Scope& scope) {
  const std::string name = arch.in(scope);
  const bool known =
      std::find(kArchitectures.begin(), kArchitectures.end(), name) != kArchitectures.end();
  if (known || compiledArchitecture(name) != name) return {name, arch.where};
  std::string list;
  for (const std::string_view each : kArchitectures) {
    list += (list.empty() ? "" : ", ") + std::string(each);
  }
  for (const std::string& each : newerArchitectures()) list += ", " + each;
  refuse(arch.where, "clang-16 does not compile for arch '{}'; expected one of {}, or a .ptx file",
         name, list);
}

CompileSettings::Word includeFolder(const Text& include, const Scope& scope,
                                    const std::string& folder) {
  const std::string path = (fs::path(folder) / include.in(scope)).string();
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    refuse(include.where,
           "'{}' is no folder; expected one that holds headers, relative to the launch file", path);
  }
  return {path, include.where};
}

CompileSettings::Word macro(const Text& define, const Scope& scope) {
  const std::string text = define.in(scope);
  const bool oneLine = text.find_first_of(std::string("\0\r\n", 3)) == std::string::npos;
  if (!oneLine || !isName(text.substr(0, text.find('='))))
    refuse(define.where, "'{}' defines no macro; expected NAME or NAME=value in one line", text);
  return {text, define.where};
}

std::string nameOf(const CompileSettings::Word& macro) {
  return macro.text.substr(0, macro.text.find('='));
}

}  // namespace

CompileSettings planCompilation(const KernelFile& kernel, const Scope& scope,
                                const std::string& folder) {
  CompileSettings settings;
  if (kernel.addressBits) {
    settings.addressBits = addressBits(*kernel.addressBits, scope);
    settings.addressBitsWhere = kernel.addressBits->where();
  }
  if (kernel.arch) settings.arch = architecture(*kernel.arch, scope);
  for (const Text& include : kernel.includes) {
    settings.includes.push_back(includeFolder(include, scope, folder));
  }
  for (const Text& define : kernel.defines) {
    CompileSettings::Word word = macro(define, scope);
    const bool repeated =
        std::any_of(settings.defines.begin(), settings.defines.end(),
                    [&](const auto& other) { return nameOf(other) == nameOf(word); });
    if (repeated)
      refuse(define.where, "'{}' is defined twice; expected one definition", nameOf(word));
    settings.defines.push_back(std::move(word));
  }
  return settings;
}

}  // namespace fermata::launch
