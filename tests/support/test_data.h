// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace seedwave::test {

/// Returns the path of a set or file of the test data: SEEDWAVE_DATA/`name`. Empty if the variable
/// is not set; the path need not exist. `name` is UTF-8, with '/'.
[[nodiscard]] inline std::filesystem::path test_data(std::string_view name) {
  const char* root = std::getenv("SEEDWAVE_DATA");
  if (root == nullptr || *root == '\0') return {};
  return std::filesystem::path(root) / std::filesystem::path(name);
}

/// Returns true if a missing file of the test data is a failure and not a reason to skip.
[[nodiscard]] inline bool data_required() {
  const char* required = std::getenv("SEEDWAVE_REQUIRE_DATA");
  return required != nullptr && std::string_view(required) == "1";
}

/// Returns why `path`, as returned by test_data(), cannot be used; empty if it exists.
[[nodiscard]] inline std::string why_missing(const std::filesystem::path& path) {
  if (path.empty()) return "SEEDWAVE_DATA is not set: it names the folder with the test data";
  std::error_code error;
  if (std::filesystem::exists(path, error)) return {};
  return "the test data lack " + path.string();
}

}  // namespace seedwave::test

/// Ends the test function if `path` (from test_data) does not exist. Skips with the reason, or
/// fails with it if SEEDWAVE_REQUIRE_DATA=1.
#define SEEDWAVE_NEED_DATA(path)                                        \
  do {                                                                  \
    const std::string seedwave_why = seedwave::test::why_missing(path); \
    if (!seedwave_why.empty()) {                                        \
      if (seedwave::test::data_required()) QFAIL(seedwave_why.c_str()); \
      QSKIP(seedwave_why.c_str());                                      \
    }                                                                   \
  } while (false)
