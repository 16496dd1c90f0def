#include <fermata/stimuli/patterns/patterns.h>

#include <algorithm>

#include <fermata/models/vocabulary/atomic_table.h>
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/patterns/pattern_workload.h>

namespace fermata::patterns {

namespace {

using List = std::vector<PatternParameter>;

/// Adds the parameters that every pattern has.
List withCommon(List parameters, const char* threads, const char* ctas) {
  const List common{
      {"repeat", "1000", "accesses of each warp"},
      {"threads", threads, "threads of a CTA, 1 to 1024"},
      {"ctas", ctas, "CTAs of the grid"},
      {"compute", "0", "independent arithmetic instructions before each access"},
      {"chain", "0",
       "integer instructions before each access, each of which waits for the one before; the "
       "address waits for the last"},
      {"bytes", "4", "width of an element: 4, 8 or 16"},
      {"fill", "1", "1: fill the array first, element e with e; 0: only the loop"},
  };
  parameters.insert(parameters.end(), common.begin(), common.end());
  return parameters;
}

/// Adds the parameters of patterns whose accesses may be of any kind.
List withKind(List parameters, const char* threads = "256", const char* ctas = "8") {
  parameters.push_back({"operation", "load", "load, store or atomic (adds 1)"});
  parameters.push_back({"form", "plain",
                        "atomic: plain (atom.add), count (red.add of 1), swap (atom.cas), float, "
                        "double, half or wide (additions)"});
  parameters.push_back({"space", "shared",
                        "shared or global: every CTA has an array in shared "
                        "memory, or all have one in global memory"});
  parameters.push_back(
      {"dependent", "0", "1: each address waits for the access before, a load or an atomic"});
  parameters.push_back(
      {"sum", "0", "1: each word that a load brings is added to a sum, eight loads later"});
  return withCommon(std::move(parameters), threads, ctas);
}

std::vector<PatternEntry> makeList() {
  return {
      {"genindex",
       "van den Braak's micro-benchmark: each load is the next one's index; threads below `way` "
       "start at thread*stride, others at their own number; array[e] = e",
       withCommon({{"way", "32", "consecutive threads with the stride"},
                   {"stride", "32", "elements between their accesses"}},
                  "32", "8")},
      {"pattern-stride", "element stride*thread + offset",
       withKind(
           {{"stride", "1", "elements between threads"}, {"offset", "0", "element of thread 0"}},
           "32")},
      {"pattern-block",
       "element (m00*ty + m01*tx + o0)*cols + m10*ty + m11*tx + o1 of a 2-D block; the defaults "
       "read a 16x16 tile by columns",
       withKind({{"m00", "0", "rows a step of ty"},
                 {"m01", "1", "rows a step of tx"},
                 {"m10", "1", "columns a step of ty"},
                 {"m11", "0", "columns a step of tx"},
                 {"o0", "0", "row of thread (0, 0)"},
                 {"o1", "0", "column of thread (0, 0)"},
                 {"cols", "16", "elements a row"},
                 {"width", "16", "threads of the block in x"}})},
      {"pattern-random", "uniformly random elements, for each lane and access anew",
       withKind({{"seed", "1", "of the random numbers"}, {"words", "2048", "elements"}})},
      {"pattern-conflict",
       "a conflict degree of exactly `degree` under modulo `banks`, every lane its own element",
       withKind({{"degree", "2", "lanes on each bank, 1 to 32"},
                 {"banks", "32", "banks of the memory it is meant for"}})},
      {"pattern-broadcast", "`distinct` elements, shared by the lanes of a warp",
       withKind({{"distinct", "1", "elements, 1 to 32"},
                 {"neighbours", "0", "1: lanes side by side share; 0: in turn"}})},
      {"pattern-walk",
       "each access of a warp `step` elements behind its last one: streams, and chains of loads; "
       "element offset + cta_apart*cta + (apart*warp + step*access) mod words + lane",
       withKind({{"words", "2048", "elements after which the walks of a CTA turn round"},
                 {"step", "32", "elements from an access of a warp to its next one"},
                 {"apart", "32", "elements between the walks of neighbouring warps of a CTA"},
                 {"cta_apart", "0", "elements between neighbouring CTAs"},
                 {"offset", "0", "element of the first thread's first access"}})},
  };
}

void readForm(const Parameters& from, PatternShape& shape) {
  const std::string form = from.text("form");
  if (!choose(shape.form, form)) {
    from.fail("form=" + form + "; expected one of " + choiceNames<AtomicForm>());
  }
  if (shape.operation != MemoryOperation::Atomic) {
    if (shape.form == AtomicForm::Plain) return;
    from.fail("form=" + form + " with operation=" + from.text("operation") +
              "; expected operation=atomic");
  }
  const bool wide = shape.form == AtomicForm::Double || shape.form == AtomicForm::Wide;
  if (shape.bytes == (wide ? 8U : 4U)) return;
  from.fail("bytes=" + from.text("bytes") + " with operation=atomic form=" + form +
            "; expected bytes=" + (wide ? "8" : "4"));
}

PatternLaunch readLaunch(const std::string& name, const Parameters& from) {
  constexpr std::int64_t kMany = 1'000'000'000'000;
  PatternLaunch launch;
  launch.name = name;
  launch.repeat = static_cast<std::uint64_t>(from.number("repeat", 1, kMany));
  launch.threads = static_cast<std::uint32_t>(from.number("threads", 1, 1024));
  launch.ctas = static_cast<std::uint64_t>(from.number("ctas", 1, kMany));
  PatternShape& shape = launch.shape;
  shape.chain = static_cast<std::uint32_t>(from.number("chain", 0, 1024));
  shape.compute = static_cast<std::uint32_t>(from.number("compute", 0, 1024));
  shape.bytes = 4U << from.choice("bytes", {"4", "8", "16"});
  shape.fill = from.flag("fill");
  if (!from.has("operation")) {  // genindex: each load gives the next index
    shape.dependent = true;
    return launch;
  }
  shape.operation =
      static_cast<MemoryOperation>(from.choice("operation", {"load", "store", "atomic"}));
  if (from.choice("space", {"shared", "global"}) == 1) shape.space = MemorySpace::Global;
  readForm(from, shape);
  shape.dependent = from.flag("dependent");
  const bool counts = shape.form == AtomicForm::Count;
  if (shape.dependent && (shape.operation == MemoryOperation::Store || counts)) {
    from.fail("dependent=1 with operation=" + from.text("operation") +
              (counts ? " form=count" : "") +
              "; expected operation=load or operation=atomic of another form, whose result can be "
              "waited for");
  }
  shape.sum = from.flag("sum");
  if (shape.sum && (shape.operation != MemoryOperation::Load || shape.dependent)) {
    from.fail(
        "sum=1 with " +
        (shape.dependent ? std::string("dependent=1") : "operation=" + from.text("operation")) +
        "; expected loads that do not wait for one another");
  }
  return launch;
}

}  // namespace

const std::vector<PatternEntry>& listPatterns() {
  static const std::vector<PatternEntry> kList = makeList();
  return kList;
}

std::unique_ptr<Workload> openPattern(const std::string& name,
                                      const std::map<std::string, std::string>& parameters) {
  const auto& list = listPatterns();
  const auto entry = std::find_if(list.begin(), list.end(),
                                  [&](const PatternEntry& one) { return one.name == name; });
  if (entry == list.end()) {
    std::string names;
    for (const PatternEntry& one : list) names += (names.empty() ? "" : ", ") + one.name;
    throw InputError("unknown pattern '" + name + "'; expected one of " + names);
  }
  const Parameters from(*entry, parameters);
  const PatternLaunch launch = readLaunch(name, from);
  auto pattern = makeAddressPattern(name, from, {launch.threads, launch.ctas});
  return std::make_unique<PatternWorkload>(launch, std::move(pattern));
}

}  // namespace fermata::patterns
