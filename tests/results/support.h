// Reads CSV for tests.
#pragma once

#include "tests/support/temporary_folder.h"
#include "tests/support/test.h"

namespace fermata::results::test {

using fermata::test::bytesOf;
using fermata::test::TemporaryFolder;

using CsvRows = std::vector<std::vector<std::string>>;
/// Parses with libcsv in strict mode: an oracle that shares no code with the writers.
CsvRows parseCsv(const std::string& bytes);

}  // namespace fermata::results::test
