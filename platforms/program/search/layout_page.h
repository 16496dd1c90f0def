// The pages of `fermata search --html` and `fermata map --html`: lanes by banks, before and after.
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/program/search/access_descriptions.h>
#include <fermata/platforms/program/search/search_job.h>

#include <string>

namespace fermata::platforms {

/// Throws InputError where a page could not be drawn: workloads and files have no known lanes.
void checkLayoutPage(const SearchRequest& request);

/// Returns the page of a search over layouts or access matrices: the lane groups under the mapping
/// word mod banks and under the best mapping of each kind, one of them at a time, with its proof
/// and its formula in the notations of kernel authors. The same search gives the same bytes.
/// Precondition: checkLayoutPage().
std::string layoutPage(const SearchRequest& request, const SearchReport& report);

/// Returns the page of one access under word mod banks and under a mapping. `access`: its text.
std::string accessPage(const indexing::Indexer& mapping, const AskedGroup& group,
                       const std::string& access);

}  // namespace fermata::platforms
