// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// Adds a warning unless it is there: what is wrong with one slice is mostly wrong with all.
inline void add_once(std::vector<std::string>& warnings, const std::string& text) {
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

inline void add_once(std::vector<std::string>& warnings, const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    add_once(warnings, text);
}

}  // namespace seedwave::io::dicom
