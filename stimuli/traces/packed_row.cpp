#include <fermata/stimuli/traces/packed_row.h>

#include <algorithm>
#include <cstring>

namespace fermata::traces {

static_assert(sizeof(RowHead) == 16 && sizeof(AddressRun) == 16, "rows pack without holes");

namespace {

template <typename Offset>
void packOffsets(const LaneAddresses& address, std::uint64_t base, Row& row) {
  std::array<Offset, kWarpLanes> offset;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    offset[lane] = static_cast<Offset>(address[lane] - base);
  }
  std::memcpy(row.addresses.data(), &base, sizeof base);
  std::memcpy(row.addresses.data() + sizeof base, offset.data(), sizeof offset);
}

template <typename Offset>
void unpackOffsets(const std::byte* packed, LaneAddresses& address) {
  std::uint64_t base = 0;
  std::array<Offset, kWarpLanes> offset;
  std::memcpy(&base, packed, sizeof base);
  std::memcpy(offset.data(), packed + sizeof base, sizeof offset);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) address[lane] = base + offset[lane];
}

template <typename Offset>
bool offsetsFit(const Row& row, std::uint64_t highest) {
  std::uint64_t base = 0;
  std::array<Offset, kWarpLanes> offset;
  std::memcpy(&base, row.addresses.data(), sizeof base);
  std::memcpy(offset.data(), row.addresses.data() + sizeof base, sizeof offset);
  Offset most = 0;
  Offset bits = 0;
  for (const Offset one : offset) {
    most = std::max(most, one);
    bits = static_cast<Offset>(bits | one);
  }
  const std::uint64_t misaligned = (base | bits) & (std::uint64_t{row.head.bytes} - 1);
  return misaligned == 0 && base <= highest && most <= highest - base;
}

bool runsFit(const Row& row, std::uint64_t highest) {
  AddressRuns runs;
  std::memcpy(runs.data(), row.addresses.data(), addressBytes(row.head));
  LaneMask left = row.head.active;
  for (unsigned i = 0; i < row.head.runs; ++i) {
    std::uint64_t top = 0;
    if (!takeLanes(runs[i], left, top) || top > highest) return false;
  }
  return left == 0 && areAligned(runs.data(), row.head.runs, row.head.active, row.head.bytes);
}

}  // namespace

void packRuns(const AddressRuns& runs, unsigned count, Row& row) {
  RowHead& head = row.head;
  head.runs = static_cast<std::uint8_t>(count);
  head.offsetBytes = 0;
  constexpr std::size_t kSmallestOffsets = 8 + kWarpLanes * 2;
  if (count * sizeof(AddressRun) > kSmallestOffsets) {
    LaneAddresses address;
    address.fill(runs[0].base);  // inactive lanes get an address within the range of the others
    expandRuns(runs.data(), count, head.active, address);
    const std::uint64_t base = *std::min_element(address.begin(), address.end());
    const std::uint64_t span = *std::max_element(address.begin(), address.end()) - base;
    const unsigned offsetBytes = span >> 16 == 0 ? 2 : span >> 32 == 0 ? 4 : 8;
    if (count * sizeof(AddressRun) > 8 + std::size_t{kWarpLanes} * offsetBytes) {
      head.runs = 0;
      head.offsetBytes = static_cast<std::uint8_t>(offsetBytes);
      if (offsetBytes == 2) return packOffsets<std::uint16_t>(address, base, row);
      if (offsetBytes == 4) return packOffsets<std::uint32_t>(address, base, row);
      return packOffsets<std::uint64_t>(address, base, row);
    }
  }
  std::memcpy(row.addresses.data(), runs.data(), count * sizeof(AddressRun));
}

void unpackAddresses(const RowHead& head, const std::byte* packed, LaneAddresses& address) {
  switch (head.offsetBytes) {
    case 2:
      return unpackOffsets<std::uint16_t>(packed, address);
    case 4:
      return unpackOffsets<std::uint32_t>(packed, address);
    case 8:
      return unpackOffsets<std::uint64_t>(packed, address);
    default:
      return expandRuns(reinterpret_cast<const AddressRun*>(packed), head.runs, head.active,
                        address);
  }
}

bool addressesFit(const Row& row, std::uint64_t highest) {
  switch (row.head.offsetBytes) {
    case 2:
      return offsetsFit<std::uint16_t>(row, highest);
    case 4:
      return offsetsFit<std::uint32_t>(row, highest);
    case 8:
      return offsetsFit<std::uint64_t>(row, highest);
    default:
      return row.head.offsetBytes == 0 && runsFit(row, highest);
  }
}

}  // namespace fermata::traces
