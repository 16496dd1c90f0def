#include <fermata/stimuli/traces/sass/kernel_source.h>

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fermata/results/files/output_file.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/compiled_format.h>
#include <fermata/stimuli/traces/sass/access_list.h>
#include <fermata/stimuli/traces/sass/kernel_reader.h>

namespace fermata::sass {

namespace {

namespace fs = std::filesystem;

class MemoryPieces : public PieceBytes {
 public:
  explicit MemoryPieces(std::string bytes) : bytes_(std::move(bytes)) {}
  void read(char* to, std::size_t size, std::uint64_t place) const override {
    if (place > bytes_.size() || size > bytes_.size() - place)
      throw std::logic_error("a piece beyond the trace");
    std::memcpy(to, bytes_.data() + place, size);
  }

 private:
  std::string bytes_;
};

class FilePieces : public PieceBytes {
 public:
  explicit FilePieces(std::unique_ptr<PlacedFile> file) : file_(std::move(file)) {}
  void read(char* to, std::size_t size, std::uint64_t place) const override {
    if (file_->read(to, size, place) == size) return;
    refuse({file_->path()},
           "the compiled trace was cut while it was read; expected what a replay wrote: remove it");
  }

 private:
  std::unique_ptr<PlacedFile> file_;
};

/// An unnamed file for the pieces of a trace that has no compiled form beside it.
class UnnamedFile {
 public:
  UnnamedFile() : file_(std::tmpfile()) {
    if (file_ == nullptr) fail();
  }
  ~UnnamedFile() {
    if (file_ != nullptr) std::fclose(file_);
  }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  void write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
  }
  std::unique_ptr<PieceBytes> pieces() {
    if (std::fflush(file_) != 0) fail();
    const int descriptor = ::dup(fileno(file_));
    if (descriptor < 0) fail();
    return std::make_unique<FilePieces>(
        std::make_unique<PlacedFile>(descriptor, "the temporary file of a trace"));
  }

 private:
  [[noreturn]] static void fail() {
    throw std::runtime_error(
        "cannot write the temporary file of a trace; expected room for its rows in TMPDIR");
  }
  std::FILE* file_;
};

FormTrailer trailerOf(const traces::ContentHash& trace, const OpcodeTable& opcodes,
                      const TraceSettings& settings) {
  FormTrailer trailer;
  trailer.unknownKnown = settings.unknownAsInteger ? 1 : 0;
  trailer.trace = trace;
  trailer.opcodes = opcodes.hash();
  return trailer;
}

bool fits(const FormTrailer& found, const FormTrailer& expected) {
  return found.magic == expected.magic && found.version == expected.version &&
         found.byteOrder == expected.byteOrder && found.unknownKnown == expected.unknownKnown &&
         found.trace == expected.trace && found.opcodes == expected.opcodes;
}

/// Writes the compiled form of a trace while its text is read.
class FormFile {
 public:
  explicit FormFile(const std::string& path) : path_(path), file_(path) {}

  void write(std::string_view bytes) {
    hasher_.add(bytes.data(), bytes.size());
    place_ += bytes.size();
    file_.write(bytes);
  }
  /// Ends the file and opens it.
  std::unique_ptr<PieceBytes> finish(const KernelForm& form, FormTrailer trailer) {
    trailer.formPlace = place_;
    write(formBytes(form));
    trailer.own = hasher_.hash();
    file_.write({reinterpret_cast<const char*>(&trailer), sizeof trailer});
    file_.commit();
    auto opened = std::make_unique<PlacedFile>(path_);
    FormTrailer found;
    if (opened->read(reinterpret_cast<char*>(&found), sizeof found, place_) != sizeof found ||
        !fits(found, trailer) || !(found.own == trailer.own))
      refuse({path_}, "another process changed the compiled trace; expected what was written");
    return std::make_unique<FilePieces>(std::move(opened));
  }

 private:
  std::string path_;
  files::OutputFile file_;
  traces::ContentHasher hasher_;
  std::uint64_t place_ = 0;
};

/// Returns the kernel of the compiled form beside the trace; nothing if there is none, or it does
/// not belong to the trace, the table of opcodes and the settings.
std::optional<OpenKernel> openCompiled(const std::string& path, const OpcodeTable& opcodes,
                                       const TraceSettings& settings) {
  const std::string beside = path + traces::kCompiledSuffix;
  std::error_code error;
  if (!fs::is_regular_file(beside, error)) return std::nullopt;
  auto file = std::make_unique<PlacedFile>(beside);
  FormTrailer trailer;
  const std::uint64_t size = file->size();
  if (size < sizeof trailer) return std::nullopt;
  const std::uint64_t end = size - sizeof trailer;
  if (file->read(reinterpret_cast<char*>(&trailer), sizeof trailer, end) != sizeof trailer)
    return std::nullopt;
  // The cheap comparisons come first: hashing the trace takes a while.
  if (!fits(trailer, trailerOf(trailer.trace, opcodes, settings)) || trailer.formPlace > end)
    return std::nullopt;
  const PlacedFile text(path);
  if (!(text.hash(text.size()) == trailer.trace) || !(file->hash(end) == trailer.own))
    return std::nullopt;
  std::string bytes(static_cast<std::size_t>(end - trailer.formPlace), '\0');
  if (file->read(bytes.data(), bytes.size(), trailer.formPlace) != bytes.size())
    return std::nullopt;
  OpenKernel open;
  if (!readForm(bytes, opcodes, settings, open.form)) return std::nullopt;
  // The text says where a value is that the settings do not allow.
  if (!isPlausible(open.form.header, settings) ||
      open.form.sharedEnd > sharedLimit(open.form.header, settings))
    return std::nullopt;
  open.pieces = std::make_unique<FilePieces>(std::move(file));
  return open;
}

/// Thrown out of the reading of a text: the compiled form cannot be written.
struct NoRoom {};

KernelForm readText(TraceLines& lines, const OpcodeTable& opcodes, const TraceSettings& settings,
                    PieceWriter::Sink sink) {
  return KernelReader(lines, opcodes, settings, std::move(sink)).read();
}

/// Compiles the text beside itself. Returns nothing if that cannot be written.
std::optional<OpenKernel> compileBeside(const std::string& path, const OpcodeTable& opcodes,
                                        const TraceSettings& settings) {
  std::optional<FormFile> file;
  try {
    file.emplace(path + traces::kCompiledSuffix);
  } catch (const std::runtime_error&) {
    return std::nullopt;  // such as a folder that cannot be written
  }
  OpenKernel open;
  TraceLines lines(openBytes(path), path);
  try {
    open.form = readText(lines, opcodes, settings, [&](std::string_view bytes) {
      try {
        file->write(bytes);
      } catch (const files::OutputError&) {
        throw NoRoom();
      }
    });
    try {
      open.pieces = file->finish(open.form, trailerOf(lines.hash(), opcodes, settings));
    } catch (const files::OutputError&) {
      throw NoRoom();
    }
  } catch (const NoRoom&) {
    return std::nullopt;
  }
  return open;
}

OpenKernel compileUnnamed(const std::string& path, const OpcodeTable& opcodes,
                          const TraceSettings& settings) {
  OpenKernel open;
  UnnamedFile file;
  TraceLines lines(openBytes(path), path);
  open.form =
      readText(lines, opcodes, settings, [&](std::string_view bytes) { file.write(bytes); });
  open.pieces = file.pieces();
  return open;
}

}  // namespace

OpenKernel readKernel(std::unique_ptr<TraceBytes> bytes, const std::string& file,
                      const OpcodeTable& opcodes, const TraceSettings& settings) {
  OpenKernel open;
  std::string pieces;
  TraceLines lines(std::move(bytes), file);
  open.form = readText(lines, opcodes, settings, [&](std::string_view more) { pieces += more; });
  open.pieces = std::make_unique<MemoryPieces>(std::move(pieces));
  return open;
}

OpenKernel openKernel(const std::string& path, const OpcodeTable& opcodes,
                      const SassOptions& options) {
  if (isAccessListName(path)) {
    OpenKernel open;
    UnnamedFile file;
    TraceLines lines(std::make_unique<AccessListBytes>(openBytes(path), path), path,
                     kListHeadLines);
    open.form = readText(lines, opcodes, options.settings,
                         [&](std::string_view bytes) { file.write(bytes); });
    open.pieces = file.pieces();
    return open;
  }
  constexpr std::uintmax_t kInMemory = std::uintmax_t{1} << 20;
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  const bool packed = packingOf(path) != Packing::Plain;
  if (!error && options.compileFrom != SassOptions::kNever && size >= options.compileFrom) {
    if (auto open = openCompiled(path, opcodes, options.settings)) return std::move(*open);
    if (auto open = compileBeside(path, opcodes, options.settings)) return std::move(*open);
  }
  if (error || (size < kInMemory && !packed))
    return readKernel(openBytes(path), path, opcodes, options.settings);
  return compileUnnamed(path, opcodes, options.settings);
}

}  // namespace fermata::sass
