#include <fermata/models/memory/sparse_bytes.h>

#include <algorithm>

namespace fermata {

namespace {

/// Calls act(page, first byte in the page, bytes done before, bytes) for each page of a range.
template <class Act>
void forPages(std::uint64_t address, std::uint64_t length, std::uint64_t pageBytes, Act act) {
  for (std::uint64_t done = 0; done < length;) {
    const std::uint64_t at = (address + done) % pageBytes;
    const std::uint64_t bytes = std::min(length - done, pageBytes - at);
    act((address + done) / pageBytes, at, done, bytes);
    done += bytes;
  }
}

}  // namespace

void SparseBytes::read(std::uint64_t address, std::uint8_t* to, std::uint64_t length) const {
  forPages(address, length, kPageBytes,
           [&](std::uint64_t page, std::uint64_t at, std::uint64_t done, std::uint64_t bytes) {
             const auto found = pages_.find(page);
             if (found == pages_.end()) {
               std::fill_n(to + done, bytes, std::uint8_t{0});
             } else {
               std::copy_n(found->second->data() + at, bytes, to + done);
             }
           });
}

void SparseBytes::write(std::uint64_t address, const std::uint8_t* from, std::uint64_t length) {
  forPages(address, length, kPageBytes,
           [&](std::uint64_t page, std::uint64_t at, std::uint64_t done, std::uint64_t bytes) {
             std::unique_ptr<Page>& kept = pages_[page];
             if (kept == nullptr) kept = std::make_unique<Page>(Page{});
             std::copy_n(from + done, bytes, kept->data() + at);
           });
}

void SparseBytes::move(tlm::tlm_generic_payload& payload, std::uint64_t offset,
                       std::uint64_t length) {
  std::uint8_t* data = payload.get_data_ptr() + offset;
  if (payload.is_write()) {
    write(payload.get_address() + offset, data, length);
  } else {
    read(payload.get_address() + offset, data, length);
  }
}

void SparseBytes::carryOut(tlm::tlm_generic_payload& payload, std::uint64_t offset,
                           std::uint64_t length) {
  const std::uint8_t* enable = payload.get_byte_enable_ptr();
  if (enable == nullptr) return move(payload, offset, length);
  // If there are fewer enables than bytes, they repeat (IEEE 1666-2011, 14.14).
  const unsigned period = payload.get_byte_enable_length();
  const auto enabled = [&](std::uint64_t i) { return enable[i % period] == TLM_BYTE_ENABLED; };
  const std::uint64_t end = offset + length;
  for (std::uint64_t from = offset; from < end;) {
    std::uint64_t to = from;
    while (to < end && enabled(to)) ++to;
    if (to > from) move(payload, from, to - from);
    from = to + 1;
  }
}

}  // namespace fermata
