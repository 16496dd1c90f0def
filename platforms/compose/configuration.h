// A platform's configuration: read from TOML, changed by path=value, checked in one place, and
// printed so that it reads back.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/compose/instruction_hashes.h>
#include <fermata/results/records.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

struct Field;
struct PlatformDocument;
struct PlatformParameters;

/// An error in a platform file or a change of one.
class PlatformError : public InputError {
 public:
  explicit PlatformError(const InputError& error) : InputError(error) {}
};

/// Parameters, and where each value comes from.
class Configuration {
 public:
  /// Every parameter has its default.
  Configuration();
  /// Reads a platform file. The file must set at least one parameter: with an empty one nothing
  /// would tell that every figure is a default. Every key is `value` or `{ value = ..., source =
  /// "..." }`. A file may begin from another one: `base` is the name of a platform file beside it
  /// or of a shipped platform, or a path relative to the file. Throws InputError with file, line
  /// and column for an unknown key, a wrong type or an impossible value.
  static Configuration read(const std::string& path);
  static Configuration parse(const std::string& text, const std::string& fileName);

  /// Changes one parameter, as `--set path=value` does. Throws InputError.
  void set(const std::string& path, const std::string& value);
  /// Changes one parameter, from "path=value". Throws InputError.
  void apply(const std::string& assignment);
  /// Applies several assignments. Throws InputError for a path that is given twice.
  void applyAll(const std::vector<std::string>& assignments);
  /// Checks what no single field shows (the indexer fits the memory, ...) and sets scratchpad.banks
  /// to the count of the indexer. Refuses a parameter of a part that the platform does not have;
  /// only here, since a later assignment may bring the part. Throws InputError.
  void check();

  /// Builds the mapping of the scratchpad, to be shared by every module that maps addresses. Valid
  /// after check().
  std::shared_ptr<const indexing::Indexer> buildIndexer() const;
  /// Builds the mapping of words to locks; its banks are the locks. Valid after check().
  std::shared_ptr<const indexing::Indexer> buildLocks() const;

  /// Parses scratchpad.instruction_hashes. Valid after check().
  InstructionHashes instructionHashes() const;
  InstructionList conflictFree() const;

  const PlatformParameters& parameters() const { return *parameters_; }
  const std::string& name() const;
  const std::string& description() const;
  /// Returns where the parameter was given, or the platform file if it was not.
  SourceLocation place(const std::string& path) const;
  /// Returns the effective parameters as a platform file, without those of absent parts. The text
  /// reads back to equal parameters.
  std::string text() const;
  /// Returns what differs from the platform file, in the order of describe().
  results::Settings changes() const;

 private:
  /// The place of a value that was given, and how far it is from the default: 1 in the outermost
  /// base, one more in each file that builds on it, kSet for --set. A higher level outweighs.
  struct Given {
    SourceLocation where;
    unsigned level;
  };
  static constexpr unsigned kSet = 1000;

  /// Returns the parameters for a change. Copies them first if another configuration shares them.
  PlatformParameters& own();
  unsigned levelOf(const std::string& path) const;
  void give(const std::string& path, const SourceLocation& where);
  SourceLocation placeOf(const std::vector<std::string>& paths) const;
  bool standsAgainst(const std::string& path, const std::string& other) const;
  void take(PlatformDocument& document, const std::vector<Field>& fields);
  std::vector<std::string> giveAmi(const std::string& text, const SourceLocation& where,
                                   const std::vector<Field>& fields);
  void share();
  std::shared_ptr<const indexing::Indexer> build(const std::string& path, const std::string& text,
                                                 std::uint32_t banks) const;
  void takeCount(const std::string& mapping, const std::string& count, std::uint32_t& banks,
                 const indexing::Indexer& indexer, const char* what) const;
  void setOne(const std::string& path, const std::string& value);
  void checkValues();
  void checkParts() const;

  /// Shared with copies of this configuration until one of them changes. Held by pointer, so that
  /// files that read no parameter do not include parameters.h.
  std::shared_ptr<PlatformParameters> parameters_;
  std::string file_;
  unsigned level_ = 0;                          ///< of the file
  std::map<std::string, Given> given_;          ///< by path
  std::map<std::string, std::string> sources_;  ///< source of each value, by path
  /// Value in the file of each parameter that was set, by path.
  std::map<std::string, std::string> originals_;
  std::map<std::string, std::string> changes_;  ///< text of each new value, by path
};

struct PlatformEntry {
  std::string name;
  std::string path;
  std::string description;
};

/// Returns the available platform files: those of FERMATA_DATA if it is set, otherwise those of the
/// installation or the build.
std::vector<PlatformEntry> listPlatforms();
/// Opens a platform by name or by the path of a TOML file. Throws InputError that names the
/// available platforms.
Configuration openPlatform(const std::string& nameOrPath);
/// Opens a platform, applies `changes` (path=value) and checks the result.
Configuration openPlatform(const std::string& nameOrPath, const std::vector<std::string>& changes);

}  // namespace fermata::platforms
