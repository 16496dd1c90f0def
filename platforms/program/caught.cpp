#include <fermata/platforms/program/caught.h>

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <systemc>

#include <fermata/models/core/occupancy.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/stimuli/launch/check.h>
#include <fermata/stimuli/launch/compile_cuda.h>
#include <fermata/stimuli/ptx/fault.h>

namespace fermata::platforms {

namespace {

const char* const kTooLarge =
    "this takes more memory than there is; expected a smaller workload, or a larger machine";

/// Returns the diagnostic of an error with a place.
Diagnostic placed(const InputError& error, const std::string& kind) {
  const std::string what = error.what();
  const InputError bare(error.where(), "");
  const std::size_t prefix = std::string(bare.what()).size();
  Diagnostic one = diagnosticOf(what.substr(std::min(prefix, what.size())), kind);
  if (!error.where().file.empty()) one.where = error.where();
  return one;
}

Diagnostic faultOf(const ptx::Fault& fault) {
  Diagnostic one = placed(fault, "launch");
  const ptx::FaultPlace& place = fault.place();
  one.texts.emplace_back("kernel", place.kernel);
  if (place.address) one.texts.emplace_back("address", fmt::format("{:#x}", *place.address));
  for (const auto& [name, value] : {std::pair{"cta_x", place.cta[0]},
                                    {"cta_y", place.cta[1]},
                                    {"cta_z", place.cta[2]},
                                    {"warp", place.warp}})
    one.numbers.emplace_back(name, value);
  if (place.lane >= 0) one.numbers.emplace_back("lane", place.lane);
  if (place.line != 0) {
    one.texts.emplace_back("ptx", fault.where().file);
    one.numbers.emplace_back("ptx_line", fault.where().line);
    one.where = {place.file, place.line, 0};
  }
  return one;
}

}  // namespace

Caught diagnose() {
  Caught result = caught();
  std::vector<Diagnostic>& all = result.diagnostics;
  try {
    throw;
  } catch (const Diagnosed& error) {
    all = error.diagnostics;
  } catch (const launch::CompileError& error) {
    all = compilerDiagnostics(error.said());
    all.push_back(diagnosticOf(error.summary(), "compile"));
    all.back().where = error.where();
  } catch (const ptx::Fault& fault) {
    all = {faultOf(fault)};
  } catch (const PlatformError& error) {
    all = {placed(error, "platform")};
  } catch (const InputError& error) {
    all = {placed(error, "input")};
  } catch (const OccupancyError& error) {
    all = {diagnosticOf(error.what(), "launch")};
  } catch (const launch::CheckError& error) {
    all = {diagnosticOf(error.what(), "check")};
  } catch (...) {
    all = {diagnosticOf(result.what, result.badInput ? "input" : "failure")};
  }
  return result;
}

Caught caught() {
  try {
    throw;
  } catch (const BadInput& error) {
    return {true, error.what()};
  } catch (const sc_core::sc_report& error) {
    return {false, error.get_msg()};
  } catch (const std::bad_alloc&) {
    return {false, kTooLarge};
  } catch (const std::length_error&) {  // thrown by a vector of too many elements
    return {false, kTooLarge};
  } catch (const std::exception& error) {
    return {false, error.what()};
  }
}

}  // namespace fermata::platforms
