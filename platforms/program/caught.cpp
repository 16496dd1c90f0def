#include <fermata/platforms/program/caught.h>

#include <new>
#include <stdexcept>
#include <systemc>

#include <fermata/models/vocabulary/error.h>

namespace fermata::platforms {

namespace {

const char* const kTooLarge =
    "this takes more memory than there is; expected a smaller workload, or a larger machine";

}  // namespace

Caught caught() {
  try {
    throw;
  } catch (const BadInput& error) {
    return {true, error.what()};
  } catch (const sc_core::sc_report& error) {
    return {false, error.get_msg()};
  } catch (const std::bad_alloc&) {
    return {false, kTooLarge};
  } catch (const std::length_error&) {  // thrown by a vector of too many elements
    return {false, kTooLarge};
  } catch (const std::exception& error) {
    return {false, error.what()};
  }
}

}  // namespace fermata::platforms
