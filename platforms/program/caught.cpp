#include <fermata/platforms/program/caught.h>

#include <systemc>

#include <fermata/models/error.h>

namespace fermata::platforms {

Caught caught() {
  try {
    throw;
  } catch (const BadInput& error) {
    return {true, error.what()};
  } catch (const sc_core::sc_report& error) {
    return {false, error.get_msg()};
  } catch (const std::exception& error) {
    return {false, error.what()};
  }
}

}  // namespace fermata::platforms
