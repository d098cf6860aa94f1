// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// Adds a warning unless it is present: a problem of one slice mostly concerns all slices.
inline void add_once(std::vector<std::string>& warnings, const std::string& text) {
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

inline void add_once(std::vector<std::string>& warnings, const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    add_once(warnings, text);
}

}  // namespace seedwave::io::dicom
