// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number_text.h"

#include <optional>
#include <string_view>

namespace seedwave {

/// Removes the spaces at the front of `text`.
inline void skip_spaces(std::string_view& text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
}

/// Takes a number, and the spaces around it, off the front of `text`.
template <typename T>
std::optional<T> take_spaced(std::string_view& text) {
  skip_spaces(text);
  const std::optional<T> number = take_number<T>(text);
  if (number) skip_spaces(text);
  return number;
}

/// Takes one character off the front of `text`, if it is the expected one.
inline bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace seedwave
