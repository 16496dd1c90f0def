// A platform's configuration: read from TOML, changed by path=value, checked in one place, printed
// so that it reads back.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/compose/instruction_hashes.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/results/records.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

/// Parameters, with where each value comes from.
class Configuration {
 public:
  /// Reads a platform file, which sets one parameter or more: an empty one is a mistake, since
  /// nothing would tell that every figure is a default. Every key is `value` or `{ value = ...,
  /// source = "..." }`. Throws InputError with file, line and column for an unknown key, a wrong
  /// type or an impossible value.
  static Configuration read(const std::string& path);
  static Configuration parse(const std::string& text, const std::string& fileName);

  /// Changes one parameter, as `--set path=value` does. Throws InputError.
  void set(const std::string& path, const std::string& value);
  /// Same, from "path=value".
  void apply(const std::string& assignment);
  /// Same, several; refuses a path that is given twice.
  void applyAll(const std::vector<std::string>& assignments);
  /// Checks what no single field shows (the indexer fits the memory, ...) and makes
  /// scratchpad.banks the count that the indexer has. A parameter that says nothing, since the
  /// platform has no such part, is refused once all has been set: until then it may get one.
  /// Throws InputError.
  void check();

  /// Valid after check(). Shared by every module that maps addresses.
  std::shared_ptr<const indexing::Indexer> buildIndexer() const;
  /// The same of the locks: what it calls banks are locks.
  std::shared_ptr<const indexing::Indexer> buildLocks() const;

  /// Valid after check().
  InstructionHashes instructionHashes() const;
  InstructionList conflictFree() const;

  const PlatformParameters& parameters() const { return parameters_; }
  /// Where the parameter of that path was given; the platform file, where it was not.
  SourceLocation place(const std::string& path) const;
  /// Effective parameters, those of the parts that there are, as a platform file: reads back to
  /// equal ones.
  std::string text() const;
  /// What differs from the platform file, in the order of describe().
  results::Settings changes() const;

 private:
  SourceLocation placeOf(const std::vector<std::string>& paths) const;
  bool standsAgainst(const std::string& path, const std::string& other) const;
  void giveAmi(const std::string& text, const SourceLocation& where);
  void share();
  std::shared_ptr<const indexing::Indexer> build(const std::string& path, const std::string& text,
                                                 std::uint32_t banks) const;
  void takeCount(const std::string& mapping, const std::string& count, std::uint32_t& banks,
                 const indexing::Indexer& indexer, const char* what) const;
  void setOne(const std::string& path, const std::string& value);
  void checkValues();
  void checkParts() const;

  PlatformParameters parameters_;
  std::string file_;
  std::map<std::string, SourceLocation> places_;  ///< by path, of what was given
  std::set<std::string> chosen_;                  ///< paths that were set
  std::map<std::string, std::string> sources_;    ///< by path
  std::map<std::string, std::string> originals_;  ///< by path, the file's value of what was set
  std::map<std::string, std::string> changes_;    ///< by path, the text of the new value
};

struct PlatformEntry {
  std::string name;
  std::string path;
  std::string description;
};

/// The platform files there are: of FERMATA_DATA when set, of the installation or of the build
/// otherwise.
std::vector<PlatformEntry> listPlatforms();
/// By name or by the path of a TOML file. Throws InputError naming the platforms there are.
Configuration openPlatform(const std::string& nameOrPath);
/// The same with these changes (path=value), checked.
Configuration openPlatform(const std::string& nameOrPath, const std::vector<std::string>& changes);

}  // namespace fermata::platforms
