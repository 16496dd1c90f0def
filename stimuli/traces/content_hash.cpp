#include <fermata/stimuli/traces/content_hash.h>

#include <xxhash.h>

#include <fstream>
#include <new>
#include <vector>

namespace fermata::traces {

namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 16;  // fits the cache

}  // namespace

struct ContentHasher::State {
  XXH3_state_t* xxh = XXH3_createState();
  ~State() { XXH3_freeState(xxh); }
};

ContentHasher::ContentHasher() : state_(std::make_unique<State>()) {
  if (state_->xxh == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_->xxh);
}

ContentHasher::~ContentHasher() = default;

void ContentHasher::add(const void* bytes, std::size_t size) {
  XXH3_128bits_update(state_->xxh, bytes, size);
}

ContentHash ContentHasher::hash() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh);
  return {hash.low64, hash.high64};
}

std::optional<ContentHash> hashOfFile(const std::string& path) {
  std::filebuf file;
  if (file.open(path, std::ios::in | std::ios::binary) == nullptr) return std::nullopt;
  ContentHasher hasher;
  std::vector<char> buffer(kReadBytes);
  try {
    while (const std::streamsize got = file.sgetn(buffer.data(), kReadBytes)) {
      hasher.add(buffer.data(), static_cast<std::size_t>(got));
    }
  } catch (const std::ios_base::failure&) {
    return std::nullopt;
  }
  return hasher.hash();
}

}  // namespace fermata::traces
