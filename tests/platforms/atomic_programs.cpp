#include "tests/platforms/atomic_programs.h"

#include <fmt/format.h>

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
  return fmt::format(
      "kernel = 'fuzz.ptx'\n"
      "[buffers.table]\ntype = 'u64'\nfill = {{ file = 'table.bin' }}\ncount = {}\n"
      "[buffers.out]\ntype = 'u64'\ncount = {}\n[buffers.cells]\ntype = 'u64'\ncount = {}\n"
      "[[launch]]\nentry = 'fuzz'\ngrid = {}\nblock = {}\nregisters = 16\n"
      "arguments = [{{ buffer = 'table' }}, {{ buffer = 'out' }}, {{ buffer = 'cells' }}]\n",
      3 * table_.size(), shape_.ctas * threads() * (acts() + 1), shape_.ctas * kGlobalBytes / 8,
      shape_.ctas, threads());
}

std::string AtomicProgram::atomicText(const Step& step, unsigned number) const {
  const bool wide = step.type.bytes == 8;
  const char* const guard = step.branches ? "" : "@%p1 ";
  const auto operand = [&](const char* name) {
    return wide ? fmt::format("%{}{}", name, number) : fmt::format("%n{}", name);
  };
  std::string text;
  if (!wide) text += fmt::format("cvt.u32.u64 %nb, %b{0}; cvt.u32.u64 %nc, %c{0};\n", number);
  text += fmt::format("setp.ne.u64 %p1, %o{}, -1;\n", number);
  if (step.branches) text += fmt::format("@!%p1 bra SKIP{};\n", number);
  text += fmt::format("{}{}{}.{}{} {}[%{}{}], {}{};\n", guard, step.returns ? "atom" : "red",
                      step.generic ? "" : ".shared", nameOf(step.kind), typeOf(step),
                      step.returns ? operand("v") + ", " : "", step.generic ? 'g' : 's', number,
                      operand("b"), step.kind == AtomicKind::Cas ? ", " + operand("c") : "");
  if (step.returns && !wide) text += fmt::format("{}cvt.u64.u32 %v{}, %nv;\n", guard, number);
  if (step.branches) text += fmt::format("SKIP{}:\n", number);
  // Updates the thread's own word.
  return text + fmt::format(
                    "ld.shared.u64 %own, [%mine]; mad.lo.u64 %own, %own, 5, {}; "
                    "st.shared.u64 [%mine], %own;\n",
                    number);
}

// Fetches the operands of a phase first, so that global memory does not spread its atomics in time.
std::string AtomicProgram::phaseText(unsigned phase) const {
  std::string text;
  const unsigned first = phase * perPhase();
  for (unsigned i = first; i < first + perPhase(); ++i)
    text += fmt::format(
        "ld.global.u64 %o{0}, [%table+{1}]; ld.global.u64 %b{0}, [%table+{2}]; "
        "ld.global.u64 %c{0}, [%table+{3}]; mov.u64 %v{0}, 0;\n"
        "cvt.u32.u64 %s{0}, %o{0}; add.u32 %s{0}, %s{0}, %mem;\n"
        "setp.lt.u64 %p2, %o{0}, {4}; sub.u64 %gw, %o{0}, {4}; add.u64 %gw, %gw, %cells; "
        "add.u64 %gs, %o{0}, %gmem; selp.u64 %g{0}, %gs, %gw, %p2;\n",
        i, 24 * i, 24 * i + 8, 24 * i + 16, std::uint64_t{kGlobal});
  text += "bar.sync 0;\n";
  for (unsigned i = 0; i < shape_.atomics; ++i) text += atomicText(steps_[phase][i], first + i);
  text += fmt::format(
      "bar.sync 0;\nld.u32 %nv, [%g{0}]; cvt.u64.u32 %v{0}, %nv; setp.eq.u32 %p3, %halves, 1;\n"
      "@%p3 ld.u64 %v{0}, [%g{0}];\nbar.sync 0;\n"
      "setp.ne.u64 %p1, %o{1}, -1; and.pred %p4, %p1, %p3; not.pred %p5, %p3; "
      "and.pred %p5, %p5, %p1; cvt.u32.u64 %nb, %b{1};\n"
      "@%p4 st.shared.u64 [%s{1}], %b{1};\n@%p5 st.shared.u32 [%s{1}], %nb;\nbar.sync 0;\n",
      first + shape_.atomics, first + shape_.atomics + 1);
  for (unsigned i = first; i < first + perPhase(); ++i)
    text += fmt::format("st.global.u64 [%out+{}], %v{};\n", 8 * i, i);
  return text;
}

std::string AtomicProgram::ptx() const {
  std::uint64_t bits = 0;  // bit i is set if cell i has 64 bits
  for (std::size_t i = 0; i < cells_.size(); ++i) bits |= std::uint64_t{cells_[i].bytes == 8} << i;
  std::string text = fmt::format(
      ".version 7.0\n.target sm_75\n.address_size 64\n"
      ".visible .entry fuzz(.param .u64 table, .param .u64 out, .param .u64 cells) {{\n"
      ".shared .align 8 .b8 memory[{0}];\n"
      ".reg .pred %p<8>; .reg .b64 %o<{1}>, %b<{1}>, %c<{1}>, %v<{1}>, %g<{1}>; "
      ".reg .b32 %s<{1}>;\n"
      ".reg .b32 %nb, %nc, %nv, %mem, %mine, %tid, %cta, %thread, %halves, %which; "
      ".reg .b64 %table, %out, %cells, %gmem, %gs, %gw, %own;\n"
      "ld.param.u64 %table, [table]; ld.param.u64 %out, [out]; ld.param.u64 %cells, [cells];\n"
      "mov.u32 %tid, %tid.x; mov.u32 %cta, %ctaid.x; mov.u32 %thread, %ntid.x; "
      "mad.lo.u32 %thread, %cta, %thread, %tid;\n"
      "mad.wide.u32 %table, %thread, {2}, %table; mad.wide.u32 %out, %thread, {3}, %out; "
      "mad.wide.u32 %cells, %cta, {4}, %cells;\n"
      "mov.u32 %mem, memory; mov.u64 %gmem, memory; cvta.shared.u64 %gmem, %gmem; "
      "shl.b32 %mine, %tid, 3; add.u32 %mine, %mine, %mem; add.u32 %mine, %mine, {5};\n",
      shape_.sharedBytes, acts(), 24 * acts(), 8 * (acts() + 1), unsigned{kGlobalBytes},
      ownWords());
  // Tests if the thread's cell has 64 bits. The thread loads the cell, and stores to it if any
  // thread does.
  text += fmt::format(
      "rem.u32 %which, %tid, {}; mov.u64 %gs, {}; shr.u64 %gs, %gs, %which; "
      "cvt.u32.u64 %halves, %gs; and.b32 %halves, %halves, 1;\n"
      "cvt.u64.u32 %own, %tid; st.shared.u64 [%mine], %own; mov.u64 %gs, 0;\n",
      cells_.size(), bits);
  for (const AtomicCell& cell : cells_) {
    if (!cell.global)
      text += fmt::format("st.shared.u{} [memory+{}], {};\n", 8 * cell.bytes, cell.offset,
                          cell.bytes == 8 ? "%gs" : "0");
  }
  text += "bar.sync 0;\n";
  for (unsigned phase = 0; phase < shape_.phases; ++phase) text += phaseText(phase);
  return text +
         fmt::format("ld.shared.u64 %own, [%mine]; st.global.u64 [%out+{}], %own;\nret;\n}}\n",
                     8 * acts());
}

std::string AtomicProgram::wrong(const std::vector<std::uint64_t>& out) const {
  for (unsigned thread = 0; thread < shape_.ctas * threads(); ++thread) {
    std::uint64_t own = thread % threads();
    for (unsigned phase = 0; phase < shape_.phases; ++phase) {
      for (unsigned i = 0; i < shape_.atomics; ++i) own = own * 5 + phase * perPhase() + i;
    }
    if (out.at(std::size_t{thread} * (acts() + 1) + acts()) != own)
      return fmt::format("thread {}'s own word is wrong", thread);
  }
  for (unsigned cta = 0; cta < shape_.ctas; ++cta) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const std::string bad = checkCell(cta, cell, out);
      if (!bad.empty()) return fmt::format("CTA {}, cell {}: {}", cta, cell, bad);
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
      if (*after != folded) return fmt::format("{} instead of {}{}", *after, folded, in);
    } else if (!sequential(seen, value, *after)) {
      return fmt::format("no order of {} atomics gives what they returned{}", seen.size(), in);
    }
    value = stored.value_or(*after);
  }
  return "";
}

}  // namespace fermata::test
