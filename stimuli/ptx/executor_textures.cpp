// Textures and surfaces of an executor, by name and by handle.
#include <fermata/stimuli/ptx/executor_state.h>

namespace fermata::ptx {
namespace {

/// Puts a thing into a free place and returns its handle.
template <class Thing>
std::uint64_t add(std::vector<Thing>& things, std::vector<std::size_t>& unused, const Thing& thing,
                  std::uint64_t first, std::uint64_t end, const char* what) {
  if (unused.empty()) {
    if (first + things.size() >= end) refuse("more {} than there are handles for", what);
    things.push_back(thing);
    return first + things.size() - 1;
  }
  const std::size_t at = unused.back();
  unused.pop_back();
  things[at] = thing;
  return first + at;
}

template <class Thing>
void remove(std::vector<Thing>& things, std::vector<std::size_t>& unused, std::uint64_t handle,
            std::uint64_t first, const char* what) {
  const std::uint64_t at = handle - first;
  if (handle < first || at >= things.size() || things[at].address == 0)
    refuse("there is no {} of handle {:#x}", what, handle);
  things[at] = Thing{};
  unused.push_back(at);
}

}  // namespace

void Executor::bindTexture(const Module& module, const std::string& name, const Texture& texture) {
  load(module);
  state_->modules.checkTexture(texture);
  const std::uint64_t handle =
      state_->modules.addressOf(state_->modules.variableNamed(module.data(), name, true));
  state_->machine.textures[handle - kFirstTexture] = texture;
}

std::uint64_t Executor::createTexture(const Texture& texture) {
  state_->modules.checkTexture(texture);
  return add(state_->machine.textures, state_->unusedTextures, texture, kFirstTexture,
             kFirstSurface, "textures");
}

std::uint64_t Executor::createSurface(const Surface& surface) {
  state_->modules.checkSurface(surface);
  return add(state_->machine.surfaces, state_->unusedSurfaces, surface, kFirstSurface,
             kFirstFunction, "surfaces");
}

void Executor::destroyTexture(std::uint64_t handle) {
  remove(state_->machine.textures, state_->unusedTextures, handle, kFirstTexture, "texture");
}

void Executor::destroySurface(std::uint64_t handle) {
  remove(state_->machine.surfaces, state_->unusedSurfaces, handle, kFirstSurface, "surface");
}

}  // namespace fermata::ptx
