// Registers per thread of the shipped kernels beside ptxas: results/silicon/registers.csv.
#include <fermata/stimuli/launch/compile_cuda.h>
#include <fermata/stimuli/ptx/machine_code.h>
#include <fermata/stimuli/traces/csv_rows.h>

#include <cmath>
#include <map>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

struct Errors {
  double sum = 0;
  unsigned within15 = 0;
  unsigned count = 0;

  void add(unsigned estimate, unsigned measured) {
    const double error = std::abs(double(estimate) / measured - 1);
    sum += error;
    within15 += error <= 0.15 ? 1 : 0;
    ++count;
  }
  double mean() const { return sum / count; }
};

std::shared_ptr<const ptx::Module> compiled(const std::string& workload, const std::string& arch) {
  const SourceLocation where{"registers.csv", 1, 1};
  CompileSettings settings;
  settings.arch = CompileSettings::Word{arch, where};
  return compileCuda(FERMATA_SOURCE_DIR "/stimuli/cuda/" + workload + ".cu", where, settings);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(register_counts)

BOOST_AUTO_TEST_CASE(estimates_come_near_ptxas) {
  const std::string path = FERMATA_SOURCE_DIR "/results/silicon/registers.csv";
  traces::CsvRows rows(traces::openInput(path), path);
  rows.next();  // names of the columns
  std::map<std::string, std::shared_ptr<const ptx::Module>> modules;
  Errors sm80, sm90;
  while (rows.next()) {
    const std::string workload(rows[0]), kernel(rows[1]);
    auto& module = modules[workload];
    if (module == nullptr) module = compiled(workload, std::string(rows[2]));
    const unsigned estimate = module->kernel(kernel).machineCode().registersPerThread;
    BOOST_TEST(estimate <= 255U);
    sm80.add(estimate, static_cast<unsigned>(std::stoul(std::string(rows[3]))));
    sm90.add(estimate, static_cast<unsigned>(std::stoul(std::string(rows[4]))));
  }
  BOOST_TEST(sm80.count == 121U);
  BOOST_TEST(sm80.mean() < 0.122);
  BOOST_TEST(sm80.within15 >= 86U);
  BOOST_TEST(sm90.mean() < 0.126);
  BOOST_TEST(sm90.within15 >= 83U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::launch
