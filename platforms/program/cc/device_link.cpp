#include <fermata/platforms/program/cc/device_link.h>

#include <map>

#include <fermata/stimuli/ptx/linker.h>

namespace fermata::platforms {

namespace {

constexpr const char* kHead = R"(
struct Binary { int magic, version; const char* data; void* file; };
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaRegisterUnit(void**, const char* const*, void (*)(void**));
extern const char fermata_linked_code[] __attribute__((visibility("hidden")));
static struct Binary binary = {0x466243b1, 1, fermata_linked_code, 0};
static void** program(void) {
  static void** handle = 0;
  if (handle == 0) handle = __cudaRegisterFatBinary(&binary);
  return handle;
}
__attribute__((constructor)) static void end(void) { __cudaRegisterFatBinaryEnd(program()); }
)";

/// Returns the function that the object of a unit calls before main. `renamed` pairs the names that
/// it registers with those of the linked code.
std::string registration(const std::string& id, const std::map<std::string, std::string>& renamed) {
  std::string text =
      "__attribute__((visibility(\"hidden\"))) void __cudaRegisterLinkedBinary__nv_" + id +
      "(void (*globals)(void**)) {\n  static const char* const names[] = {";
  for (const auto& [from, to] : renamed) text += "\"" + from + "\", \"" + to + "\", ";
  return text + "0};\n  __cudaRegisterUnit(program(), names, globals);\n}\n";
}

}  // namespace

DeviceLink linkDevice(const std::vector<DeviceUnit>& units, const std::filesystem::path& ptxPath) {
  std::vector<ptx::LinkUnit> texts;
  for (const DeviceUnit& unit : units) texts.push_back({unit.ptx, unit.file, unit.ofLibrary});
  const ptx::LinkedModule linked = ptx::link(texts);
  DeviceLink made;
  made.ptx = markedLink(units, linked.text);
  made.source = "__asm__(\".section .nv_fatbin,\\\"a\\\"\\nfermata_linked_code: .incbin \\\"" +
                ptxPath.string() + "\\\"\\n.byte 0\\n.previous\\n\");\n" + kHead;
  for (std::size_t k = 0; k < units.size(); ++k)
    made.source += registration(units[k].id, linked.renamed[k]);
  return made;
}

}  // namespace fermata::platforms
