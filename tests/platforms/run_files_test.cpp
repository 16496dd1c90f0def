// Files that commands of the program leave: whole, together, at the requested place, and no others.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <csignal>
#include "tests/support/children.h"
#include "tests/support/csv_columns.h"

using namespace fermata::test;

namespace {

const char* const kKernel =
    ".version 4.2\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
    ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n.shared .align 4 .b8 s[128];\nmov.u32 %r1, 5;\n"
    "st.shared.u32 [s], %r1;\nld.param.u64 %rd1, [p];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

/// Returns a launch file of the kernel that dumps its buffer to `file`; empty: does not dump.
std::string launchFile(const std::string& file) {
  const std::string launch =
      "kernel = 'k.ptx'\n[buffers.p]\ntype = 'u32'\ncount = 1\nfill = 'zero'\n"
      "[[launch]]\nentry = 'k'\ngrid = 1\nblock = 32\narguments = [{ buffer = 'p' }]\n";
  return file.empty() ? launch : launch + "[[dump]]\nbuffer = 'p'\nfile = '" + file + "'\n";
}

const char* const kTables[] = {"runs.csv", "instructions.csv", "banks.csv", "schema.csv"};

struct Place : Folder {
  Place() {
    for (const char* folder : {"a", "b"}) {
      fs::create_directory(path / folder);
      write(std::string(folder) + "/k.ptx", kKernel);
      write(std::string(folder) + "/k.toml", launchFile(""));
    }
    write("k.ptx", kKernel);
    before = names();
  }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      all.insert(fs::relative(entry.path(), path).string());
    }
    return all;
  }
  bool nothingIsNew() const { return names() == before; }

  std::set<std::string> before;
};

std::set<std::string> valuesOf(const fs::path& file, const std::string& name) {
  const auto all = column(readFile(file), name);
  return {all.begin(), all.end()};
}

/// Waits until the FIFO has bytes and takes some. Returns false if its writer ended first.
bool takeSome(int fifo, pid_t writer) {
  for (;;) {
    pollfd wait{fifo, POLLIN, 0};
    ::poll(&wait, 1, 50);
    char bytes[64];
    if (::read(fifo, bytes, sizeof bytes) > 0) return true;
    if (::waitpid(writer, nullptr, WNOHANG) == writer) return false;
  }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(run_files, Place)

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_the_old_results) {
  runProgram("run gtx480 stride --quiet --out d", path).ok();
  std::vector<std::string> old;
  for (const char* name : kTables) old.push_back(readFile(path / "d" / name));
  const auto files = names();
  // The limit, in blocks of 512 bytes, has room for runs.csv but not for instructions.csv.
  const std::string command = "cd '" + path.string() +
                              "' && (ulimit -f 8; '" FERMATA_PROGRAM
                              "' run gtx480 transpose lud --quiet --out d 2> error)";
  const int status = std::system(command.c_str());
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 1));
  BOOST_TEST(has(readFile(path / "error"), "fermata: error: cannot write d/"));
  BOOST_TEST(has(readFile(path / "error"), ": File too large"));
  fs::remove(path / "error");
  for (std::size_t i = 0; i < old.size(); ++i) {
    BOOST_TEST((readFile(path / "d" / kTables[i]) == old[i]), kTables[i]);
  }
  BOOST_TEST((names() == files));
}

// The program blocks in the middle of its run while nobody reads its trace.
BOOST_DATA_TEST_CASE(a_signal_leaves_nothing, bdata::make({SIGINT, SIGTERM, SIGHUP}), signal) {
  write("d.toml", launchFile("made/too.bin"));
  BOOST_REQUIRE(::mkfifo((path / "fifo").c_str(), 0600) == 0);
  before = names();
  const int fifo = ::open((path / "fifo").c_str(), O_RDONLY | O_NONBLOCK);
  const pid_t child = startChild([&] {
    if (::chdir(path.c_str()) != 0) return 99;
    ::execl(FERMATA_PROGRAM, "fermata", "run", "gtx480", "lud", "--quiet", "--out", "new/d",
            "--record", "fifo", static_cast<char*>(nullptr));
    return 99;
  });
  BOOST_REQUIRE(takeSome(fifo, child));
  BOOST_TEST(fs::exists(path / "new" / "d"));
  BOOST_REQUIRE(::kill(child, signal) == 0);
  const int status = waitFor(child);
  ::close(fifo);
  BOOST_TEST((WIFSIGNALED(status) && WTERMSIG(status) == signal));
  BOOST_TEST(nothingIsNew());
  BOOST_TEST(fs::is_fifo(path / "fifo"));
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_leaves_no_folder_no_dump_and_no_trace) {
  write("d.toml", launchFile("sub/p.bin"));
  write("bad.toml", launchFile("") + "[[check]]\nbuffer = 'p'\nfile = 'none.bin'\n");
  before = names();
  const char* const commands[] = {
      "run gtx480 d.toml bad.toml --out new/d", "run gtx480 bad.toml --out new/d --record t.csv",
      "run gtx480 nosuch --out new/d", "search --platform gtx480 nosuch --out new/d",
      "search --platform gtx480 bad.toml --out new/d"};
  for (const char* command : commands) {
    runProgram(command, path).refused();
    BOOST_TEST(nothingIsNew(), command);
  }
}

BOOST_AUTO_TEST_CASE(a_trace_is_named_as_one) {
  for (const char* name : {"x.txt", "x", "csv", "x.csv.gz", "x.zst", ".csv"}) {
    runProgram("run gtx480 stride --record " + std::string(name), path)
        .refused("expected a name that ends in .csv or .csv.zst");
    BOOST_TEST(nothingIsNew());
  }
  runProgram("run gtx480 transpose --quiet --record T.Csv", path).ok();
  runProgram("run gtx480 transpose --quiet --record T.CSV.Zst", path).ok();
  BOOST_TEST(readFile(path / "T.CSV.Zst").substr(0, 4) == "\x28\xb5\x2f\xfd");
  BOOST_TEST(readFile(path / "T.Csv").substr(0, 13) == "fermata-trace");
  runProgram("run gtx480 T.CSV.Zst --quiet --out z", path).ok();
  runProgram("run gtx480 T.Csv --quiet --out p", path).ok();
  BOOST_TEST(readFile(path / "z" / "banks.csv") == readFile(path / "p" / "banks.csv"));
}

// The recorder must pass on the contents of device memory between kernels to the caches.
BOOST_AUTO_TEST_CASE(what_is_recorded_is_verified_as_what_is_not) {
  runProgram("run fermi-ami lud --set verify=true --quiet --record t.csv.zst", path).ok();
}

BOOST_AUTO_TEST_CASE(a_trace_goes_to_a_fifo_a_link_and_standard_output) {
  runProgram("run gtx480 transpose --quiet --record t.csv", path).ok();
  const std::string trace = readFile(path / "t.csv");
  BOOST_REQUIRE(::mkfifo((path / "fifo").c_str(), 0600) == 0);
  fs::create_symlink("/proc/self/fd/1", path / "stdout");  // like /dev/stdout
  const std::string program = "'" FERMATA_PROGRAM "' run gtx480 transpose --quiet --record ";
  const std::string command = "cd '" + path.string() + "' && { cat fifo > copy & " + program +
                              "fifo; wait; } && { echo begun; " + program +
                              "stdout; echo end; } > out";
  BOOST_TEST(std::system(command.c_str()) == 0);
  BOOST_TEST(fs::is_fifo(path / "fifo"));
  BOOST_TEST(fs::is_symlink(path / "stdout"));
  BOOST_TEST((readFile(path / "copy") == trace));
  BOOST_TEST((readFile(path / "out") == "begun\n" + trace + "end\n"));
  fs::create_symlink("far.csv", path / "link.csv");
  runProgram("run gtx480 transpose --quiet --record link.csv", path).ok();
  BOOST_TEST(fs::is_symlink(path / "link.csv"));
  BOOST_TEST((readFile(path / "far.csv") == trace));
}

BOOST_AUTO_TEST_CASE(a_fifo_among_the_results_is_refused) {
  fs::create_directory(path / "d");
  BOOST_REQUIRE(::mkfifo((path / "d" / "banks.csv").c_str(), 0600) == 0);
  before = names();
  runProgram("run gtx480 stride --out d", path).refused("cannot write 'd/banks.csv': it is a FIFO");
  BOOST_TEST(nothingIsNew());
}

BOOST_AUTO_TEST_CASE(an_empty_name_is_refused) {
  const char* const commands[] = {"run gtx480 stride --out",
                                  "run gtx480 stride --record",
                                  "search --platform gtx480 stride --out",
                                  "demo --out",
                                  "study xor-table4 --out",
                                  "softhash transpose 'perm k=1' --out"};
  for (const char* command : commands) {
    runProgram(std::string(command) + " ''", path).refused(": it is empty; expected a");
    BOOST_TEST(nothingIsNew());
  }
}

BOOST_AUTO_TEST_CASE(a_dump_takes_no_other_files_name) {
  write("one.toml", launchFile("p.bin"));
  write("two.toml", launchFile("./p.bin"));
  write("table.toml", launchFile("banks.csv"));
  write("trace.toml", launchFile("t.csv"));
  write("out.toml", launchFile("../p.bin"));
  before = names();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"one.toml two.toml", "two.toml:11:1: cannot write d/./p.bin: another file of this run"},
      {"table.toml", "table.toml:11:1: cannot write d/banks.csv: another file of this run"},
      {"trace.toml --record d/t.csv", "cannot write d/t.csv: another file of this run"},
      {"out.toml", "out.toml:11:1: the dump's file '../p.bin' leads out of its folder"}};
  for (const auto& [arguments, what] : cases) {
    runProgram("run gtx480 " + arguments + " --out d", path).refused(what);
    BOOST_TEST(nothingIsNew());
  }
  runProgram("run gtx480 one.toml --out d", path).ok();
  BOOST_TEST(readFile(path / "d" / "p.bin") == std::string("\5\0\0\0", 4));
}

BOOST_AUTO_TEST_CASE(workloads_of_one_name_are_told_apart) {
  const std::set<std::string> folders{"a/k", "b/k"};
  runProgram("run gtx480 a/k.toml ./b//k.toml --out d", path).ok();
  for (const char* name : {"runs.csv", "instructions.csv", "banks.csv"}) {
    BOOST_TEST(valuesOf(path / "d" / name, "workload") == folders, tt::per_element());
  }
  runProgram("search --platform gtx480 a/k.toml b/k.toml --out s", path).ok();
  const std::string rows = readFile(path / "s" / "instructions.csv");
  BOOST_TEST((has(rows, ",a/k,k,") && has(rows, ",b/k,k,")), rows);
  // A repeated workload is the same one; a shipped name and a parent folder are no further path.
  write("k.toml", launchFile(""));
  write("stride.toml", launchFile(""));
  runProgram(
      "run gtx480 k.toml a/k.toml a/../a/k.toml stride stride.toml --quiet "
      "--out d --record t.csv",
      path)
      .refused();  // one trace of several workloads
  runProgram("run gtx480 k.toml a/k.toml a/../a/k.toml stride ./stride.toml --quiet --out d", path)
      .ok();
  BOOST_TEST(valuesOf(path / "d" / "runs.csv", "workload") ==
                 (std::set<std::string>{"k", "a/k", "stride", "stride.toml"}),
             tt::per_element());
  runProgram("run gtx480 k.toml --quiet --record k.csv", path).ok();
  runProgram("run gtx480 k.toml k.csv --quiet --out d", path).ok();
  BOOST_TEST(
      valuesOf(path / "d" / "runs.csv", "workload") == (std::set<std::string>{"k.toml", "k.csv"}),
      tt::per_element());
}

BOOST_AUTO_TEST_CASE(a_platform_file_sets_something) {
  write("empty.toml", "");
  write("named.toml", "name = 'x'\ndescription = 'y'  # and no parameter\n");
  fs::create_directory(path / "folder.toml");
  for (const char* command : {"run ", "show "}) {
    const std::string end = std::string(command) == "run " ? " stride" : "";
    for (const char* name : {"empty.toml", "named.toml"}) {
      runProgram(command + std::string(name) + end, path)
          .refused(std::string(name) + ": the file sets no parameter; expected");
    }
    for (const char* name : {"folder.toml", "./a"}) {
      runProgram(command + std::string(name) + end, path)
          .refused("'" + std::string(name) + "' is a folder; expected a readable TOML file");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_parameter_is_set_once) {
  const std::string twice = "--set scratchpad.latency=20 --set scratchpad.latency=30";
  for (const char* command :
       {"run gtx480 stride ", "show gtx480 ", "search --platform gtx480 stride "}) {
    runProgram(command + twice, path).refused("--set scratchpad.latency is given twice");
  }
}

BOOST_AUTO_TEST_SUITE_END()
