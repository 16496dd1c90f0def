// The driver interface: linking of PTX texts, and of the device code in objects and archives of
// `fermata cc -dc`, to a module.
#include <fermata/platforms/cudart/driver.h>
#include <fermata/platforms/program/cc/device_objects.h>
#include <fermata/stimuli/ptx/linker.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace fermata::cudart;

struct CUlinkState_st {
  std::vector<fermata::ptx::LinkUnit> units;
  std::string linked;
};

namespace {

std::set<CUlinkState>& links() {
  static auto* const all = new std::set<CUlinkState>;
  return *all;
}
CUlinkState_st& requireLink(CUlinkState state) {
  require(links().count(state) != 0, cudaErrorInvalidResourceHandle, "not a link");
  return *state;
}

void requireText(CUjitInputType type) {
  require(type == CU_JIT_INPUT_PTX, cudaErrorInvalidKernelImage,
          "machine code of a GPU; expected CU_JIT_INPUT_PTX");
}

void addFile(CUlinkState_st& link, CUjitInputType type, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  require(in.is_open() && !std::filesystem::is_directory(path), cudaErrorFileNotFound,
          "the file cannot be read");
  if (type != CU_JIT_INPUT_OBJECT && type != CU_JIT_INPUT_LIBRARY) {
    requireText(type);
    link.units.push_back(
        {{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, path, false});
    return;
  }
  const auto found = fermata::platforms::deviceObjectsIn({path});
  require(!found.units.empty(), cudaErrorInvalidKernelImage,
          "no device code; expected an object or archive of fermata cc -dc");
  for (const auto& unit : found.units) link.units.push_back({unit.ptx, path, unit.ofLibrary});
}

}  // namespace

extern "C" {

// Options are hints and places for logs; messages go to standard error.
CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState* state) {
  return driver("cuLinkCreate", [&] {
    requireValue(state != nullptr, "no place for the link");
    *state = new CUlinkState_st;
    links().insert(*state);
  });
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t bytes,
                       const char* name, unsigned int, CUjit_option*, void**) {
  return driver("cuLinkAddData", [&] {
    CUlinkState_st& link = requireLink(state);
    requireText(type);
    requireValue(data != nullptr, "no PTX");
    std::string text(static_cast<const char*>(data), bytes);
    text.resize(text.find_last_not_of('\0') + 1);  // `bytes` may count the end mark
    link.units.push_back({std::move(text), name == nullptr ? "a PTX text" : name, false});
  });
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int,
                       CUjit_option*, void**) {
  return driver("cuLinkAddFile", [&] {
    requireValue(path != nullptr, "no file");
    addFile(requireLink(state), type, path);
  });
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  return driver("cuLinkComplete", [&] {
    CUlinkState_st& link = requireLink(state);
    requireValue(image != nullptr, "no place for the image");
    try {
      link.linked = fermata::ptx::link(link.units).text;
    } catch (const fermata::BadInput& error) {
      throw ApiError(cudaErrorInvalidPtx, error.what());
    }
    *image = link.linked.data();
    if (bytes != nullptr) *bytes = link.linked.size() + 1;
  });
}
CUresult cuLinkDestroy(CUlinkState state) {
  return driver("cuLinkDestroy", [&] {
    delete &requireLink(state);
    links().erase(state);
  });
}

}  // extern "C"
