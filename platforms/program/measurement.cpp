#include <fermata/platforms/program/measurement.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <thread>
#include <type_traits>

#include <fermata/platforms/program/number_text.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/timeline/timeline_output.h>
#include <fermata/platforms/program/wave_output.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using M = Measurement;
using OptionText = MeasurementOption::Text;

std::pair<std::uint64_t, std::uint64_t> parseLaunches(const std::string& text) {
  const auto range = parseNumberPair(text.find('-') == text.npos ? text + '-' + text : text, '-');
  if (range && range->first <= range->second) return *range;
  refuse("launches '{}'; expected a number or two, first-last, counted from 0: 3 or 3-7", text);
}

std::uint64_t numberIn(const char* variable, const std::string& text) {
  const auto value = parseNumber<std::uint64_t>(text);
  if (value.value_or(0) != 0) return *value;
  refuse("{} is '{}'; expected a whole number above 0", variable, text);
}

bool flagIn(const char* variable, const std::string& text) {
  if (text == "0" || text == "1") return text == "1";
  refuse("{} is '{}'; expected 1, 0 or nothing", variable, text);
}

void requireUnknownOpcodes(const std::string& text) {
  if (text != "integer") refuse("--unknown-opcodes '{}'; expected integer", text);
}

void requireCompile(const std::string& text) {
  if (text != "auto" && text != "now" && text != "off")
    refuse("--compile '{}'; expected auto, now or off", text);
}

std::vector<std::string> linesIn(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

void read(const MeasurementOption& option, const std::string& text, Measurement& into) {
  std::visit(
      [&](const auto member) {
        using Value = std::decay_t<decltype(into.*member)>;
        if constexpr (std::is_same_v<Value, bool>) into.*member = flagIn(option.variable, text);
        if constexpr (std::is_same_v<Value, std::uint64_t>)
          into.*member = numberIn(option.variable, text);
        if constexpr (std::is_same_v<Value, std::string>) into.*member = text;
        if constexpr (std::is_same_v<Value, std::vector<std::string>>) into.*member = linesIn(text);
      },
      option.member);
}

}  // namespace

const std::vector<MeasurementOption>& measurementOptions() {
  static const std::vector<MeasurementOption> all{
      {"platform", "FERMATA_PLATFORM", &M::platform,
       "Selects the platform: a name (fermata platforms) or the path of a platform file",
       "a platform", "", OptionText::NameOrPath},
      {"set", "FERMATA_SET", &M::sets, "Sets a platform parameter: path=value. Repeatable.",
       "path=value"},
      {"workloads", "", &M::workloads,
       "Takes workloads: names (fermata workloads), launch files (.toml) or traces (.csv, "
       ".csv.zst; of real GPUs: .traceg, .trace, .tracez, kernelslist.g)",
       "a workload"},
      {"param", "", &M::parameters, "Sets a parameter of every workload: name=value. Repeatable.",
       "name=value"},
      {"entry", "", &M::entry,
       "Names the kernel to launch in a .cu or .ptx file that is given as the workload",
       "a kernel's name"},
      {"grid", "", &M::grid, "Sets the blocks of the grid: one to three sizes, such as 4,4",
       "sizes such as 4,4", "entry"},
      {"block", "", &M::block, "Sets the threads of a block: one to three sizes, such as 32,8",
       "sizes such as 32,8", "entry"},
      {"shared", "", &M::shared, "Sets the bytes of dynamic shared memory (default: 0)", "bytes",
       "entry"},
      {"arg", "", &M::arguments,
       "Passes the kernel's next argument: NAME=FILE.npy (an array that it reads), "
       "NAME=out:float32[64,64] (an array that it writes, dumped to NAME.npy), "
       "NAME=inout:FILE.npy (both), NAME=zero:float32[64] (zeros, not dumped) or NAME=int32:64 (a "
       "number). Repeatable, in the kernel's order.",
       "an argument", "entry"},
      {"arch", "", &M::arch, "Compiles the .cu for this architecture, such as sm_80",
       "an architecture", "entry"},
      {"include", "", &M::includes, "Adds a folder with headers of the .cu. Repeatable.",
       "a folder", "entry"},
      {"define", "", &M::defines, "Defines a macro of the .cu: NAME or NAME=value. Repeatable.",
       "a macro", "entry"},
      {"buffer", "", &M::buffers,
       "Fills a buffer of the launch file from an array of NumPy: NAME=FILE.npy. Repeatable.",
       "a buffer"},
      {"dump", "", &M::dumps,
       "Writes a buffer after the last launch: NAME=FILE.npy (an array of NumPy) or another file "
       "(raw elements), within the folder of --out. Repeatable.",
       "a buffer"},
      {"software-hash", "", &M::softwareHash,
       "Makes the kernels hash their shared addresses themselves, by a mapping such as 'xor k1=0 "
       "k2=5 mask=7' (see fermata softhash)",
       "a mapping such as 'perm k=1'"},
      {"budget", "FERMATA_BUDGET", &M::budget,
       "Limits the warp instructions of a launch. A launch beyond the limit counts as an infinite "
       "loop."},
      {"check-uninitialised", "FERMATA_CHECK_UNINITIALISED", &M::checkUninitialised,
       "Refuses reads of memory that was never written"},
      {"allow-stray-reads", "FERMATA_ALLOW_STRAY_READS", &M::allowStrayReads,
       "Lets kernels load outside of every buffer. Such loads give zeros and a warning."},
      {"functional", "FERMATA_FUNCTIONAL", &M::functional,
       "Executes every launch without timing it: no cycles"},
      {"compile", "FERMATA_COMPILE", &M::compile,
       "Says when kernels of launches that are not timed become code of the host, by clang-16: "
       "auto "
       "(once they are hot; the default), now (before they run) or off",
       "auto, now or off", "", OptionText::Plain, requireCompile},
      {"launches", "FERMATA_LAUNCHES", &M::launches,
       "Times only the launches with these numbers, counted from 0: 3 or 3-7. Executes the others "
       "without timing.",
       "a number or two", "", OptionText::Plain,
       [](const std::string& text) { (void)parseLaunches(text); }},
      {"sample", "FERMATA_SAMPLE", &M::sample,
       "Times a sample of the launches and of their CTAs, and executes the rest. Cycles and shared "
       "accesses are estimates with an error (95 %). Refuses --power, --record, --timeline, "
       "--functional."},
      {"unknown-opcodes", "", &M::unknownOpcodes,
       "Says what an opcode of a trace is that Fermata does not know: integer. Without it, such a "
       "trace is refused.",
       "integer", "", OptionText::Plain, requireUnknownOpcodes},
      {"trace-shared", "", &M::traceShared,
       "Sets the bytes of shared memory per CTA of traces of real GPUs, in the place of the "
       "header's shmem"},
      {"trace-registers", "", &M::traceRegisters,
       "Sets the registers per thread of traces of real GPUs, in the place of the header's nregs"},
      {"out", "FERMATA_OUT", &M::out, "", "a folder", "", OptionText::Path},
      {"", "FERMATA_ACCESSES", &M::accesses},
      {"power", "FERMATA_POWER", &M::prices,
       "Books energy at the prices of a table: a name (fermata prices) or the path of a .toml file",
       "a table of prices", "", OptionText::NameOrPath},
      {"window", "FERMATA_WINDOW", &M::window,
       "Sets the length of a window of power over time, in cycles", "", "power"},
      {"record", "FERMATA_RECORD", &M::record,
       "Writes a trace of the run (.csv or .csv.zst). A FIFO or a device gets plain CSV.", "a file",
       "", OptionText::Path, requireRecordingName},
      {"wave", "", &M::wave,
       "Writes the signals of RTL blocks (--set rtl.indexer=rtl and others) to a .fst file, for "
       "GTKWave",
       "a file"},
      {"wave-window", "", &M::waveWindow,
       "Limits the waves to the cycles from:to, without the last one (default: all cycles)",
       "from:to", "wave", OptionText::Plain,
       [](const std::string& text) { (void)parseWaveWindow(text); }},
      {"timeline", "FERMATA_TIMELINE", &M::timeline,
       "Writes what happens in each cycle, as tracks of warps, ports, banks, replays and barriers. "
       "The name of the file ends in " +
           timelineFormats(),
       "a file", "", OptionText::Path, requireTimelineName},
      {"timeline-window", "FERMATA_TIMELINE_WINDOW", &M::timelineWindow,
       fmt::format("Limits the timeline to the cycles from:to, without the last one (default: the "
                   "first {})",
                   kTimelineCycles),
       "from:to", "timeline", OptionText::Plain,
       [](const std::string& text) { (void)parseTimelineWindow(text); }},
      {"jobs", "FERMATA_JOBS", &M::threads,
       "Runs the SMs of a chip on so many threads, if its platform has epochs, and the CTAs of a "
       "launch that fermata exec does not time (default: on all cores of the machine). Timed "
       "results do not depend on it; of the others, what atomics of different CTAs return."},
      {"timing", "FERMATA_TIMING", &M::timing,
       "Adds wall_seconds, which makes files differ from run to run"},
      {"quiet", "", &M::quiet, "Omits the table and what kernels print"},
      {"", "FERMATA_TABLE", &M::table},
      {"", "FERMATA_ROWS", &M::rows},
      {"", "FERMATA_SPOOL", &M::spool}};
  return all;
}

unsigned threadsOfKernels(const Measurement& measurement) {
  constexpr std::uint64_t kMost = 32;  // each takes memory for the warps of a CTA
  const std::uint64_t asked =
      measurement.threads != 0 ? measurement.threads : std::thread::hardware_concurrency();
  return static_cast<unsigned>(std::clamp<std::uint64_t>(asked, 1, kMost));
}

bool Measurement::names(std::uint64_t launch) const {
  if (launches.empty()) return true;
  const auto [first, last] = parseLaunches(launches);
  return first <= launch && launch <= last;
}

void requireSound(const Measurement& measurement) {
  for (const MeasurementOption& option : measurementOptions()) {
    const auto* const member = std::get_if<std::string Measurement::*>(&option.member);
    if (member != nullptr && option.check != nullptr && !(measurement.**member).empty())
      option.check(measurement.**member);
  }
}

Measurement measurementOfEnvironment() {
  Measurement measurement;
  measurement.threads = 0;
  for (const MeasurementOption& option : measurementOptions()) {
    const char* const text = std::getenv(option.variable);
    if (text != nullptr && *text != '\0') read(option, text, measurement);
  }
  requireSound(measurement);
  return measurement;
}

bool isPlatformNamed() {
  const char* const text = std::getenv("FERMATA_PLATFORM");
  return text != nullptr && *text != '\0';
}

void requireOneLaunch(const Measurement& measurement) {
  if (measurement.timeline.empty()) return;
  if (!measurement.functional && !measurement.launches.empty()) {
    const auto [first, last] = parseLaunches(measurement.launches);
    if (first == last) return;
  }
  refuse("a timeline takes one launch; expected its number (--launches 3)");
}

void requireWithSample(const Measurement& measurement) {
  if (!measurement.sample) return;
  const std::pair<bool, const char*> whole[] = {
      {!measurement.prices.empty(),
       "--power: the energy of launches that are not timed is unknown"},
      {!measurement.record.empty(), "--record: a trace has whole launches"},
      {!measurement.timeline.empty(), "--timeline: a timeline has a whole launch"},
      {measurement.functional, "--functional, which times nothing"}};
  for (const auto& [given, why] : whole) {
    if (given) refuse("--sample with {}; expected one of the two", why);
  }
}

launch::WorkloadOptions kernelOptions(const Measurement& measurement,
                                      const PlatformParameters& platform) {
  launch::WorkloadOptions options;
  options.code = platform.core.code;
  options.instructionBudget = measurement.budget;
  options.checkUninitialised = measurement.checkUninitialised;
  options.allowStrayReads = measurement.allowStrayReads;
  options.bufferGap = platform.bufferGap;
  options.capability = static_cast<unsigned>(std::lround(platform.capability * 10));
  options.launch = measurement;
  return options;
}

sass::TraceSettings traceSettings(const Measurement& measurement) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  sass::TraceSettings settings;
  settings.unknownAsInteger = !measurement.unknownOpcodes.empty();
  const auto given = [&](std::uint64_t value, const char* option) -> std::optional<std::uint32_t> {
    if (value == 0) return std::nullopt;
    if (value > kMost) refuse("{} {}; expected at most {}", option, value, kMost);
    return static_cast<std::uint32_t>(value);
  };
  settings.shared = given(measurement.traceShared, "--trace-shared");
  settings.registers = given(measurement.traceRegisters, "--trace-registers");
  return settings;
}

std::optional<EnergyRequest> energyOf(const Measurement& measurement) {
  if (measurement.prices.empty()) return {};
  return EnergyRequest{openPriceTable(measurement.prices), measurement.window};
}

}  // namespace fermata::platforms
