#include <fermata/models/memory/wavefronts.h>

#include <algorithm>

namespace fermata {

void Wavefronts::join(WarpAccess& access, const ConflictResolver& conflicts, bool merges) {
  collect(access, conflicts);
  const WavefrontHalf half(access.cta, access.slot, access.warp);
  if (!halves_.meet(half, access.instruction.pc, own_, other_, [](const Asked&) {})) return;
  unsigned busy = 0;    // lane groups that ask
  unsigned served = 0;  // lane groups that both halves ask in
  std::uint32_t passes = 0;
  access.degree = 0;
  for (unsigned group = 0; group < access.groups; ++group) {
    if (own_.begin[group] == own_.begin[group + 1]) continue;
    ++busy;
    if (other_.begin[group] != other_.begin[group + 1]) ++served;
    const std::uint32_t most = degree(access, group, merges);
    const std::uint32_t all = (most + conflicts.ports() - 1) / conflicts.ports();
    access.groupPasses[group] = static_cast<std::uint8_t>(all - other_.passes[group]);
    passes += access.groupPasses[group];
    access.degree = std::max(access.degree, most);
  }
  const std::uint32_t each = access.freePasses / busy;  // 1, plus the machine's extra passes
  access.freePasses = each * (busy - served);
  access.passes = passes + (each - 1) * (busy - served);
  access.bankSet = 0;
}

void Wavefronts::collect(const WarpAccess& access, const ConflictResolver& conflicts) {
  unsigned count = 0;
  unsigned group = 0;
  for (const LaneMask lanes : conflicts.groupsOf(access)) {
    own_.begin[group] = static_cast<std::uint8_t>(count);
    own_.passes[group] = access.groupPasses[group];
    for (unsigned k = 0; k < access.wordsPerLane; ++k) {
      for (LaneMask m = access.leaders[k] & lanes; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint8_t>(__builtin_ctz(m));
        asker_[count++] = {conflicts.placeOf(access, k, lane),
                           static_cast<std::uint16_t>(access.bank[k][lane]), lane,
                           static_cast<std::uint8_t>(k)};
      }
    }
    sort(own_.begin[group++], count);
  }
  own_.begin[group] = static_cast<std::uint8_t>(count);
}

void Wavefronts::sort(unsigned begin, unsigned end) {
  const auto rises = [](const Word& a, const Word& b) { return a.place < b.place; };
  Word* const first = asker_.data() + begin;
  Word* const last = asker_.data() + end;
  if (!std::is_sorted(first, last, rises)) std::sort(first, last, rises);
  for (unsigned i = begin; i < end; ++i) {
    own_.place[i] = asker_[i].place;
    own_.bank[i] = asker_[i].bank;
  }
}

// Returns the degree over the words of both halves. Lanes that merge with one of the other half
// lose their place in `leaders`.
std::uint32_t Wavefronts::degree(WarpAccess& access, unsigned group, bool merges) {
  std::uint32_t most = 0;
  const auto add = [&](std::uint16_t bank) { most = std::max(most, ++words_[bank]); };
  unsigned there = other_.begin[group];
  const unsigned end = other_.begin[group + 1];
  for (unsigned i = there; i < end; ++i) add(other_.bank[i]);
  for (unsigned i = own_.begin[group]; i < own_.begin[group + 1]; ++i) {
    while (there < end && other_.place[there] < own_.place[i]) ++there;
    if (!merges || there == end || other_.place[there] != own_.place[i]) {
      add(own_.bank[i]);
    } else {
      access.leaders[asker_[i].part] &= ~(LaneMask{1} << asker_[i].lane);
    }
  }
  for (const Asked* half : {&own_, &other_}) {
    for (unsigned i = half->begin[group]; i < half->begin[group + 1]; ++i)
      words_[half->bank[i]] = 0;
  }
  return most;
}

}  // namespace fermata
