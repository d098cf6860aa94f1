// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace seedwave::cli {
namespace {

const Flag* find_flag(const std::vector<FlagGroup>& groups, const std::string& name) {
  for (const FlagGroup& group : groups) {
    for (const Flag& flag : group.flags) {
      if (flag.name == name) return &flag;
    }
  }
  return nullptr;
}

/// Returns the edit distance of two words: the number of insertions, deletions and substitutions.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

/// Returns ": did you mean --sigma-o?" if some flag is near, else ": see --help".
std::string suggestion(const std::vector<FlagGroup>& groups, const std::string& name) {
  constexpr std::size_t kNear = 3;
  const Flag* nearest = nullptr;
  std::size_t least = kNear;
  for (const FlagGroup& group : groups) {
    for (const Flag& flag : group.flags) {
      const std::size_t distance = edit_distance(flag.name, name);
      if (distance >= least || distance >= name.size()) continue;
      least = distance;
      nearest = &flag;
    }
  }
  return nearest != nullptr ? ": did you mean --" + nearest->name + "?" : ": see --help";
}

/// "--name VALUE".
std::string left_column(const Flag& flag) {
  return "--" + flag.name + (flag.value.empty() ? "" : " " + flag.value);
}

/// Returns the width of a column that also holds this word. A word longer than `widest` is ignored.
std::size_t widened(std::size_t width, const std::string& word, std::size_t widest) {
  return word.size() <= widest ? std::max(width, word.size()) : width;
}

/// Formats a line of two columns. A left column that is too wide gets a line of its own.
std::string line_of(std::string left, const std::string& right, std::size_t width) {
  std::string text;
  if (left.size() > width) {
    text = "  " + left + "\n";
    left.clear();
  }
  left.resize(width, ' ');
  return text + "  " + left + "  " + right + "\n";
}

}  // namespace

Arguments::Arguments(std::span<const std::string> words, const std::vector<FlagGroup>& groups) {
  bool flags_end = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--" && !flags_end) {
      flags_end = true;
      continue;
    }
    if (flags_end || !word.starts_with("--")) {
      // No flag begins with a single dash, and hardly any file name does.
      if (!flags_end && word.size() > 1 && word[0] == '-' && !parse_number(word)) {
        throw UsageError("unknown flag " + word + ": flags begin with --");
      }
      positionals_.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = flag_name(word.substr(2, equals - 2));
    const Flag* flag = find_flag(groups, name);
    if (flag == nullptr) {
      throw UsageError("unknown flag " + word.substr(0, equals) + suggestion(groups, name));
    }
    if (has(name) && flag->times == Flag::Times::Once) {
      throw UsageError("--" + name + " is given twice");
    }
    std::string value;
    if (equals != std::string::npos) {
      if (flag->value.empty()) throw UsageError("--" + name + " takes no value");
      value = word.substr(equals + 1);
    } else if (!flag->value.empty() && i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      value = words[++i];
    }
    if (!flag->value.empty() && value.empty()) {
      throw UsageError("--" + name + " needs a value: --" + name + " " + flag->value);
    }
    values_[name].push_back(std::move(value));
  }
}

std::optional<std::string> Arguments::text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return {};
  return found->second.front();
}

std::vector<std::string> Arguments::texts(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::int64_t> Arguments::integer(const std::string& name, std::int64_t low,
                                               std::int64_t high) const {
  const std::optional<std::string> given = text(name);
  if (!given) return {};
  const std::optional<std::int64_t> number = parse_integer(*given);
  if (!number || *number < low || *number > high) {
    throw UsageError("--" + name + " must be a whole number from " + std::to_string(low) + " to " +
                     std::to_string(high) + ", not '" + *given + "'");
  }
  return number;
}

std::string only_on(Applies where) {
  if (where == Applies::Always) return "";
  return where == Applies::Images ? "2-D images only" : "volumes only";
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::int64_t> integers_of(const std::string& flag, const std::string& text,
                                      std::size_t count) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split_at_commas(text)) {
    const std::optional<std::int64_t> number = parse_integer(part);
    if (!number) throw UsageError("--" + flag + ": '" + part + "' is not a whole number");
    numbers.push_back(*number);
  }
  if (numbers.empty() || (count != 0 && numbers.size() != count)) {
    throw UsageError("--" + flag + " needs " + (count == 0 ? "" : std::to_string(count) + " ") +
                     "whole numbers separated by commas, not '" + text + "'");
  }
  return numbers;
}

std::string in_columns(std::span<const ListLine> lines) {
  std::size_t width = 0;
  for (const ListLine& line : lines)
    width = std::max(width, line.left.size());
  std::string text;
  for (const ListLine& line : lines)
    text += line_of(line.left, line.right, width);
  return text;
}

std::string help_page(const std::string& synopsis, const std::string& description,
                      const std::vector<FlagGroup>& groups) {
  constexpr std::size_t kWidest = 28;
  std::size_t width = 0;  // one for all groups
  for (const FlagGroup& group : groups) {
    for (const Flag& flag : group.flags)
      width = widened(width, left_column(flag), kWidest);
  }
  std::string page = "usage: seedwave-cli " + synopsis + "\n\n" + description + "\n";
  for (const FlagGroup& group : groups) {
    if (group.flags.empty()) continue;
    page += "\n" + group.title + ":\n";
    for (const Flag& flag : group.flags)
      page += line_of(left_column(flag), flag.help, width);
  }
  return page;
}

}  // namespace seedwave::cli
