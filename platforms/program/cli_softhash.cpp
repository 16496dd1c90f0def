// fermata softhash WORKLOAD|FILE TEXT: a kernel's PTX with the mapping in its own instructions.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/results/files/output_file.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/launch/catalog.h>
#include <fermata/stimuli/launch/compile_cuda.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/software_hash/rewrite.h>

namespace fermata::platforms {

namespace {

struct SoftHashOptions {
  std::string kernels;  ///< workload, launch file, .cu or .ptx
  software_hash::HashRequest hash;
  std::vector<std::string> parameters;
  std::string out;
  bool noReuse = false;
  RowOutput rows;
};

/// The kernels, and their launches if known.
struct Kernels {
  std::shared_ptr<const ptx::Module> alone;          ///< from a kernel file
  std::unique_ptr<launch::LaunchWorkload> workload;  ///< from a launch file

  const ptx::Module& module() const { return workload ? workload->module() : *alone; }
};

Kernels openKernels(const SoftHashOptions& options) {
  const std::string kind = std::filesystem::path(options.kernels).extension().string();
  const WorkloadParameters parameters = parseParameters(options.parameters);
  if (kind == ".ptx" || kind == ".cu") {
    if (!parameters.empty())
      refuse("--param {}: '{}' has no parameters; expected a workload or a launch file",
             parameters.begin()->first, options.kernels);
    return {launch::loadKernels(options.kernels, {options.kernels}), nullptr};
  }
  return {nullptr, launch::openLaunch(options.kernels, parameters)};
}

std::string fileText(const SoftHashOptions& options, const software_hash::Rewritten& rewritten) {
  return fmt::format("// fermata softhash: {}; {} banks, {} words of {} bytes\n{}",
                     options.hash.text, options.hash.banks, options.hash.words,
                     options.hash.bankBytes, rewritten.text);
}

void printChanges(const software_hash::Rewritten& rewritten, const RowOutput& rows) {
  using results::Align;
  results::Table table({{"kernel", Align::Left},
                        {"shared accesses", Align::Right},
                        {"instructions inserted", Align::Right},
                        {"static bytes before", Align::Right},
                        {"static bytes", Align::Right}});
  for (const software_hash::FunctionChange& change : rewritten.changes) {
    if (change.accesses == 0) continue;
    table.row({change.name, std::to_string(change.accesses), std::to_string(change.inserted),
               change.isEntry ? std::to_string(change.staticBefore) : "",
               change.isEntry ? std::to_string(change.staticAfter) : ""});
  }
  rows.print(table, std::cout);
}

/// Prints the dynamic shared memory that launches must provide: it is not part of the PTX.
void printDynamic(const Kernels& kernels, const software_hash::Rewritten& rewritten,
                  const software_hash::SoftwareHash& hash) {
  for (const software_hash::FunctionChange& change : rewritten.changes) {
    if (!change.dynamic) continue;
    if (!kernels.workload) {
      std::cout << fmt::format(
          "{} has dynamic shared memory, which its launch has to enlarge where the hash needs it; "
          "its launch file in place of the PTX tells by how much\n",
          change.name);
      continue;
    }
    std::uint32_t most = 0;
    for (const launch::PlannedLaunch& launch : kernels.workload->plan().launches) {
      if (launch.symbol == change.name) most = std::max(most, launch.dynamicSharedBytes);
    }
    if (most == 0) continue;
    std::cout << fmt::format("{} has {} bytes of dynamic shared memory; give it {}\n", change.name,
                             most,
                             hash.windowBytes(change.staticAfter + most) - change.staticAfter);
  }
}

void rewriteKernels(SoftHashOptions& options) {
  options.hash.reuse = !options.noReuse;
  const software_hash::SoftwareHash hash(options.hash);
  const Kernels kernels = openKernels(options);
  const software_hash::Rewritten rewritten =
      rewrite(kernels.module(), options.hash, software_hash::Lines::OneEach);
  if (options.out.empty()) {
    std::cout << fileText(options, rewritten);
    return;
  }
  files::OutputFile file(options.out, files::Streams::InPlace);
  file.write(fileText(options, rewritten));
  file.commit();
  printChanges(rewritten, options.rows);
  if (options.rows.isAsked()) return;
  std::cout << fmt::format("{} instructions an address, and at most one more with an offset\n",
                           hash.isIdentity() ? 0 : hash.instructions());
  printDynamic(kernels, rewritten, hash);
}

}  // namespace

void addSoftwareHashCommand(CLI::App& app, Invocation&) {
  const auto options = std::make_shared<SoftHashOptions>();
  CLI::App* command = app.add_subcommand(
      "softhash", "Rewrites a kernel's PTX so that it hashes its shared-memory addresses itself");
  command
      ->add_option("kernel", options->kernels,
                   "Takes the kernel: the name of a workload, a launch file (.toml) or a kernel "
                   "file (.ptx, .cu)")
      ->required()
      ->type_name("WORKLOAD");
  command
      ->add_option("hash", options->hash.text,
                   "Sets the mapping, linear over GF(2), for instance 'xor k1=0 k2=5 mask=7'")
      ->required()
      ->type_name("MAPPING");
  command
      ->add_option(
          "-o,--out", options->out,
          "Writes the PTX to this file and prints what has changed (default: prints the PTX)")
      ->check(notEmpty("a file"));
  command->add_option("--banks", options->hash.banks, "Sets the number of banks of the scratchpad")
      ->capture_default_str()
      ->transform(wholeNumber(1, 4096));
  command
      ->add_option("--bank-bytes", options->hash.bankBytes,
                   "Sets the width of a bank, in bytes: 4 or 8")
      ->capture_default_str()
      ->check(CLI::IsMember({4U, 8U}));
  command
      ->add_option("--words", options->hash.words,
                   "Sets the number of words of the scratchpad, each as wide as a bank")
      ->capture_default_str()
      ->transform(wholeNumber(1, 1U << 28));
  command
      ->add_option("--param", options->parameters,
                   "Sets a workload parameter: name=value. Repeatable.")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--no-reuse", options->noReuse,
                    "Hashes every access anew, even where its address was hashed just before");
  addRowOutput(*command, options->rows, "with --out, the table of changes");
  command->footer(
      "'fermata run WORKLOAD --software-hash MAPPING' runs workloads with the hash.\n"
      "Examples:\n  fermata softhash transpose 'xor k1=0 k2=5 mask=7' -o "
      "results/out/transpose.ptx");
  command->callback([options] { rewriteKernels(*options); });
}

}  // namespace fermata::platforms
