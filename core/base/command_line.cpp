// SPDX-License-Identifier: Apache-2.0
#include "core/base/command_line.h"

#include <algorithm>
#include <string_view>

namespace seedwave {

std::string flag_name(std::string id) {
  std::replace(id.begin(), id.end(), '_', '-');
  return id;
}

std::string shell_word(const std::string& word) {
  static constexpr std::string_view kPlainSigns = "_-./:=,+@%";
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           kPlainSigns.find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void CommandLine::add(const std::string& flag, const std::string& value) {
  text_ += value.starts_with("--") ? " " + shell_word("--" + flag + "=" + value)
                                   : " --" + flag + " " + shell_word(value);
}

}  // namespace seedwave
