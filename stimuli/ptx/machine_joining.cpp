// Joins accesses of shared memory as ptxas does: loads of a block whose places lie side by side
// become one load of 64 or 128 bits if its address is known to be aligned, stores likewise. A load
// of a place that has been loaded costs nothing.
//
//   ld.shared.f32 %f1, [%r1];      LDS.64
//   ld.shared.f32 %f2, [%r1+4];    none
//   st.shared.f32 [%r2], %f1;      ends both: it may store to what comes next
//   ld.shared.f32 %f3, [%r1+8];    LDS
//
// Seen in what an H200 executes of 57 workloads (results/silicon/kernels.csv).
#include <algorithm>
#include <string_view>

#include <fermata/stimuli/ptx/basic_blocks.h>
#include <fermata/stimuli/ptx/machine_lowering.h>
#include <fermata/stimuli/ptx/shared_places.h>

namespace fermata::ptx {
namespace {

struct Bytes {
  std::int64_t first = 0, end = 0;
  bool meets(const Bytes& other) const { return first < other.end && other.first < end; }
};

struct Member {
  std::uint32_t pc = 0;
  Bytes bytes;
};

/// Accesses of a block that nothing between them keeps apart.
struct Group {
  bool stores = false;
  SharedPlace root;             ///< without its offset
  std::vector<Member> members;  ///< in the order of the code
  std::vector<Bytes> stored;    ///< of loads: what stores since the first one wrote

  bool sharesRoot(const SharedPlace& place) const { return root.root == place.root; }
};

class Joining {
 public:
  Joining(const KernelCode& code, Folding& folding)
      : code_(code), folding_(folding), places_(code) {}

  void run() {
    const BasicBlocks blocks = basicBlocks(code_, {0, code_.entryEnd});
    for (std::uint32_t block = 0; block < blocks.exit(); ++block) {
      const std::uint32_t end =
          block + 1 < blocks.exit() ? blocks.first[block + 1] : code_.entryEnd;
      for (std::uint32_t pc = blocks.first[block]; pc < end; ++pc) visit(pc);
      closeIf([](const Group&) { return true; });
    }
  }

 private:
  void visit(std::uint32_t pc) {
    const StaticInstruction& one = code_.statics[pc];
    const bool mayBeShared = one.space == MemorySpace::Shared || one.space == MemorySpace::Generic;
    const bool memory = one.instructionClass == InstructionClass::Memory;
    if (isPlain(pc)) {
      const SharedPlace place = places_.of(pc);
      const Bytes bytes{place.offset, place.offset + one.bytesPerLane};
      return one.operation == MemoryOperation::Store ? store(pc, place, bytes)
                                                     : load(pc, place, bytes);
    }
    if (memory && mayBeShared && one.operation == MemoryOperation::Load) return closeStores();
    const bool elsewhere = memory && !mayBeShared && one.copyStep == CopyStep::None;
    const bool ends = one.instructionClass == InstructionClass::Barrier || one.fence ||
                      one.instructionClass == InstructionClass::Branch ||
                      one.instructionClass == InstructionClass::Exit ||
                      (mayBeShared && !elsewhere) || one.copyStep != CopyStep::None ||
                      one.groupsLeft != StaticInstruction::kAnyGroups;
    if (ends) closeIf([](const Group&) { return true; });
  }

  /// Returns whether the instruction is an ld or st of shared memory that the assembler may move.
  bool isPlain(std::uint32_t pc) const {
    const StaticInstruction& one = code_.statics[pc];
    const Instruction& i = code_.instructions[pc];
    const std::string_view name = opcodeName(code_.texts[pc].opcode);
    return one.instructionClass == InstructionClass::Memory && one.space == MemorySpace::Shared &&
           (name == "ld" || name == "st") && !i.observes && i.guard.number == kTruePredicate;
  }

  void load(std::uint32_t pc, const SharedPlace& place, const Bytes& bytes) {
    closeStores();  // lanes may load what others store, and a free store takes effect at once
    Group* group = find(false, place);
    const bool changed =
        group != nullptr && std::any_of(group->stored.begin(), group->stored.end(),
                                        [&](const Bytes& each) { return each.meets(bytes); });
    if (changed) {
      closeIf([&](const Group& each) { return &each == group; });
      group = nullptr;
    }
    if (group == nullptr) group = open(false, place);
    if (!repeats(*group, pc, bytes)) group->members.push_back({pc, bytes});
  }

  void store(std::uint32_t pc, const SharedPlace& place, const Bytes& bytes) {
    closeIf([&](const Group& group) {
      return !group.sharesRoot(place) || (group.stores && meets(group, bytes));
    });
    if (Group* loads = find(false, place)) loads->stored.push_back(bytes);
    Group* group = find(true, place);
    if (group == nullptr) group = open(true, place);
    group->members.push_back({pc, bytes});
  }

  static bool meets(const Group& group, const Bytes& bytes) {
    return std::any_of(group.members.begin(), group.members.end(),
                       [&](const Member& each) { return each.bytes.meets(bytes); });
  }

  Group* find(bool stores, const SharedPlace& place) {
    const auto at = std::find_if(open_.begin(), open_.end(), [&](const Group& group) {
      return group.stores == stores && group.sharesRoot(place);
    });
    return at == open_.end() ? nullptr : &*at;
  }

  Group* open(bool stores, const SharedPlace& place) {
    open_.push_back({stores, place, {}, {}});
    return &open_.back();
  }

  /// Drops a load of what the group has loaded. Returns false if it has not.
  bool repeats(const Group& group, std::uint32_t pc, const Bytes& bytes) {
    const StaticInstruction& one = code_.statics[pc];
    if (isBehindAtomic(pc)) return false;
    for (const Member& each : group.members) {
      const StaticInstruction& before = code_.statics[each.pc];
      if (each.bytes.first != bytes.first || each.bytes.end != bytes.end ||
          code_.texts[each.pc].opcode != code_.texts[pc].opcode ||
          before.writeCount != one.writeCount || !writesOnce(pc) || !writesOnce(each.pc))
        continue;
      folding_.free[pc] = true;
      for (unsigned k = 0; k < one.writeCount; ++k) folding_.read(before.writes[k], one.writes[k]);
      return true;
    }
    return false;
  }

  bool writesOnce(std::uint32_t pc) const {
    const StaticInstruction& one = code_.statics[pc];
    return std::all_of(one.writes.begin(), one.writes.begin() + one.writeCount,
                       [&](RegisterId id) { return places_.writtenOnce(id); });
  }

  template <class Ends>
  void closeIf(Ends ends) {
    for (Group& group : open_) {
      if (ends(group)) join(group);
    }
    open_.erase(std::remove_if(open_.begin(), open_.end(),
                               [](const Group& group) { return group.members.empty(); }),
                open_.end());
  }

  void closeStores() {
    closeIf([](const Group& group) { return group.stores; });
  }

  /// Joins members of the group, the widest first, and empties it.
  void join(Group& group) {
    std::vector<Member>& members = group.members;
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
      return a.bytes.first != b.bytes.first ? a.bytes.first < b.bytes.first : a.pc < b.pc;
    });
    for (const unsigned bytes : {16U, 8U}) {
      const bool aligned = group.root.zeros >= (bytes == 16 ? 4U : 3U);
      for (std::size_t k = 0; aligned && k < members.size();) k += joinAt(group, k, bytes);
    }
    members.clear();
  }

  /// Joins the members from the k-th on that fill `bytes` aligned bytes. Returns how many members
  /// it has passed.
  std::size_t joinAt(Group& group, std::size_t k, unsigned bytes) {
    std::vector<Member>& members = group.members;
    const std::int64_t first = members[k].bytes.first;
    if (first % bytes != 0) return 1;
    std::size_t end = k;
    std::int64_t filled = first;
    while (end < members.size() && members[end].bytes.first == filled &&
           members[end].bytes.end - filled >= 4 &&
           members[end].bytes.end <= first + static_cast<std::int64_t>(bytes))
      filled = members[end++].bytes.end;
    if (filled != first + static_cast<std::int64_t>(bytes) || end - k < 2) return 1;
    const std::vector<Member> parts(members.begin() + static_cast<std::ptrdiff_t>(k),
                                    members.begin() + static_cast<std::ptrdiff_t>(end));
    if (!mayMove(parts, group.stores)) return 1;
    add(parts, group.stores, bytes);
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(k),
                  members.begin() + static_cast<std::ptrdiff_t>(end));
    return 0;
  }

  static const Member& standing(const std::vector<Member>& parts, bool stores) {
    const auto before = [](const Member& a, const Member& b) { return a.pc < b.pc; };
    return stores ? *std::max_element(parts.begin(), parts.end(), before)
                  : *std::min_element(parts.begin(), parts.end(), before);
  }

  /// Returns whether no register forbids to access all parts at once.
  bool mayMove(const std::vector<Member>& parts, bool stores) const {
    const std::uint32_t at = standing(parts, stores).pc;
    unsigned writes = 0;
    for (const Member& part : parts) {
      const StaticInstruction& one = code_.statics[part.pc];
      writes += one.writeCount;
      if (!stores && !writesOnce(part.pc)) return false;
      if (part.pc != at && isBehindAtomic(part.pc)) return false;
      for (unsigned k = 0; stores && k < one.readCount; ++k) {
        if (isWritten(one.reads[k], part.pc, at)) return false;
      }
    }
    return writes <= StaticInstruction::kMaxWrites;
  }

  /// The executor runs a free instruction at once; the result of an atomic may come later.
  bool isBehindAtomic(std::uint32_t pc) const {
    return pc != 0 && code_.statics[pc - 1].operation == MemoryOperation::Atomic;
  }

  bool isWritten(RegisterId id, std::uint32_t after, std::uint32_t before) const {
    const std::uint32_t writer = places_.writer(id);
    if (places_.writtenOnce(id)) return writer > after && writer < before;
    for (std::uint32_t pc = after + 1; pc < before; ++pc) {
      const StaticInstruction& one = code_.statics[pc];
      const auto end = one.writes.begin() + one.writeCount;
      if (std::find(one.writes.begin(), end, id) != end) return true;
    }
    return false;
  }

  void add(const std::vector<Member>& parts, bool stores, unsigned bytes) {
    const Member& at = standing(parts, stores);
    JoinedAccess& joined = folding_.joined[at.pc];
    joined.bytes = static_cast<std::uint8_t>(bytes);
    joined.below = static_cast<std::uint8_t>(at.bytes.first - parts.front().bytes.first);
    for (const Member& part : parts) {
      if (part.pc == at.pc) continue;
      joined.others.push_back(part.pc);
      folding_.free[part.pc] = true;
    }
  }

  const KernelCode& code_;
  Folding& folding_;
  SharedPlaces places_;
  std::vector<Group> open_;
};

}  // namespace

void joinAccesses(const KernelCode& code, Folding& folding) {
  Joining(code, folding).run();
}

}  // namespace fermata::ptx
