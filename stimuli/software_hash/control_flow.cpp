#include <fermata/stimuli/software_hash/control_flow.h>

#include <algorithm>

namespace fermata::software_hash {
namespace {

using ptx::Operand;
using ptx::Statement;

constexpr std::uint32_t kNone = 0xffffffffU;

bool isA(const Statement& statement, std::string_view name) {
  return statement.opcode.substr(0, statement.opcode.find('.')) == name;
}

bool leaves(const Statement& statement) {
  return isA(statement, "bra") || isA(statement, "brx") || isA(statement, "ret") ||
         isA(statement, "exit");
}

}  // namespace

ControlFlow::ControlFlow(const ptx::Function& function) {
  findBlocks(function);
  findDominators();
  findLoops();
}

void ControlFlow::findBlocks(const ptx::Function& function) {
  const std::size_t count = function.statements.size();
  std::vector<bool> leader(count + 1, false);
  leader[0] = leader[count] = true;
  for (const ptx::Label& label : function.labels) leader[label.statement] = true;
  for (std::size_t k = 0; k < count; ++k) {
    if (leaves(function.statements[k])) leader[k + 1] = true;
  }
  for (std::size_t k = 0; k <= count; ++k) {
    if (leader[k]) first_.push_back(k);
    if (k < count) blockOf_.push_back(static_cast<std::uint32_t>(first_.size() - 1));
  }
  const std::size_t blocks = first_.size() - 1;
  next_.resize(blocks);
  before_.resize(blocks);
  leaves_.resize(blocks);
  bool table = false;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const Statement& statement = function.statements[last(b)];
    leaves_[b] = leaves(statement);
    table = table || isA(statement, "brx");
    if ((!leaves_[b] || statement.guarded) && b + 1 < blocks) next_[b].push_back(b + 1);
    if (!isA(statement, "bra")) continue;
    for (const Operand& operand : statement.operands) {
      if (operand.kind != Operand::Kind::Label) continue;
      const std::size_t to = function.labels[operand.index].statement;
      if (to < count) next_[b].push_back(blockOf_[to]);
    }
  }
  if (table) {  // its targets are not known here: nothing is known to be reached
    for (auto& to : next_) to.clear();
  }
  for (std::uint32_t b = 0; b < blocks; ++b) {
    for (const std::uint32_t to : next_[b]) before_[to].push_back(b);
  }
}

void ControlFlow::findDominators() {
  const std::size_t blocks = next_.size();
  dominator_.assign(blocks, kNone);
  order_.assign(blocks, kNone);
  if (blocks == 0) return;
  std::vector<std::uint32_t> post;
  std::vector<bool> seen(blocks, false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto& [block, edge] = stack.back();
    if (edge == next_[block].size()) {
      post.push_back(block);
      stack.pop_back();
      continue;
    }
    const std::uint32_t to = next_[block][edge++];
    if (seen[to]) continue;
    seen[to] = true;
    stack.emplace_back(to, 0);
  }
  std::reverse(post.begin(), post.end());
  for (std::uint32_t k = 0; k < post.size(); ++k) order_[post[k]] = k;
  dominator_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t block : post) {
      if (block == 0) continue;
      std::uint32_t common = kNone;
      for (std::uint32_t a : before_[block]) {
        if (dominator_[a] == kNone) continue;
        for (std::uint32_t b = common; b != kNone && a != b;) {
          while (order_[a] > order_[b]) a = dominator_[a];
          while (order_[b] > order_[a]) b = dominator_[b];
        }
        common = a;
      }
      changed = changed || dominator_[block] != common;
      dominator_[block] = common;
    }
  }
}

bool ControlFlow::dominates(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return true;
  if (dominator_[a] == kNone || dominator_[b] == kNone) return false;
  while (order_[b] > order_[a]) b = dominator_[b];
  return a == b;
}

/// Finds loops. A loop has an edge back to a header that dominates the edge's start; its blocks
/// reach that edge without passing the header.
void ControlFlow::findLoops() {
  for (std::uint32_t header = 0; header < next_.size(); ++header) {
    Loop loop{header, std::vector<bool>(next_.size(), false)};
    loop.body[header] = true;
    std::vector<std::uint32_t> waiting;
    for (const std::uint32_t from : before_[header]) {
      if (dominator_[from] != kNone && dominates(header, from)) waiting.push_back(from);
    }
    if (waiting.empty()) continue;
    while (!waiting.empty()) {
      const std::uint32_t block = waiting.back();
      waiting.pop_back();
      if (loop.body[block]) continue;
      loop.body[block] = true;
      for (const std::uint32_t from : before_[block]) {
        if (dominator_[from] != kNone) waiting.push_back(from);
      }
    }
    loops_.push_back(std::move(loop));
  }
}

std::optional<std::uint32_t> ControlFlow::beforeLoops(std::uint32_t definition,
                                                      std::uint32_t use) const {
  const Loop* outermost = nullptr;
  for (const Loop& loop : loops_) {
    if (!loop.body[use] || loop.body[definition]) continue;
    if (outermost == nullptr || order_[loop.header] < order_[outermost->header]) outermost = &loop;
  }
  if (outermost == nullptr || outermost->header == 0) return std::nullopt;
  const std::uint32_t place = dominator_[outermost->header];
  for (const Loop& loop : loops_) {
    if (loop.body[place] && !loop.body[outermost->header]) return std::nullopt;
  }
  return place;
}

}  // namespace fermata::software_hash
