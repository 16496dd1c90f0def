// A signal that ends the process leaves no temporary files behind.
#include <unistd.h>

#include <csignal>

#include <fermata/results/files/output_set.h>
#include <fermata/results/files/temporary.h>
#include "tests/files/support.h"

namespace fermata::files::test {
namespace {

struct Signals : InFolder {
  /// Returns the status of a child that has begun to write two files, then acts.
  template <class Act>
  int writeInChild(Act act) const {
    return inChild([&] {
      removeTemporariesOnSignals();
      OutputSet set;
      set.makeFolder(folder / "made/deep");
      set.add(folder / "made/deep/a.csv").write(std::string(1 << 20, 'x'));
      set.add(folder / "b.csv").write("new");
      return act(set);
    });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(signals, Signals)

BOOST_DATA_TEST_CASE(remove_files_and_folders_and_then_end_the_process,
                     bdata::make({SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU}), signal) {
  folder.put("b.csv", "old");
  const int status = writeInChild([&](OutputSet&) { return ::raise(signal); });
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == signal);
  BOOST_TEST(folder.names() == std::set<std::string>{"b.csv"}, tt::per_element());
  BOOST_TEST(bytesOf(folder / "b.csv") == "old");
}

BOOST_AUTO_TEST_CASE(leave_what_has_appeared) {
  const int status = writeInChild([](OutputSet& set) {
    set.commit();
    return ::raise(SIGTERM);
  });
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(bytesOf(folder / "made/deep/a.csv").size() == std::size_t{1} << 20);
  BOOST_TEST(bytesOf(folder / "b.csv") == "new");
  BOOST_TEST(folder.entries() == 2U);
}

// nohup leaves SIGHUP ignored, and the library must not change that.
BOOST_AUTO_TEST_CASE(that_are_ignored_stay_so) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  const int status = writeInChild([](OutputSet& set) {
    ::raise(SIGHUP);
    set.commit();
    return 7;
  });
  std::signal(SIGHUP, before);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 7));
  BOOST_TEST(bytesOf(folder / "b.csv") == "new");
}

BOOST_AUTO_TEST_CASE(to_a_child_leave_its_parents_files) {
  const int status = writeInChild([](OutputSet& set) {
    const int ofChild = inChild([] { return ::raise(SIGTERM); });
    set.commit();
    return WIFSIGNALED(ofChild) ? 7 : 8;
  });
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 7));
  BOOST_TEST(bytesOf(folder / "b.csv") == "new");
}

// The signal handler has a table of limited size: files beyond it are written all the same.
BOOST_AUTO_TEST_CASE(have_room_for_so_many_files_and_no_more) {
  OutputSet set;
  for (unsigned i = 0; i < 100; ++i) set.add(folder / std::to_string(i)).write("x");
  set.commit();
  BOOST_TEST(folder.entries() == 100U);
}

BOOST_AUTO_TEST_CASE(that_come_while_they_are_held_come_later) {
  const int status = inChild([&] {
    const Temporary known(folder / "left", Temporary::Kind::File);
    removeTemporariesOnSignals();
    {
      const SignalsHeld held;
      ::raise(SIGTERM);
      folder.put("left", "still here");
      folder.put("reached", "");
    }
    return 0;
  });
  BOOST_TEST((WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM));
  BOOST_TEST(folder.names() == std::set<std::string>{"reached"}, tt::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::files::test
