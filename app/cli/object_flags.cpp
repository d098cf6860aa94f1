// SPDX-License-Identifier: Apache-2.0
#include "app/cli/object_flags.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/metrics/label_matching.h"
#include "core/ops/report_json.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

namespace seedwave::cli {
namespace {

/// Returns "0.75" as 75 / 100, or nothing if it is not a decimal number between 0 and 1.
std::optional<Fraction> decimal_fraction(std::string_view text) {
  constexpr std::size_t kMostDecimals = 9;
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || text.substr(0, point).find_first_not_of('0') < point)
    return {};
  const std::string_view decimals = text.substr(point + 1);
  if (decimals.empty() || decimals.size() > kMostDecimals) return {};
  Fraction fraction{0, 1};
  for (const char digit : decimals) {
    if (digit < '0' || digit > '9') return {};
    fraction.above = 10 * fraction.above + (digit - '0');
    fraction.below *= 10;
  }
  if (fraction.above == 0) return {};
  return fraction;
}

double value_of(const Fraction& fraction) {
  return static_cast<double>(fraction.above) / static_cast<double>(fraction.below);
}

Fraction limit_in(const Arguments& arguments) {
  const std::optional<std::string> text = arguments.text("iou");
  if (!text) return Fraction{1, 2};
  const std::optional<Fraction> limit = decimal_fraction(*text);
  if (!limit)
    throw UsageError("--iou must be a number between 0 and 1 with at most 9 decimals, such as " +
                     ("0.5, not '" + *text + "'"));
  return *limit;
}

ListLine score_line(const std::string& title, const std::optional<double>& score) {
  return {title, fixed_text(score.value_or(std::numeric_limits<double>::quiet_NaN()), 4)};
}

}  // namespace

std::vector<Flag> object_flags() {
  return {
      {"objects", "",
       "score objects that A and B number independently, such as nuclei, in place of the table "
       "by label"},
      {"iou", "LIMIT",
       "with --objects: two objects match if their IoU exceeds LIMIT, between 0 and 1 (default: "
       "0.5)"},
      {"parts", "",
       "with --objects: the objects are the connected parts of each label, such as the lesions of "
       "each kind, and scores are by label; A and B name labels by the same numbers"},
      {"connectivity", "N",
       "with --parts: number of neighbours of a voxel: 4 or 8 in 2-D; 6, 18 or 26 in 3-D (default: "
       "4, 6)"},
      {"classes", "",
       "with --objects: scores by the class of each object, of two GeoJSON files; classes are "
       "compared by their names"}};
}

std::optional<ObjectRequest> object_request(const Arguments& arguments) {
  if (!arguments.has("objects")) {
    for (const char* flag : {"iou", "parts", "connectivity", "classes"}) {
      if (arguments.has(flag)) throw UsageError("--" + std::string(flag) + " needs --objects");
    }
    return {};
  }
  for (const char* other : {"match", "where-labelled"}) {
    if (arguments.has(other))
      throw UsageError("--objects and --" + std::string(other) + " exclude each other");
  }
  constexpr std::int64_t kFewest = 4;
  constexpr std::int64_t kMost = 26;
  if (arguments.has("parts") && arguments.has("classes"))
    throw UsageError("--parts and --classes exclude each other");
  ObjectRequest request{.objects = arguments.has("parts")     ? ScoredObjects::Parts
                                   : arguments.has("classes") ? ScoredObjects::Classes
                                                              : ScoredObjects::Labels,
                        .limit = limit_in(arguments),
                        .neighbours = arguments.integer("connectivity", kFewest, kMost)};
  if (request.neighbours && request.objects != ScoredObjects::Parts)
    throw UsageError("--connectivity needs --parts");
  return request;
}

Connectivity part_connectivity(const ObjectRequest& request, const Geometry& geometry) {
  const bool is_flat = geometry.is_2d();
  if (!request.neighbours) return is_flat ? Connectivity::C4 : Connectivity::C6;
  using enum Connectivity;
  for (const Connectivity each : is_flat ? std::vector{C4, C8} : std::vector{C6, C18, C26}) {
    if (static_cast<std::int64_t>(each) == *request.neighbours) return each;
  }
  throw UsageError(std::string("--connectivity must be ") +
                   (is_flat ? "4 or 8 for images" : "6, 18 or 26 for volumes") + ", not " +
                   std::to_string(*request.neighbours));
}

nlohmann::ordered_json object_json(const ObjectScores& scores, const Fraction& limit) {
  nlohmann::ordered_json json{{"reference", scores.reference},
                              {"found", scores.found},
                              {"matched", scores.matched},
                              {"precision", number_or_null(scores.precision())},
                              {"recall", number_or_null(scores.recall())},
                              {"f1", number_or_null(scores.f1())},
                              {"pq", number_or_null(scores.pq())},
                              {"aji", number_or_null(scores.aji())},
                              {"split", scores.split},
                              {"merged", scores.merged},
                              {"missed", scores.missed()},
                              {"spurious", scores.spurious()},
                              {"iou", value_of(limit)},
                              {"f1_mean", number_or_null(scores.f1_mean())},
                              {"f1_by_iou", nlohmann::ordered_json::array()},
                              {"foreground_dice", number_or_null(scores.foreground.dice())}};
  for (const std::optional<double>& f1 : scores.f1_by_iou())
    json["f1_by_iou"].push_back(number_or_null(f1));
  return json;
}

std::string object_text(const ObjectScores& scores, const Fraction& limit) {
  const std::vector<ListLine> lines{
      {"objects of the reference", std::to_string(scores.reference)},
      {"objects of the result", std::to_string(scores.found)},
      {"matched, IoU > " + number_text(value_of(limit)), std::to_string(scores.matched)},
      {"missed", std::to_string(scores.missed())},
      {"spurious", std::to_string(scores.spurious())},
      {"split", std::to_string(scores.split)},
      {"merged", std::to_string(scores.merged)},
      score_line("precision", scores.precision()),
      score_line("recall", scores.recall()),
      score_line("F1", scores.f1()),
      score_line("F1, mean of IoU > 0.5, 0.55 ... 0.95", scores.f1_mean()),
      score_line("PQ", scores.pq()),
      score_line("AJI", scores.aji()),
      score_line("Dice of all objects together", scores.foreground.dice())};
  return in_columns(lines);
}

std::vector<std::string> object_warnings(const ObjectScores& scores) {
  const auto [one, several] = std::minmax(scores.found, scores.reference);
  if (one != 1 || several < static_cast<std::int64_t>(kFewestObjects)) return {};
  return {std::string(scores.found == 1 ? "the result" : "the reference") +
          " has a single label: if it is a mask of several objects, number them first, by run "
          "components or run split-objects"};
}

}  // namespace seedwave::cli
