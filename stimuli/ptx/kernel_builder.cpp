#include <fermata/stimuli/ptx/kernel_builder.h>

#include <algorithm>

#include <fermata/stimuli/ptx/declaration_parser.h>
#include <fermata/stimuli/ptx/register_limit.h>

namespace fermata::ptx {
namespace {

constexpr std::uint32_t kMaxRegisterIds = 0xfff0;
constexpr std::uint64_t kMaxRowBytes = std::uint64_t{1} << 26;

std::uint64_t alignedUp(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

KernelBuilder::KernelBuilder(const Ast& ast, const Function& entry)
    : ast_(ast),
      entry_(entry),
      used_(usedVariables(ast, entry)),
      code_(std::make_unique<KernelCode>()) {
  code_->name = entry.name;
  code_->fileName = ast.fileName;
  code_->addressBits64 = ast.addressBits == 64;
  code_->requiredThreads = entry.requiredThreads;
  code_->maximumThreads = entry.maximumThreads;
  code_->requiredCluster = entry.requiredCluster;
  code_->maximumClusterRank = entry.maximumClusterRank;
  code_->needsCluster = entry.needsCluster;
  code_->registerLimit = registerLimit(entry, ast.target);
  code_->warpRows.fill(kUnusedRow);
  code_->registerBytes = kWideRowBytes;  // row 0 is that of operands that an instruction has not
}

Row KernelBuilder::newRow(bool wide, const Position& at) {
  const bool apart = inCalled() && wide;  // wide rows of a frame
  std::uint32_t& end = apart ? wideBytes_ : code_->registerBytes;
  const Row row = end | (apart ? kCalledWideBit : 0U);
  end += wide ? kWideRowBytes : kRowBytes;
  if (end > kMaxRowBytes) fail(at, "'{}' uses too many registers", entry_.name);
  return row;
}

RegisterId KernelBuilder::newId(RegisterSlot slot, const Position& at) {
  if (code_->slots.size() >= kMaxRegisterIds) {
    fail(at, "'{}' uses more than {} registers", entry_.name, kMaxRegisterIds);
  }
  code_->slots.push_back(slot);
  return static_cast<RegisterId>(code_->slots.size() - 1);
}

const RegisterPlace& KernelBuilder::place(Frame& frame, std::uint32_t reg, const Position& at) {
  if (frame.registers.size() < frame.function->registers.size())
    frame.registers.resize(frame.function->registers.size());
  RegisterPlace& place = frame.registers[reg];
  if (place.id != kNoRegister) return place;
  const Register& declared = frame.function->registers[reg];
  if (declared.ofModule && inCalled()) {
    fail(at,
         "register '{}' is declared outside of '{}', which is called by its address or by itself; "
         "expected its own registers",
         declared.name, frame.function->name);
  }
  if (declared.ofModule) {
    RegisterPlace& common = moduleRegisters_[declared.name];
    if (common.id == kNoRegister) allocate(common, declared.type, at);
    place = common;
  } else {
    allocate(place, declared.type, at);
  }
  return place;
}

void KernelBuilder::allocate(RegisterPlace& place, Type type, const Position& at) {
  if (type == Type::Pred) {
    place.id = newId({0}, at);
    place.predicate = static_cast<std::uint16_t>(code_->predicateCount++);
  } else {
    const bool wide = bytesOf(type) == 8;
    place.row = newRow(wide, at);
    place.id = newId({static_cast<std::uint8_t>(wide ? 2 : 1), place.row}, at);
  }
}

FramePlace& KernelBuilder::parameterPlace(Frame& frame, const Variable& variable,
                                          const Position& at) {
  std::shared_ptr<FramePlace>& place = frame.parameters[&variable];
  if (place == nullptr) {
    place = std::make_shared<FramePlace>();
    for (std::uint64_t word = 0; word < (variable.bytes + 3) / 4; ++word) {
      place->words.push_back(newRow(false, at));
      place->ids.push_back(newId({1, place->words.back()}, at));
    }
  }
  return *place;
}

Row KernelBuilder::scratchRow(bool wide) {
  Row& row = scratch_[wide ? 1 : 0];
  if (row == kUnusedRow) row = newRow(wide, entry_.at);
  return row;
}

RegisterId KernelBuilder::carryRegister(const Position& at) {
  if (carry_ == kNoRegister) carry_ = token(at);
  return carry_;
}

RegisterId KernelBuilder::token(const Position& at) {
  return newId({0}, at);
}

RegisterId KernelBuilder::groupToken(const Position& at) {
  if (group_ == kNoRegister) group_ = token(at);
  return group_;
}

const std::vector<RegisterId>& KernelBuilder::tensorTokens(const Position& at) {
  constexpr std::size_t kTokens = 8;
  while (tensorTokens_.size() < kTokens) tensorTokens_.push_back(token(at));
  return tensorTokens_;
}

RegisterId KernelBuilder::nextTensorToken(const Position& at) {
  const std::vector<RegisterId>& tokens = tensorTokens(at);
  return tokens[tensorAccesses_++ % tokens.size()];
}

Row KernelBuilder::addConstant(ConstantRow constant) {
  const auto key = std::make_tuple(static_cast<std::uint8_t>(constant.kind), constant.wide,
                                   constant.value, constant.variable);
  const auto found = constants_.find(key);
  if (found != constants_.end()) return found->second;
  constant.row = code_->constantBytes | kConstantBit;
  code_->constantBytes += constant.wide ? kWideRowBytes : kRowBytes;
  if (code_->constantBytes > kMaxRowBytes)
    fail(entry_.at, "'{}' uses too many constants", entry_.name);
  code_->constants.push_back(constant);
  constants_.emplace(key, constant.row);
  return constant.row;
}

Row KernelBuilder::constant(std::uint64_t value, bool wide) {
  return addConstant({ConstantRow::Kind::Value, wide, wide ? value : value & 0xffffffffU});
}

Row KernelBuilder::constant(ConstantRow::Kind kind, bool wide) {
  return addConstant({kind, wide});
}

Row KernelBuilder::address(const Variable& variable, std::int64_t offset, bool wide) {
  return addConstant(
      {ConstantRow::Kind::Address, wide, static_cast<std::uint64_t>(offset), &variable});
}

Row KernelBuilder::functionAddress(const Function& function, bool wide) {
  return addConstant({ConstantRow::Kind::Function, wide, function.number});
}

Row KernelBuilder::warpRow(WarpRow which) {
  Row& row = code_->warpRows[static_cast<std::size_t>(which)];
  if (row == kUnusedRow) row = newRow(false, entry_.at);
  return row;
}

void KernelBuilder::layOutShared() {
  std::vector<const Variable*> order = used_.ofModule;
  for (const Function* function : used_.functions) {
    for (const auto& variable : function->variables) order.push_back(variable.get());
  }
  std::uint64_t top = 0;
  std::vector<const Variable*> dynamic;
  for (const Variable* variable : order) {
    if (variable->space != VariableSpace::Shared || used_.all.count(variable) == 0) continue;
    if (variable->isExtern) {
      dynamic.push_back(variable);
      code_->dynamicSharedAlignment = std::max(code_->dynamicSharedAlignment, variable->alignment);
      continue;
    }
    top = alignedUp(top, variable->alignment);
    shared_[variable] = static_cast<std::uint32_t>(top);
    code_->sharedNames.push_back(
        message("'{}' at {} to {}", variable->name, top, top + variable->bytes - 1));
    top += variable->bytes;
    if (top > kMaxStaticShared) {
      fail(variable->at, "'{}' declares {} bytes of shared memory with '{}'; expected at most {}",
           entry_.name, top, variable->name, kMaxStaticShared);
    }
  }
  code_->usesDynamicShared = !dynamic.empty();
  if (!dynamic.empty()) top = alignedUp(top, code_->dynamicSharedAlignment);
  for (const Variable* variable : dynamic) {
    shared_[variable] = static_cast<std::uint32_t>(top);
    code_->sharedNames.push_back(message("'{}' (dynamic) from {}", variable->name, top));
  }
  code_->staticSharedBytes = static_cast<unsigned>(top);
}

std::uint32_t KernelBuilder::sharedOffset(const Variable& variable, const Position& at) const {
  const auto found = shared_.find(&variable);
  if (found == shared_.end()) fail(at, "'{}' is not in shared memory", variable.name);
  return found->second;
}

void KernelBuilder::layOutParameters() {
  std::uint64_t top = 0;
  for (const Formal& formal : entry_.parameters) {
    if (formal.variable == nullptr)
      fail(entry_.at, "entry '{}' has a .reg parameter; expected .param", entry_.name);
    const Variable& variable = *formal.variable;
    top = alignedUp(top, variable.alignment);
    parameters_[&variable] = static_cast<std::uint32_t>(top);
    const KernelParameter parameter{variable.name,
                                    static_cast<unsigned>(top),
                                    static_cast<unsigned>(variable.bytes),
                                    variable.alignment,
                                    std::string(nameOf(variable.type)),
                                    static_cast<unsigned>(variable.count),
                                    isFloat(variable.type),
                                    variable.isArray};
    code_->parameters.push_back(parameter);
    top += variable.bytes;
    if (top > kMaxParameterBytes)
      fail(variable.at, "the parameters of '{}' take more than {} bytes", entry_.name,
           kMaxParameterBytes);
  }
  code_->parameterBytes = static_cast<unsigned>(top);
}

std::uint32_t KernelBuilder::parameterOffset(const Variable& variable) const {
  const auto found = parameters_.find(&variable);
  return found == parameters_.end() ? 0 : found->second;
}

void KernelBuilder::addLocal(const Variable& variable,
                             std::unordered_map<const Variable*, std::uint32_t>& to) {
  const bool parameter = variable.space == VariableSpace::Parameter;  // copied word by word
  localTop_ = alignedUp(localTop_, std::max(variable.alignment, parameter ? 4U : 1U));
  localAlignment_ = std::max(localAlignment_, variable.alignment);
  to[&variable] = static_cast<std::uint32_t>(localTop_);
  localTop_ += parameter ? alignedUp(variable.bytes, 4) : variable.bytes;
  if (localTop_ > kMaxLocalBytes)
    fail(variable.at, "a thread of '{}' has more than {} bytes of local memory", entry_.name,
         kMaxLocalBytes);
}

void KernelBuilder::layOutModuleLocals() {
  for (const Variable* variable : used_.ofModule) {
    if (variable->space == VariableSpace::Local) addLocal(*variable, moduleLocals_);
  }
}

std::uint32_t KernelBuilder::localOffset(const Frame& frame, const Variable& variable) const {
  const auto found = frame.locals.find(&variable);
  return found != frame.locals.end() ? found->second : moduleLocals_.at(&variable);
}

std::optional<RegisterPlace> KernelBuilder::localBase(const Frame& frame, const Variable& variable,
                                                      bool wide) {
  if (!inCalled() || frame.locals.count(&variable) == 0) return std::nullopt;
  RegisterPlace& place = localBase_[wide ? 1 : 0];
  if (place.id == kNoRegister) place = temporary(wide, variable.at);
  return place;
}

RegisterPlace KernelBuilder::temporary(bool wide, const Position& at) {
  RegisterPlace place;
  allocate(place, wide ? Type::B64 : Type::B32, at);
  return place;
}

KernelBuilder::Rows KernelBuilder::exchangeRows(const Rows& rows) {
  const Rows before{code_->registerBytes, code_->predicateCount,      code_->localBytes,
                    code_->warpRows,      {scratch_[0], scratch_[1]}, localTop_};
  code_->registerBytes = rows.registerBytes;
  code_->predicateCount = rows.predicateCount;
  code_->localBytes = rows.localBytes;
  code_->warpRows = rows.warpRows;
  scratch_[0] = rows.scratch[0];
  scratch_[1] = rows.scratch[1];
  localTop_ = rows.localTop;
  return before;
}

void KernelBuilder::beginCalled() {
  Rows fresh;
  fresh.predicateCount = kFirstPredicate;
  fresh.warpRows.fill(kUnusedRow);
  outer_ = std::make_unique<Rows>(exchangeRows(fresh));
  localAlignment_ = 4;
  wideBytes_ = 0;
  localBase_[0] = localBase_[1] = {};
}

CalledFunction KernelBuilder::endCalled() {
  const Rows own = exchangeRows(*outer_);
  outer_.reset();
  CalledFunction called;
  called.localBytes = own.localBytes;
  called.localAlignment = localAlignment_;
  called.warpRows = own.warpRows;
  called.localBase = {localBase_[0].row, localBase_[1].row};
  for (unsigned k = 0; k < kWarpRows; ++k) {  // executePrologue() copies the entry's
    if (own.warpRows[k] != kUnusedRow) warpRow(static_cast<WarpRow>(k));
  }
  code_->calledNarrowBytes = std::max(code_->calledNarrowBytes, own.registerBytes);
  code_->calledWideBytes = std::max(code_->calledWideBytes, wideBytes_);
  code_->calledPredicates = std::max(code_->calledPredicates, own.predicateCount);
  return called;
}

void KernelBuilder::placeWideRowsOfFrames() {
  const auto move = [this](Row& row) {
    if (row != kUnusedRow && (row & kConstantBit) == 0 && (row & kCalledWideBit) != 0)
      row = (row & ~kCalledWideBit) + code_->calledNarrowBytes;
  };
  for (std::size_t pc = code_->entryEnd; pc < code_->instructions.size(); ++pc)
    eachRow(code_->instructions[pc], move);
  for (Row& row : code_->matrixRows) move(row);
  for (CalledFunction& called : code_->called) {
    for (Row& row : called.localBase) move(row);
  }
}

void KernelBuilder::enterLocals(Frame& frame, const std::vector<const Variable*>& addressed) {
  for (const Variable* variable : addressed) addLocal(*variable, frame.locals);
  for (const auto& variable : frame.function->variables) {
    if (variable->space == VariableSpace::Local) addLocal(*variable, frame.locals);
  }
  code_->localBytes = std::max(code_->localBytes, static_cast<unsigned>(alignedUp(localTop_, 4)));
}

void KernelBuilder::leaveLocals(Frame& frame) {
  for (const auto& local : frame.locals)
    localTop_ = std::min<std::uint64_t>(localTop_, local.second);
}

}  // namespace fermata::ptx
