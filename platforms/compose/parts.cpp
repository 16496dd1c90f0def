#include <fermata/platforms/compose/parts.h>

#include <fermata/platforms/compose/parameters.h>

#include <fmt/format.h>

#include <map>

namespace fermata::platforms {

namespace {

std::optional<MissingPart> missingStages(const PlatformParameters& p, const std::string& group,
                                         const std::string& path) {
  constexpr const char* by = "pipeline.organisation";
  const PipelineOrganisation organisation = p.core.issue.pipelines.organisation;
  const std::string why = std::string(by) + " is " + choiceName(organisation);
  const bool staged = isStaged(organisation);
  const bool ofStages = group == "pipeline" && path != by;
  if (ofStages && !staged)
    return MissingPart{by, why, "pipeline.organisation = \"elastic\", \"split\" or \"unified\""};
  const bool ofQueues = path == "pipeline.nonmem_queue" || path == "pipeline.premem_queue";
  if (ofQueues && organisation != PipelineOrganisation::Elastic)
    return MissingPart{by, why, "pipeline.organisation = \"elastic\""};
  const bool ofUnits = group == "pipelines" || group == "integer" || group == "float" ||
                       group == "special" || group == "double" || group == "tensor" ||
                       group == "tensor_memory" || group == "division" || group == "branch" ||
                       group == "barrier" || group == "exit" || group == "constant" ||
                       group == "collectors";
  if (ofUnits && staged) return MissingPart{by, why, "pipeline.organisation = \"decoupled\""};
  if (group == "tensor" && p.core.issue.pipelines.tensorUnits == 0)
    return MissingPart{"pipelines.tensor_units", "pipelines.tensor_units is 0", "tensor units"};
  const bool ofConstants = path == "constant.bytes" || path == "constant.miss_latency";
  if (ofConstants && p.core.issue.constantLine == 0)
    return MissingPart{"constant.line_bytes", "constant.line_bytes is 0",
                       "constant.line_bytes above 0"};
  if (path == "constant.miss_latency" && p.core.issue.constantBytes == 0)
    return MissingPart{"constant.bytes", "constant.bytes is 0", "constant.bytes above 0"};
  if (ofConstants && p.core.issue.pipelines.collectors.memory != 0)
    return MissingPart{"collectors.memory", "collectors.memory is above 0",
                       "collectors.memory = 0"};
  if (group == "subcore" && path != "subcore.queue" && p.core.issue.loadStore.subcore.queue == 0)
    return MissingPart{"subcore.queue", "subcore.queue is 0", "subcore.queue above 0"};
  if (group == "tensor_memory" && path != "tensor_memory.load_latency" &&
      !p.core.issue.pipelines.tensorMemory.exists())
    return MissingPart{"tensor_memory.load_latency", "tensor_memory.load_latency is 0",
                       "tensor_memory.load_latency above 0"};
  if (group == "tma" && path != "tma.load_interval" && !p.core.issue.bulkEngine.exists())
    return MissingPart{"tma.load_interval", "tma.load_interval is 0", "tma.load_interval above 0"};
  if (group == "cluster" && path != "cluster.latency" && !p.core.issue.cluster.exists())
    return MissingPart{"cluster.latency", "cluster.latency is 0", "cluster.latency above 0"};
  const bool ofSpacing = path == "scheduler.base_policy" || path == "scheduler.prediction" ||
                         path == "scheduler.let_memory_through" || group == "history";
  if (ofSpacing && !p.core.issue.policy->needs.spacesMemory)
    return MissingPart{"scheduler.policy", "scheduler.policy is not conflict-aware",
                       "scheduler.policy = \"conflict-aware\""};
  if (group == "history" && p.core.issue.inOrder.spacing.prediction != ConflictPrediction::History)
    return MissingPart{"scheduler.prediction", "scheduler.prediction is not history",
                       "scheduler.prediction = \"history\""};
  return std::nullopt;
}

/// Returns the conflict policy with this parameter; null: none has it.
const Descriptor<ConflictPolicy>* policyOf(const std::string& path) {
  for (const Descriptor<ConflictPolicy>* policy : Descriptor<ConflictPolicy>::table()) {
    for (const PolicyParameter& parameter : policy->parameters) {
      if (parameter.path != nullptr && path == parameter.path) return policy;
    }
  }
  return nullptr;
}

bool uses(const PlatformParameters& p, const Descriptor<ConflictPolicy>& policy) {
  const Chosen<ConflictPolicy> chosen(policy);
  return p.crossbar.conflictPolicy == chosen ||
         (hasL1(p.globalMemory) && p.l1.conflictPolicy == chosen);
}

std::optional<MissingPart> missingMemory(const PlatformParameters& p, const std::string& group,
                                         const std::string& path) {
  const GlobalMemory memory = p.globalMemory;
  const auto missing = [&](const char* expected) {
    return MissingPart{"global.memory", std::string("global.memory is ") + choiceName(memory),
                       std::string("global.memory = ") + expected};
  };
  if (group == "l1" && !hasL1(memory)) return missing("\"l1\" or \"caches\"");
  if (group == "l2" && memory != GlobalMemory::Caches) return missing("\"caches\"");
  const bool ofFetch = group == "instruction" && p.core.issue.instructions.bytes != 0;
  if ((group == "interconnect" || group == "dram" || ofFetch) && isFlat(memory))
    return missing("\"dram\" or \"caches\"");
  if (path == "chip.of" && isFlat(memory)) return missing("\"dram\" or \"caches\"");
  const bool ofFlat = path == "global.latency" || path == "global.cycles_per_segment";
  if (ofFlat && !isFlat(memory)) return missing("\"flat\" or \"l1\"");
  const bool ofCoalescer = path == "global.coalescer_latency" || path == "global.segment_bytes";
  if (ofCoalescer && hasL1(memory)) return missing("\"flat\" or \"dram\"");
  if (path == "l1.conflict_policy" && p.l1.array == L1Array::Scratchpad)
    return MissingPart{"l1.array", "l1.array is scratchpad",
                       "scratchpad.conflict_policy, or l1.array = \"own\""};
  return std::nullopt;
}

}  // namespace

std::optional<MissingPart> missingPart(const PlatformParameters& p, const std::string& path) {
  const std::string group = path.substr(0, path.find('.'));
  if (auto missing = missingMemory(p, group, path)) return missing;
  const bool ofFetch = group == "instruction" && path != "instruction.bytes";
  if (ofFetch && p.core.issue.instructions.bytes == 0)
    return MissingPart{"instruction.bytes", "instruction.bytes is 0", "an instruction cache"};
  if (auto missing = missingStages(p, group, path)) return missing;
  if ((group == "lock" || path == "rtl.lock") && !p.crossbar.atomics->needs.locks)
    return MissingPart{"scratchpad.atomics", "scratchpad.atomics is not locked",
                       "scratchpad.atomics = \"locked\""};
  if (group == "atomic" && !p.crossbar.atomics->needs.forms)
    return MissingPart{"scratchpad.atomics", "scratchpad.atomics is not by-instruction",
                       "scratchpad.atomics = \"by-instruction\""};
  if (const auto* policy = policyOf(path); policy != nullptr && !uses(p, *policy))
    return MissingPart{"scratchpad.conflict_policy",
                       std::string("scratchpad.conflict_policy is not ") + policy->name,
                       fmt::format("scratchpad.conflict_policy = \"{}\"", policy->name)};
  return std::nullopt;
}

bool saysNone(const std::string& path, const std::string& value) {
  static const std::map<std::string, std::string> values{
      {"chip.of", "0"},
      {"chip.gpcs", ""},
      {"interconnect.gpc_answer_bytes_per_cycle", "0"},
      {"interconnect.gpc_request_bytes_per_cycle", "0"},
      {"dram.faw", "0"},
      {"dram.refi", "0"},
      {"dram.refresh_banks", "0"},
      {"dram.rfc", "0"},
      {"crossbar.packing_64", ""},
      {"crossbar.packing_128", ""},
      {"crossbar.idle_groups_count", "false"},
      {"instruction.bytes", "0"},
      {"l1.array_bytes", "0"},
      {"l1.fetch", "line"},
      {"l1.carveouts", ""},
      {"limits.shared_reserved", "0"},
      {"run.stall_limit", "10000000"},
      {"scheduler.wavefront_warps", "1"},
      {"tensor.float_sums", "1"}};
  const auto none = values.find(path);
  return none != values.end() && none->second == value;
}

}  // namespace fermata::platforms
