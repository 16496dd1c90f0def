// Parameters of a platform at a broker of CCI: all are there, presets reach the platform, nothing
// changes them later.
#include <fermata/platforms/cci/cci_parameters.h>

#include <cci/utils/broker.h>
#include <cci_configuration>

#include <fermata/platforms/compose/field.h>
#include <fermata/platforms/compose/parameters.h>

#include "tests/support/refusals.h"
#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

cci::cci_broker_handle broker() {
  static cci_utils::broker one("broker");
  static const cci::cci_broker_handle registered = cci::cci_register_broker(one);
  return registered;
}

std::string valueOf(const std::string& name) {
  const cci::cci_param_handle handle = broker().get_param_handle(name);
  BOOST_TEST_REQUIRE(handle.is_valid(), name);
  const cci::cci_value value = handle.get_cci_value();
  return value.is_string() ? std::string(value.get_string()) : value.to_json();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cci_parameters)

BOOST_AUTO_TEST_CASE(every_parameter_is_at_the_broker) {
  broker();
  Configuration configuration = openPlatform("fermi-ami");
  const CciParameters shown(configuration, "gpu");
  PlatformParameters values = configuration.parameters();
  unsigned count = 0;
  for (const Field& field : fieldsOf(values)) {
    if (std::holds_alternative<double*>(field.target)) {
      BOOST_TEST(std::stod(valueOf("gpu." + field.path)) == *std::get<double*>(field.target));
    } else {
      BOOST_TEST(valueOf("gpu." + field.path) == field.plainValue(), field.path);
    }
    ++count;
  }
  BOOST_TEST(count > 100U);
  BOOST_TEST(
      has(broker().get_param_handle("gpu.scratchpad.latency").get_description(), "(cycles)"));
}

BOOST_AUTO_TEST_CASE(presets_reach_the_platform) {
  broker().set_preset_cci_value("gpu.scratchpad.latency", cci::cci_value(31));
  broker().set_preset_cci_value("gpu.scratchpad.indexer", cci::cci_value(std::string("ami 33")));
  Configuration configuration = openPlatform("gtx480");
  const CciParameters shown(configuration, "gpu");
  BOOST_TEST(valueOf("gpu.scratchpad.latency") == "31");
  BOOST_TEST(valueOf("gpu.scratchpad.banks") == "33");
  BOOST_TEST(configuration.buildIndexer()->text() == "ami 33");
  BOOST_TEST(configuration.changes().size() >= 2U);
}

BOOST_AUTO_TEST_CASE(a_preset_that_is_no_value_is_refused) {
  broker().set_preset_cci_value("gpu.scratchpad.latency", cci::cci_value(std::string("long")));
  Configuration configuration = openPlatform("gtx480");
  refuses([&] { CciParameters(configuration, "gpu"); }, "scratchpad.latency");
}

BOOST_AUTO_TEST_CASE(a_value_cannot_be_changed) {
  broker();
  Configuration configuration = openPlatform("gtx480");
  const CciParameters shown(configuration, "gpu");
  cci::cci_param_handle handle = broker().get_param_handle("gpu.scratchpad.latency");
  const std::string before = valueOf("gpu.scratchpad.latency");
  BOOST_CHECK_THROW(handle.set_cci_value(cci::cci_value(1)), std::exception);
  BOOST_TEST(valueOf("gpu.scratchpad.latency") == before);
}

BOOST_AUTO_TEST_SUITE_END()
