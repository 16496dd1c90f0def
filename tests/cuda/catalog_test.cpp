#include <fermata/stimuli/launch/catalog.h>

#include <boost/test/unit_test.hpp>
#include <string>

namespace {

using fermata::launch::listWorkloads;

BOOST_AUTO_TEST_SUITE(catalog)

BOOST_AUTO_TEST_CASE(lists_every_workload_with_its_parameters) {
  const auto entries = listWorkloads();
  std::vector<std::string> names;
  for (const auto& entry : entries) {
    names.push_back(entry.name);
    BOOST_TEST(!entry.description.empty(), entry.name);
    BOOST_TEST(!entry.parameters.empty(), entry.name);
    for (const auto& parameter : entry.parameters)
      BOOST_TEST(!parameter.description.empty(), entry.name);
  }
  const std::vector<std::string> expected = {
      "aes",        "aesdec",   "atomicbench", "attention", "backprop",   "conv1",
      "conv2",      "cp",       "cpasync",     "dct",       "dct1",       "dct2",
      "dctshort",   "dwt",      "dxtc",        "fft1",      "fft2",       "fwt",
      "heartwall",  "hgemm",    "hist256",     "hist64",    "histogram",  "hotspot",
      "hough",      "idct",     "idctshort",   "lavamd",    "layernorm",  "ldtranspose",
      "lud",        "lud1",     "lud2",        "matmul",    "matrixscan", "mri1",
      "mri2",       "mri3",     "mri4",        "mrifhd",    "mriq",       "nw",
      "nw1",        "nw2",      "pns",         "reduction", "rpes",       "sad",
      "scalarprod", "scan",     "sgemm",       "softmax",   "srad",       "stride",
      "tpacf",      "transpose"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
  BOOST_TEST(entries.back().parameters[0].name == "tile");
  BOOST_TEST(entries.back().parameters[0].defaultValue == 16);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
