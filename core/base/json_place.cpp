// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_place.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

namespace seedwave {
namespace {

// Seedwave's files nest six deep. Writing a tree recurses for each level, so a file that nests
// without end could be read but would overflow the stack when it is saved.
constexpr int kDeepest = 100;

std::string plain(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", number);
  return text.data();
}

/// Returns whether brackets outside of strings nest deeper than kDeepest. Runs before the parser,
/// whose own callback costs a pass over a list for each object in it.
bool is_too_deep(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;  // an escaped character ends nothing
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

nlohmann::json parse_json(const std::string& text, const std::string& file) {
  if (is_too_deep(text)) {
    throw InputError(file + " is nested more than " + std::to_string(kDeepest) + " levels deep");
  }
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    throw InputError(file + " is not valid JSON: syntax error in line " + std::to_string(line));
  } catch (const nlohmann::json::out_of_range&) {
    throw InputError(file + " holds a number that is too large, such as 1e999");
  }
}

JsonPlace JsonPlace::member(const std::string& key, const nlohmann::json& value) const {
  return {value, file_, place_.empty() ? key : place_ + "." + key};
}

JsonPlace JsonPlace::at(const std::string& key) const {
  auto found = find(key);
  if (!found)
    throw InputError(file_ + ": " + (place_.empty() ? "" : place_ + ".") + key + " is missing");
  return *found;
}

std::optional<JsonPlace> JsonPlace::find(const std::string& key) const {
  if (!value_->is_object()) fail("must be an object { }");
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return member(key, *found);
}

std::vector<JsonPlace> JsonPlace::items() const {
  if (!value_->is_array()) fail("must be a list [ ]");
  std::vector<JsonPlace> list;
  list.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    list.push_back({(*value_)[i], file_, place_ + "[" + std::to_string(i) + "]"});
  }
  return list;
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  if (!value_->is_object()) fail("must be an object { }");
  std::vector<std::pair<std::string, JsonPlace>> list;
  for (auto it = value_->begin(); it != value_->end(); ++it) {
    list.emplace_back(it.key(), member(it.key(), it.value()));
  }
  return list;
}

double JsonPlace::number(double low, double high) const {
  // A literal such as 1e999 parses to infinity.
  const double value = value_->is_number() ? value_->get<double>() : std::nan("");
  if (!(value >= low && value <= high) || !std::isfinite(value)) {
    fail("must be a number from " + plain(low) + " to " + plain(high));
  }
  return value;
}

std::int64_t JsonPlace::integer(std::int64_t low, std::int64_t high) const {
  const double value = value_->is_number() ? value_->get<double>() : std::nan("");
  if (!(value >= static_cast<double>(low) && value <= static_cast<double>(high)) ||
      value != std::floor(value)) {
    fail("must be a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return static_cast<std::int64_t>(value);
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) fail("must be a string in quotes");
  return value_->get<std::string>();
}

bool JsonPlace::flag() const {
  if (!value_->is_boolean()) fail("must be true or false");
  return value_->get<bool>();
}

void JsonPlace::fail(const std::string& complaint) const {
  throw InputError(file_ + ": " + (place_.empty() ? "the file" : place_) + " " + complaint);
}

}  // namespace seedwave
