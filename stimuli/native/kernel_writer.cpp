#include <fermata/stimuli/native/kernel_writer.h>

#include <algorithm>
#include <cstddef>
#include <set>

#include <fermata/stimuli/native/context.h>
#include <fermata/stimuli/native/lane_code.h>
#include <fermata/stimuli/native/memory_code.h>
#include <fermata/stimuli/native/operations.h>
#include <fermata/stimuli/ptx/basic_blocks.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>

namespace fermata::native {
namespace {

using ptx::Instruction;
using ptx::KernelCode;

/// Most instructions of a piece. A turn ends within a piece by the executor, so that short turns
/// want short pieces.
constexpr unsigned kMostOfPiece = 48, kMostOfShortTurn = 12;

bool isCall(const Instruction& i) {
  return i.handler == &ptx::executeCall || i.handler == &ptx::executeReturn ||
         i.handler == &ptx::executePrologue;
}

/// True if whoever runs the warp looks at the instruction: barriers, and copies that arrive.
bool concernsOthers(const KernelCode& kernel, std::uint32_t pc) {
  const StaticInstruction& known = kernel.statics[pc];
  return known.instructionClass == InstructionClass::Barrier ||
         known.instructionClass == InstructionClass::Exit || known.beginsCopy();
}

/// True if a piece ends before the instruction.
bool endsBefore(const KernelCode& kernel, std::uint32_t pc) {
  const Instruction& i = kernel.instructions[pc];
  return concernsOthers(kernel, pc) || isCall(i) || i.handler == &ptx::executeWaitingBranch ||
         i.handler == &ptx::executeIndexedBranch;
}

void markLeaders(const KernelCode& kernel, Pieces& pieces) {
  const auto mark = [&](std::uint32_t pc) {
    if (pc < pieces.leader.size()) pieces.leader[pc] = true;
  };
  const auto count = static_cast<std::uint32_t>(kernel.instructions.size());
  mark(0);
  for (std::uint32_t pc = 0; pc < count; ++pc) {
    const Instruction& i = kernel.instructions[pc];
    if (ptx::endsBlock(i) || isCall(i)) {
      mark(pc + 1);
      for (const std::uint32_t to : ptx::successors(kernel, pc, count)) mark(to);
      if (!isCall(i) && i.handler != &ptx::executeExit) mark(i.branch.reconverge);
    }
  }
  for (const ptx::CalledFunction& one : kernel.called) {
    mark(one.first);
    mark(one.end);
  }
}

class KernelWriter {
 public:
  KernelWriter(const KernelCode& kernel, const Pieces& pieces, bool whole)
      : kernel_(kernel), pieces_(pieces), c_(kernel, whole) {}

  std::string text(const char* name) {
    for (std::uint32_t pc = 0; pc < pieces_.length.size(); ++pc) {
      if (pieces_.length[pc] != Pieces::kNone) writePiece(pc);
    }
    return fmt::format("define void @{}(ptr %c) #0 {{\nentry:\n{}{}{}{}}}\n", name, fields(),
                       c_.entry(), dispatch(), c_.body() + end());
  }
  const std::set<std::string>& declarations() const { return c_.declarations(); }

 private:
  std::string fields() const {
    struct Field {
      const char* name;
      const char* type;
      std::size_t offset;
    };
    constexpr Field kFields[] = {{"rows", "ptr", offsetof(Context, rows)},
                                 {"constants", "ptr", offsetof(Context, constants)},
                                 {"predicates", "ptr", offsetof(Context, predicates)},
                                 {"shared", "ptr", offsetof(Context, shared)},
                                 {"sharedBytes", "i64", offsetof(Context, sharedBytes)},
                                 {"local", "ptr", offsetof(Context, local)},
                                 {"localBytes", "i64", offsetof(Context, localBytes)},
                                 {"parameters", "ptr", offsetof(Context, parameters)},
                                 {"hints", "ptr", offsetof(Context, hints)},
                                 {"first", "i64", offsetof(Context, left)},
                                 {"pc", "i32", offsetof(Context, pc)},
                                 {"reconverge", "i32", offsetof(Context, reconverge)},
                                 {"active", "i32", offsetof(Context, active)},
                                 {"shares", "i32", offsetof(Context, shares)},
                                 {"interpret", "ptr", offsetof(Context, interpret)}};
    std::string text = "  %left = alloca i64\n  %scratch = alloca <32 x i32>, align 128\n";
    for (const Field& one : kFields) {
      text += fmt::format(
          "  %{0}.p = getelementptr i8, ptr %c, i64 {2}\n"
          "  %{0} = load {1}, ptr %{0}.p\n",
          one.name, one.type, one.offset);
    }
    text += "  %alone = icmp eq i32 %shares, 0\n";
    return text + "  store i64 %first, ptr %left\n  %lanes = bitcast i32 %active to <32 x i1>\n";
  }

  std::string dispatch() const {
    std::string text = "  switch i32 %pc, label %out [\n";
    for (std::uint32_t pc = 0; pc < pieces_.length.size(); ++pc) {
      if (pieces_.length[pc] != Pieces::kNone)
        text += fmt::format("    i32 {0}, label %p{0}\n", pc);
    }
    return text + "  ]\n";
  }

  static std::string end() {
    return "out:\n  %rest = load i64, ptr %left\n  store i64 %rest, ptr %first.p\n  ret void\n";
  }

  /// Leaves the code at `pc`.
  void leave(std::uint32_t pc) {
    c_.line("store i32 {}, ptr %pc.p", pc);
    c_.line("br label %out");
  }
  bool hasPiece(std::uint32_t pc) const {
    return pc < pieces_.length.size() && pieces_.length[pc] != Pieces::kNone;
  }
  void goTo(std::uint32_t pc) {
    if (hasPiece(pc)) return c_.line("br label %p{}", pc);
    leave(pc);
  }

  void writePiece(std::uint32_t pc) {
    const unsigned length = pieces_.length[pc];
    c_.label(fmt::format("p{}", pc));
    c_.forget();
    const std::string left = c_.def("load i64, ptr %left");
    std::string stop = c_.def("icmp ult i64 {}, {}", left, length);
    if (pieces_.leader[pc])
      stop = c_.def("or i1 {}, {}", stop, c_.def("icmp eq i32 %reconverge, {}", pc));
    const std::string go = c_.newLabel(), here = c_.newLabel();
    c_.fork(stop, here, go, here);
    leave(pc);
    c_.label(go);
    c_.line("store i64 {}, ptr %left", c_.def("sub i64 {}, {}", left, length));
    for (unsigned k = 0; k < length; ++k) {
      const Instruction& i = kernel_.instructions[pc + k];
      c_.beginInstruction(i, pc + k, length - 1 - k);
      if (i.handler == &ptx::executeBranch) return writeBranch(i, pc + k);
      write(i);
    }
    goTo(pc + length);
  }

  void write(const Instruction& i) {
    if (const Known* const known = knownOf(i); known != nullptr) return known->write(c_, i, *known);
    if (writeAccess(c_, i)) return;
    c_.leaveToExecutor();
  }

  /// A branch is the last instruction of its piece.
  void writeBranch(const Instruction& i, std::uint32_t pc) {
    const bool always = i.guard.number == ptx::kTruePredicate && i.guard.flip == 0;
    if (always || i.branch.target == pc + 1) return goTo(i.branch.target);
    const std::string taken = c_.mask();
    const std::string nobody = c_.newLabel(), someone = c_.newLabel(), all = c_.newLabel(),
                      parted = c_.newLabel();
    c_.fork(c_.def("icmp eq i32 {}, 0", taken), nobody, someone, nobody);
    goTo(pc + 1);
    c_.label(someone);
    c_.fork(c_.def("icmp eq i32 {}, {}", taken, c_.active()), all, parted, all);
    goTo(i.branch.target);
    c_.label(parted);
    // The executor parts the lanes.
    const std::string left = c_.def("load i64, ptr %left");
    c_.line("store i64 {}, ptr %left", c_.def("add i64 {}, 1", left));
    leave(pc);
  }

  const KernelCode& kernel_;
  const Pieces& pieces_;
  LaneCode c_;
};

}  // namespace

Pieces cut(const KernelCode& kernel) {
  const auto count = static_cast<std::uint32_t>(kernel.instructions.size());
  Pieces pieces;
  pieces.length.assign(count, Pieces::kNone);
  pieces.leader.assign(count + 1, false);
  pieces.stepped.assign(count, false);
  markLeaders(kernel, pieces);
  const auto& all = kernel.instructions;
  const bool waits = std::any_of(all.begin(), all.end(), [](const Instruction& i) {
    return i.handler == &ptx::executeWaitingBranch;
  });
  const unsigned most = waits ? kMostOfShortTurn : kMostOfPiece;
  std::uint32_t first = 0;
  const auto close = [&](std::uint32_t end) {
    if (end > first) pieces.length[first] = static_cast<std::uint16_t>(end - first);
    first = end;
  };
  for (std::uint32_t pc = 0; pc < count; ++pc) {
    pieces.stepped[pc] = !concernsOthers(kernel, pc);
    if (pieces.leader[pc] || pc - first == most) close(pc);
    if (endsBefore(kernel, pc)) {
      close(pc);
      first = pc + 1;
    } else if (kernel.instructions[pc].handler == &ptx::executeBranch) {
      close(pc + 1);
    }
  }
  close(count);
  return pieces;
}

std::string textOf(const KernelCode& kernel, const Pieces& pieces) {
  KernelWriter whole(kernel, pieces, true), part(kernel, pieces, false);
  std::string text = whole.text(kWholeName) + part.text(kPartName);
  std::set<std::string> declarations = whole.declarations();
  declarations.insert(part.declarations().begin(), part.declarations().end());
  for (const std::string& one : declarations) text += one;
  return text +
         "attributes #0 = { uwtable \"prefer-vector-width\"=\"512\" "
         "\"min-legal-vector-width\"=\"512\" }\n";
}

}  // namespace fermata::native
