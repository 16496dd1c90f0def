#include "tests/platforms/atomic_programs.h"

#include "tests/platforms/sequential_order.h"

namespace fermata::test {

namespace {

const char* nameOf(AtomicKind kind) {
  const char* const names[] = {"add", "min", "max", "inc",  "dec",
                               "and", "or",  "xor", "exch", "cas"};
  return names[static_cast<unsigned>(kind)];
}
bool ofBits(AtomicKind kind) {
  return kind >= AtomicKind::And;
}
bool mayBeSigned(AtomicKind kind) {
  return kind <= AtomicKind::Max;
}
bool counts(AtomicKind kind) {
  return kind == AtomicKind::Inc || kind == AtomicKind::Dec;
}

std::string typeOf(const AtomicProgram::Step& step) {
  const char* const letter = ofBits(step.kind) ? ".b" : step.type.isSigned ? ".s" : ".u";
  return letter + std::to_string(8 * step.type.bytes);
}

}  // namespace

AtomicProgram::AtomicProgram(const Shape& shape, unsigned seed) : shape_(shape), random_(seed) {
  chooseCells();
  steps_.resize(shape.phases);
  for (auto& phase : steps_) {
    for (unsigned i = 0; i < shape.atomics; ++i) phase.push_back(chooseStep());
  }
  for (unsigned thread = 0; thread < shape.ctas * threads(); ++thread) {
    for (unsigned phase = 0; phase < shape.phases; ++phase) chooseActs(thread, phase);
  }
}

// Words of one bank, neighbours, and words that share the lock of word 0: at 1024 in the baseline,
// 1057 with XOR, 2017 with ADD.
void AtomicProgram::chooseCells() {
  const std::uint64_t places[] = {0,    8,        4096, 4104, 128,  4232,     1024, 2048,
                                  3072, 4 * 1057, 1032, 2056, 5120, 4 * 2017, 24};
  unsigned next = 0;
  const auto any = [&](unsigned bytes) {
    AtomicCell cell;
    cell.offset = places[next++] / bytes * bytes;
    cell.bytes = bytes;
    cells_.push_back(cell);
  };
  const auto only = [&](AtomicKind kind, AtomicType type, std::uint64_t bound = 0) {
    any(type.bytes);
    cells_.back().only = kind;
    cells_.back().type = type;
    cells_.back().bound = bound;
  };
  for (const unsigned bytes : {4U, 8U, 4U, 8U, 4U, 8U}) any(bytes);
  only(AtomicKind::Add, {4, false});
  only(AtomicKind::Add, {8, false});
  only(AtomicKind::Inc, {4, false}, 5);
  only(AtomicKind::Dec, {4, false}, 9);
  only(AtomicKind::Min, {4, true});
  only(AtomicKind::Max, {8, true});
  only(AtomicKind::Xor, {8, false});
  only(AtomicKind::Or, {4, false});
  only(AtomicKind::And, {8, false});
  for (const std::uint64_t offset : {0U, 8U}) {
    AtomicCell cell;
    cell.offset = offset;
    cell.global = true;
    cell.bytes = offset == 0 ? 4 : 8;
    cells_.push_back(cell);
  }
}

AtomicProgram::Step AtomicProgram::chooseStep() {
  Step step;
  step.kind = static_cast<AtomicKind>(random_() % 10);
  step.type.bytes = counts(step.kind) ? 4 : 4U << random_() % 2;
  step.type.isSigned = mayBeSigned(step.kind) && random_() % 2 == 0;
  // PTX has no signed 64-bit addition.
  if (step.kind == AtomicKind::Add && step.type.bytes == 8) step.type.isSigned = false;
  step.returns = step.kind >= AtomicKind::Exch || random_() % 3 != 0;
  step.generic = random_() % 3 == 0;
  step.branches = random_() % 4 == 0;
  return step;
}

bool AtomicProgram::takes(const AtomicCell& cell, const Step& step) const {
  if (cell.bytes != step.type.bytes || (cell.global && !step.generic)) return false;
  if (!cell.only) return step.returns;
  return cell.only == step.kind && cell.type.isSigned == step.type.isSigned;
}

void AtomicProgram::chooseActs(unsigned thread, unsigned phase) {
  for (const Step& step : steps_[phase]) {
    std::vector<const AtomicCell*> fit;
    for (const AtomicCell& cell : cells_) {
      if (takes(cell, step)) fit.push_back(&cell);
    }
    Act act;
    if (!fit.empty() && random_() % 8 != 0) {
      // All lanes of every third warp use one cell.
      const auto which = thread / 32 % 3 == 0 ? thread / 32 : random_();
      const AtomicCell& cell = *fit[which % fit.size()];
      act = {place(cell), random_() % 16, random_() % 16};
      if (random_() % 8 == 0) act.b = (std::uint64_t{random_()} << 32) + random_();
      if (counts(step.kind) && cell.only) act.b = cell.bound;
    }
    table_.push_back(act);
  }
  const unsigned inCta = thread % threads();
  table_.push_back({place(cells_[inCta % cells_.size()]), 0, 0});
  // At most one thread stores to a cell, none to global memory. The first stores cover all cells.
  const bool stores = inCta < cells_.size() && !cells_[inCta].global;
  table_.push_back(stores && random_() % 2 == 0 ? Act{place(cells_[inCta]), random_() % 64, 0}
                                                : Act{});
}

std::vector<std::uint64_t> AtomicProgram::table() const {
  std::vector<std::uint64_t> words;
  for (const Act& act : table_) words.insert(words.end(), {act.offset, act.b, act.c});
  return words;
}

std::string AtomicProgram::launchFile() const {
  const unsigned outs = shape_.ctas * threads() * (acts() + 1);
  return "kernel = 'fuzz.ptx'\n"
         "[buffers.table]\ntype = 'u64'\nfill = { file = 'table.bin' }\ncount = " +
         std::to_string(3 * table_.size()) +
         "\n[buffers.out]\ntype = 'u64'\ncount = " + std::to_string(outs) +
         "\n[buffers.cells]\ntype = 'u64'\ncount = " +
         std::to_string(shape_.ctas * kGlobalBytes / 8) +
         "\n[[launch]]\nentry = 'fuzz'\ngrid = " + std::to_string(shape_.ctas) +
         "\nblock = " + std::to_string(threads()) +
         "\nregisters = 16"
         "\narguments = [{ buffer = 'table' }, { buffer = 'out' }, { buffer = 'cells' }]\n";
}

std::string AtomicProgram::atomicText(const Step& step, const std::string& n) const {
  const bool wide = step.type.bytes == 8;
  const auto operand = [&](const char* name) {
    return wide ? std::string("%") + name + n : std::string("%n") + name;
  };
  std::string text;
  if (!wide) text += "cvt.u32.u64 %nb, %b" + n + "; cvt.u32.u64 %nc, %c" + n + ";\n";
  text += "setp.ne.u64 %p1, %o" + n + ", -1;\n";
  if (step.branches) text += "@!%p1 bra SKIP" + n + ";\n";
  std::string address = "[%s" + n + "]";
  if (step.generic) address = "[%g" + n + "]";
  const std::string head = std::string(step.branches ? "" : "@%p1 ") +
                           (step.returns ? "atom" : "red") + (step.generic ? "" : ".shared") + "." +
                           nameOf(step.kind) + typeOf(step) + " ";
  text += head + (step.returns ? (wide ? "%v" + n : std::string("%nv")) + ", " : "") + address +
          ", " + operand("b") + (step.kind == AtomicKind::Cas ? ", " + operand("c") : "") + ";\n";
  if (step.returns && !wide)
    text += std::string(step.branches ? "" : "@%p1 ") + "cvt.u64.u32 %v" + n + ", %nv;\n";
  if (step.branches) text += "SKIP" + n + ":\n";
  // Updates the thread's own word.
  return text + "ld.shared.u64 %own, [%mine]; mad.lo.u64 %own, %own, 5, " + n +
         "; st.shared.u64 [%mine], %own;\n";
}

// Fetches the operands of a phase first, so that global memory does not spread its atomics in time.
std::string AtomicProgram::phaseText(unsigned phase) const {
  std::string text;
  const unsigned first = phase * perPhase();
  for (unsigned i = first; i < first + perPhase(); ++i) {
    const std::string n = std::to_string(i);
    text += "ld.global.u64 %o" + n + ", [%table+" + std::to_string(24 * i) + "]; ld.global.u64 %b" +
            n + ", [%table+" + std::to_string(24 * i + 8) + "]; ld.global.u64 %c" + n +
            ", [%table+" + std::to_string(24 * i + 16) + "]; mov.u64 %v" + n + ", 0;\n" +
            "cvt.u32.u64 %s" + n + ", %o" + n + "; add.u32 %s" + n + ", %s" + n + ", %mem;\n" +
            "setp.lt.u64 %p2, %o" + n + ", " + std::to_string(kGlobal) + "; sub.u64 %gw, %o" + n +
            ", " + std::to_string(kGlobal) + "; add.u64 %gw, %gw, %cells; add.u64 %gs, %o" + n +
            ", %gmem; selp.u64 %g" + n + ", %gs, %gw, %p2;\n";
  }
  text += "bar.sync 0;\n";
  for (unsigned i = 0; i < shape_.atomics; ++i)
    text += atomicText(steps_[phase][i], std::to_string(first + i));
  const std::string load = std::to_string(first + shape_.atomics);
  const std::string store = std::to_string(first + shape_.atomics + 1);
  text += "bar.sync 0;\nld.u32 %nv, [%g" + load + "]; cvt.u64.u32 %v" + load +
          ", %nv; setp.eq.u32 %p3, %halves, 1;\n" + "@%p3 ld.u64 %v" + load + ", [%g" + load +
          "];\nbar.sync 0;\n" + "setp.ne.u64 %p1, %o" + store +
          ", -1; and.pred %p4, %p1, %p3; not.pred %p5, %p3; " +
          "and.pred %p5, %p5, %p1; cvt.u32.u64 %nb, %b" + store + ";\n@%p4 st.shared.u64 [%s" +
          store + "], %b" + store + ";\n@%p5 st.shared.u32 [%s" + store + "], %nb;\nbar.sync 0;\n";
  for (unsigned i = first; i < first + perPhase(); ++i)
    text += "st.global.u64 [%out+" + std::to_string(8 * i) + "], %v" + std::to_string(i) + ";\n";
  return text;
}

std::string AtomicProgram::ptx() const {
  const std::string count = "<" + std::to_string(acts()) + ">";
  std::uint64_t bits = 0;  // bit i is set if cell i has 64 bits
  for (std::size_t i = 0; i < cells_.size(); ++i) bits |= std::uint64_t{cells_[i].bytes == 8} << i;
  const std::string perThread = std::to_string(24 * acts());
  std::string text =
      ".version 7.0\n.target sm_75\n.address_size 64\n"
      ".visible .entry fuzz(.param .u64 table, .param .u64 out, .param .u64 cells) {\n"
      ".shared .align 8 .b8 memory[" +
      std::to_string(shape_.sharedBytes) +
      "];\n"
      ".reg .pred %p<8>; .reg .b64 %o" +
      count + ", %b" + count + ", %c" + count + ", %v" + count + ", %g" + count + "; .reg .b32 %s" +
      count + ";\n" +
      ".reg .b32 %nb, %nc, %nv, %mem, %mine, %tid, %cta, %thread, %halves, %which; .reg .b64 "
      "%table, %out, "
      "%cells, %gmem, %gs, %gw, %own;\n"
      "ld.param.u64 %table, [table]; ld.param.u64 %out, [out]; ld.param.u64 %cells, [cells];\n"
      "mov.u32 %tid, %tid.x; mov.u32 %cta, %ctaid.x; mov.u32 %thread, %ntid.x; "
      "mad.lo.u32 %thread, %cta, %thread, %tid;\n"
      "mad.wide.u32 %table, %thread, " +
      perThread + ", %table; mad.wide.u32 %out, %thread, " + std::to_string(8 * (acts() + 1)) +
      ", %out; mad.wide.u32 %cells, %cta, " + std::to_string(kGlobalBytes) +
      ", %cells;\n"
      "mov.u32 %mem, memory; mov.u64 %gmem, memory; cvta.shared.u64 %gmem, %gmem; "
      "shl.b32 %mine, %tid, 3; add.u32 %mine, %mine, %mem; add.u32 %mine, %mine, " +
      std::to_string(ownWords()) + ";\n" +
      // Tests if the thread's cell has 64 bits. The thread loads the cell, and stores to it if any
      // thread does.
      "rem.u32 %which, %tid, " + std::to_string(cells_.size()) + "; mov.u64 %gs, " +
      std::to_string(bits) +
      "; shr.u64 %gs, %gs, %which; cvt.u32.u64 %halves, %gs; "
      "and.b32 %halves, %halves, 1;\n"
      "cvt.u64.u32 %own, %tid; st.shared.u64 [%mine], %own; mov.u64 %gs, 0;\n";
  for (const AtomicCell& cell : cells_) {
    if (cell.global) continue;
    text += "st.shared.u" + std::to_string(8 * cell.bytes) + " [memory+" +
            std::to_string(cell.offset) + "], " + (cell.bytes == 8 ? "%gs" : "0") + ";\n";
  }
  text += "bar.sync 0;\n";
  for (unsigned phase = 0; phase < shape_.phases; ++phase) text += phaseText(phase);
  return text + "ld.shared.u64 %own, [%mine]; st.global.u64 [%out+" + std::to_string(8 * acts()) +
         "], %own;\nret;\n}\n";
}

std::string AtomicProgram::wrong(const std::vector<std::uint64_t>& out) const {
  for (unsigned thread = 0; thread < shape_.ctas * threads(); ++thread) {
    std::uint64_t own = thread % threads();
    for (unsigned phase = 0; phase < shape_.phases; ++phase) {
      for (unsigned i = 0; i < shape_.atomics; ++i) own = own * 5 + phase * perPhase() + i;
    }
    if (out.at(std::size_t{thread} * (acts() + 1) + acts()) != own)
      return "thread " + std::to_string(thread) + "'s own word is wrong";
  }
  for (unsigned cta = 0; cta < shape_.ctas; ++cta) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const std::string bad = checkCell(cta, cell, out);
      if (!bad.empty())
        return "CTA " + std::to_string(cta) + ", cell " + std::to_string(cell) + ": " + bad;
    }
  }
  return "";
}

std::string AtomicProgram::checkCell(unsigned cta, std::size_t number,
                                     const std::vector<std::uint64_t>& out) const {
  const AtomicCell& cell = cells_[number];
  std::uint64_t value = 0;
  for (unsigned phase = 0; phase < shape_.phases; ++phase) {
    const std::string in = " in phase " + std::to_string(phase);
    std::vector<Transition> seen;
    std::uint64_t folded = value;
    std::optional<std::uint64_t> after, stored;
    for (unsigned thread = 0; thread < threads(); ++thread) {
      const std::size_t row = std::size_t{cta * threads() + thread} * (acts() + 1);
      const auto told = [&](unsigned i) { return out.at(row + phase * perPhase() + i); };
      for (unsigned i = 0; i < shape_.atomics; ++i) {
        const Act& one = act(cta, thread, phase, i);
        if (one.offset != place(cell)) continue;
        const Step& step = steps_[phase][i];
        seen.push_back({told(i), applied(step.kind, step.type, told(i), one.b, one.c)});
        folded = applied(step.kind, step.type, folded, one.b, one.c);
      }
      if (act(cta, thread, phase, shape_.atomics).offset == place(cell)) {
        if (after && *after != told(shape_.atomics)) return "two threads load two values" + in;
        after = told(shape_.atomics);
      }
      const Act& store = act(cta, thread, phase, shape_.atomics + 1);
      if (store.offset == place(cell)) stored = store.b;
    }
    if (cell.only) {
      if (*after != folded)
        return std::to_string(*after) + " instead of " + std::to_string(folded) + in;
    } else if (!sequential(seen, value, *after)) {
      return "no order of " + std::to_string(seen.size()) + " atomics gives what they returned" +
             in;
    }
    value = stored.value_or(*after);
  }
  return "";
}

}  // namespace fermata::test
