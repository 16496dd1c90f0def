#include <fermata/stimuli/software_hash/shared_access.h>

#include <algorithm>

#include <fermata/stimuli/refuse.h>

namespace fermata::software_hash {
namespace {

using ptx::Operand;
using ptx::Statement;

/// Refuses a statement; `what` goes on behind its opcode.
template <class... Values>
[[noreturn]] void fail(const ptx::Ast& ast, const Statement& statement,
                       fmt::format_string<Values...> what, Values&&... values) {
  refuse({ast.fileName, statement.at.line, statement.at.column}, "'{}' {}", statement.opcode,
         fmt::format(what, std::forward<Values>(values)...));
}

std::vector<std::string> cut(std::string_view opcode) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t dot = opcode.find('.');
    parts.emplace_back(opcode.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    opcode.remove_prefix(dot + 1);
  }
}

bool has(const std::vector<std::string>& parts, const char* name) {
  return std::find(parts.begin() + 1, parts.end(), name) != parts.end();
}

bool isAccess(const std::string& mnemonic) {
  return mnemonic == "ld" || mnemonic == "ldu" || mnemonic == "st" || mnemonic == "atom" ||
         mnemonic == "red";
}

/// Returns true for loads and stores of whole rows of matrices; a lane cannot place its words
/// itself.
bool isMatrixAccess(const std::vector<std::string>& parts) {
  return parts[0] == "ldmatrix" || parts[0] == "stmatrix" ||
         (parts[0] == "wmma" && (has(parts, "load") || has(parts, "store")));
}

bool hasSpace(const std::vector<std::string>& parts) {
  return std::any_of(parts.begin() + 1, parts.end(), [](const std::string& part) {
    const std::string name = part.substr(0, part.find(':'));
    return name == "shared" || name == "global" || name == "local" || name == "const" ||
           name == "param";
  });
}

/// True for an instruction that reads factors by a descriptor of shared memory, or makes an address
/// in a cluster.
bool namesMemoryApart(const std::vector<std::string>& parts) {
  return parts[0] == "mapa" || (parts[0] == "wgmma" && has(parts, "mma_async")) ||
         (parts[0] == "tcgen05" && (has(parts, "mma") || has(parts, "cp")));
}

/// True for a copy, an operation on an mbarrier, an access to a cluster's shared memory, and
/// whatever else goes to an address in shared memory, but is no load, store or atomic.
bool goesItsOwnWay(const std::vector<std::string>& parts) {
  constexpr const char* kWays[] = {"cp", "mbarrier", "tensormap", "clusterlaunchcontrol"};
  return std::find(std::begin(kWays), std::end(kWays), parts[0]) != std::end(kWays) ||
         (parts[0] == "tcgen05" && (has(parts, "alloc") || has(parts, "commit"))) ||
         has(parts, "shared::cluster");
}

/// Returns the first operand that is an address in brackets; the PTX parser ensures that there is
/// one.
std::size_t addressOperand(const ptx::Ast& ast, const Statement& statement) {
  for (std::size_t k = 0; k < statement.operands.size(); ++k) {
    if (statement.operands[k].kind == Operand::Kind::Address) return k;
  }
  fail(ast, statement, "without an address; expected one such as [%r1+4]");
}

bool hasAddress(const Statement& statement) {
  return std::any_of(statement.operands.begin(), statement.operands.end(),
                     [](const Operand& one) { return one.kind == Operand::Kind::Address; });
}

}  // namespace

std::optional<SharedAccess> sharedAccess(const ptx::Ast& ast, const Statement& statement,
                                         unsigned wordBytes) {
  SharedAccess access;
  access.parts = cut(statement.opcode);
  const std::string& mnemonic = access.parts.front();
  if (namesMemoryApart(access.parts) || (goesItsOwnWay(access.parts) && hasAddress(statement))) {
    fail(ast, statement,
         "goes to shared memory by an address of its own, which cannot be hashed; expected "
         "loads and stores");
  }
  if (!isAccess(mnemonic) || !(has(access.parts, "shared") || has(access.parts, "shared::cta")))
    return std::nullopt;
  if (mnemonic == "st") access.kind = SharedAccess::Kind::Store;
  if (mnemonic == "atom" || mnemonic == "red") access.kind = SharedAccess::Kind::Atomic;
  const auto type = ptx::typeNamed(access.parts.back());
  if (!type || *type == ptx::Type::Pred)
    fail(ast, statement, "has no type that can be hashed; expected one such as .u32 at its end");
  access.type = *type;
  access.elements = has(access.parts, "v4") ? 4 : has(access.parts, "v2") ? 2 : 1;
  access.addressOperand = addressOperand(ast, statement);
  access.dataOperand = access.kind == SharedAccess::Kind::Store ? 1 : 0;
  if (access.kind == SharedAccess::Kind::Atomic && access.bytes() > wordBytes) {
    fail(ast, statement,
         "updates {} bytes at once, but the hash puts neighbouring words into different banks; "
         "expected an atomic on 32 bits",
         access.bytes());
  }
  return access;
}

void refuseGenericAccesses(const ptx::Ast& ast) {
  const Statement* generic = nullptr;  // generic access through a register
  const Statement* maker = nullptr;    // makes a generic address of shared memory
  for (const auto& function : ast.functions) {
    for (const Statement& statement : function->statements) {
      const std::vector<std::string> parts = cut(statement.opcode);
      if (parts[0] == "cvta" && has(parts, "shared") && !has(parts, "to") && maker == nullptr)
        maker = &statement;
      const bool matrix = isMatrixAccess(parts);
      const bool shared = has(parts, "shared") || has(parts, "shared::cta");
      if (matrix && (shared || parts[0] != "wmma")) {
        fail(ast, statement,
             "accesses rows of matrices, whose words the hash would part; expected ld and st");
      }
      if (!(matrix || isAccess(parts[0])) || hasSpace(parts)) continue;
      const Operand& base = statement.operands[addressOperand(ast, statement)].elements.front();
      if (base.kind == Operand::Kind::Variable) {
        if (base.variable->space != ptx::VariableSpace::Shared) continue;
        fail(ast, statement,
             "is generic, so its address cannot be hashed; expected .shared behind '{}'", parts[0]);
      }
      if (generic == nullptr) generic = &statement;
    }
  }
  if (generic == nullptr || maker == nullptr) return;
  fail(ast, *generic,
       "is generic and might access shared memory, whose generic address '{}' makes at line {}; "
       "expected accesses with their state space, such as ld.shared.u32",
       maker->opcode, maker->at.line);
}

}  // namespace fermata::software_hash
