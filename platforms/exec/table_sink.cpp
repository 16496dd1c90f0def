#include <fermata/platforms/exec/table_sink.h>

#include <fermata/results/files/output_set.h>
#include <fermata/stimuli/input_error.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

namespace fermata::exec {
namespace {

/// The texts that files start with.
class Beginnings {
 public:
  /// Returns false if the file has started with this text. Throws InputError if with another one.
  bool isNew(const std::string& file, std::string_view text) {
    const auto [begun, isNew] = begun_.emplace(file, text);
    if (isNew || begun->second == text) return isNew;
    throw InputError("two programs of this run write other columns into " + file +
                     "; expected the same settings (FERMATA_...) for both");
  }

 private:
  std::map<std::string, std::string> begun_;  ///< by file
};

class FolderSink : public TableSink {
 public:
  explicit FolderSink(const std::string& folder) : folder_(folder) { set_.makeFolder(folder_); }

  void begin(const std::string& file, std::string_view text) override {
    if (begun_.isNew(file, text)) append(file, text);
  }
  void append(const std::string& file, std::string_view text) override {
    files::OutputFile*& output = files_[file];
    if (output == nullptr) output = &set_.add(folder_ / file);
    output->write(text);
  }
  void put(const std::string& file, std::string_view text) override { whole_[file] = text; }
  void keep() override {}
  void finish() override {
    for (const auto& [file, text] : std::exchange(whole_, {})) append(file, text);
    set_.commit();
  }

 private:
  std::filesystem::path folder_;
  files::OutputSet set_;
  std::map<std::string, files::OutputFile*> files_;
  Beginnings begun_;
  std::map<std::string, std::string> whole_;
};

class TextSink : public TableSink {
 public:
  TextSink(std::string file, std::string& into) : file_(std::move(file)), into_(into) {}

  void begin(const std::string& file, std::string_view text) override {
    if (begun_.isNew(file, text)) append(file, text);
  }
  void append(const std::string& file, std::string_view text) override {
    if (file == file_) into_ += text;
  }
  void put(const std::string&, std::string_view) override {}
  void keep() override {}
  void finish() override {}

 private:
  std::string file_;
  std::string& into_;
  Beginnings begun_;
};

enum class Kind : std::uint32_t { Begin, Append, Put };

/// Header of each kept piece: lengths of the file's name and of the text, which follow.
struct Head {
  Kind kind = Kind::Append;
  std::uint32_t name = 0;
  std::uint64_t text = 0;
};

class SpoolSink : public TableSink {
 public:
  explicit SpoolSink(LaunchSpool spool) : spool_(std::move(spool)) {}

  void begin(const std::string& file, std::string_view text) override {
    add(Kind::Begin, file, text);
  }
  void append(const std::string& file, std::string_view text) override {
    add(Kind::Append, file, text);
  }
  void put(const std::string& file, std::string_view text) override { add(Kind::Put, file, text); }
  void keep() override {
    if (!pieces_.empty()) spool_.append(std::exchange(pieces_, {}));
  }
  void finish() override { keep(); }

 private:
  void add(Kind kind, const std::string& file, std::string_view text) {
    const Head head{kind, static_cast<std::uint32_t>(file.size()), text.size()};
    pieces_.append(reinterpret_cast<const char*>(&head), sizeof head);
    pieces_ += file;
    pieces_ += text;
  }

  LaunchSpool spool_;
  std::string pieces_;
};

}  // namespace

std::unique_ptr<TableSink> makeFolderSink(const std::string& folder) {
  return std::make_unique<FolderSink>(folder);
}

std::unique_ptr<TableSink> makeTextSink(std::string file, std::string& into) {
  return std::make_unique<TextSink>(std::move(file), into);
}

std::unique_ptr<TableSink> makeSpoolSink(LaunchSpool spool) {
  return std::make_unique<SpoolSink>(std::move(spool));
}

void readSpool(const LaunchSpool& spool, TableSink& to) {
  spool.forEach([&](std::string_view pieces) {
    while (!pieces.empty()) {
      Head head;
      std::memcpy(&head, pieces.data(), sizeof head);
      const std::string name(pieces.substr(sizeof head, head.name));
      const std::string_view text = pieces.substr(sizeof head + head.name, head.text);
      pieces.remove_prefix(sizeof head + head.name + head.text);
      switch (head.kind) {
        case Kind::Begin:
          to.begin(name, text);
          break;
        case Kind::Append:
          to.append(name, text);
          break;
        case Kind::Put:
          to.put(name, text);
          break;
      }
    }
    to.keep();
  });
}

}  // namespace fermata::exec
