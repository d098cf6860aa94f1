// SPDX-License-Identifier: Apache-2.0
#include "core/recipes/case_row.h"

#include "core/base/error.h"
#include "core/base/json_place.h"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace seedwave {

using nlohmann::ordered_json;

namespace {

/// Returns a score with four decimals.
std::string four_decimals(double score) {
  constexpr int kDecimals = 4;
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.begin(), text.end(), score, std::chars_format::fixed, kDecimals);
  return {text.begin(), end.ptr};
}

}  // namespace

const ordered_json& member_of(const ordered_json& json, const char* key) {
  static const ordered_json none;
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found == json.end() ? none : *found;
}

const ordered_json& result_of(const CaseRow& row) {
  static const ordered_json none;
  return row.result ? *row.result : none;
}

ordered_json line_of(const CaseRow& row) {
  ordered_json line{{"case", row.name}};
  if (row.code != 0) {
    line["error"] = {{"code", row.code}, {"message", row.error}};
    return line;
  }
  for (const char* key : {"digests", "ms", "dice", "objects"}) {
    if (const ordered_json& value = member_of(result_of(row), key); !value.is_null())
      line[key] = value;
  }
  line["ms"] = row.ms;
  if (row.was_there) line["skipped"] = true;
  return line;
}

CaseRow row_of_line(const std::string& line) {
  const nlohmann::json json = parse_json(line, "the line of a case");
  const JsonPlace in(json, "the line of a case");
  CaseRow row{.name = in.at("case").text()};
  if (const auto error = in.find("error")) {
    constexpr int kMostCode = 255;
    row.code = static_cast<int>(error->at("code").integer(1, kMostCode));
    row.error = error->at("message").text();
    return row;
  }
  row.was_there = in.find("skipped").has_value();
  if (const auto ms = in.find("ms")) row.ms = ms->number(0.0, std::numeric_limits<double>::max());
  row.result = std::make_shared<const ordered_json>(ordered_json::parse(line));
  return row;
}

ordered_json mean_dice(const ordered_json& result) {
  double sum = 0.0;
  int count = 0;
  for (const ordered_json& dice : member_of(result, "dice")) {
    if (!dice.is_number()) continue;
    sum += dice.get<double>();
    ++count;
  }
  return count == 0 ? ordered_json() : ordered_json(sum / count);
}

std::string score_text(const ordered_json& result) {
  const ordered_json dice = mean_dice(result);
  if (dice.is_number()) return "Dice " + four_decimals(dice.get<double>());
  const ordered_json& objects = member_of(result, "objects");
  std::string text;
  for (const auto& [key, title] :
       {std::pair("f1", "F1"), std::pair("pq", "PQ"), std::pair("aji", "AJI")}) {
    const ordered_json& score = member_of(objects, key);
    if (!score.is_number()) continue;
    text +=
        (text.empty() ? "" : ", ") + std::string(title) + " " + four_decimals(score.get<double>());
  }
  return text;
}

}  // namespace seedwave
