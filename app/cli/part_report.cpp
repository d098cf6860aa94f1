// SPDX-License-Identifier: Apache-2.0
#include "app/cli/part_report.h"

#include "app/cli/object_flags.h"
#include "core/base/number_text.h"
#include "core/metrics/label_matching.h"
#include "core/ops/report_json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace seedwave::cli {
namespace {

struct Ratio {
  const char* id;
  const char* title;
  ObjectRatio ratio;
};

constexpr std::array<Ratio, 6> kRatios{{{"precision", "precision", &ObjectScores::precision},
                                        {"recall", "recall", &ObjectScores::recall},
                                        {"f1", "F1", &ObjectScores::f1},
                                        {"f1_mean", "mean F1", &ObjectScores::f1_mean},
                                        {"pq", "PQ", &ObjectScores::pq},
                                        {"aji", "AJI", &ObjectScores::aji}}};

/// Returns "" for a label without a name.
std::string name_of(Label label, const std::vector<io::LabelName>& names) {
  const auto found = std::ranges::find(names, label, &io::LabelName::id);
  return found == names.end() ? std::string() : found->name;
}

std::string score_text(const std::optional<double>& score) {
  return fixed_text(score.value_or(std::numeric_limits<double>::quiet_NaN()), 4);
}

/// Cells of a table, which are aligned at the right but for the first.
using Line = std::vector<std::string>;

Line title_line(const PartComparison& parts) {
  Line line{
      parts.connectivity ? "label" : "class", "reference", "result", "matched", "split", "merged"};
  for (const Ratio& each : kRatios)
    line.emplace_back(each.title);
  return line;
}

Line score_line(const std::string& title, const ObjectScores& scores) {
  Line line{title};
  for (const std::int64_t count :
       {scores.reference, scores.found, scores.matched, scores.split, scores.merged})
    line.push_back(std::to_string(count));
  for (const Ratio& each : kRatios)
    line.push_back(score_text((scores.*each.ratio)()));
  return line;
}

Line mean_line(const PartScores& labels) {
  Line line{"mean", "", "", "", "", ""};
  for (const Ratio& each : kRatios)
    line.push_back(score_text(mean_over_labels(labels, each.ratio)));
  return line;
}

/// Returns "2 tumour" for a label, "tumour" for a class.
std::string title_of(Label label, const PartComparison& parts) {
  std::string name = name_of(label, parts.names);
  if (!parts.connectivity) return name;
  return std::to_string(label) + (name.empty() ? "" : " " + name);
}

/// Returns the number of characters of a text in UTF-8.
std::size_t width_of(const std::string& text) {
  constexpr unsigned kContinues = 0x80;
  constexpr unsigned kMask = 0xC0;
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & kMask) != kContinues; }));
}

std::string aligned(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string text;
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string gap(widths[i] - width_of(line[i]), ' ');
      text += i == 0 ? line[i] + gap : "  " + gap + line[i];
    }
    text += "\n";
  }
  return text;
}

/// Returns whether labels overlap so little that both maps seem to number their objects
/// independently.
bool are_numbered_objects(const PartScores& labels, const LabelMap& result,
                          const LabelMap& reference) {
  std::map<Label, Overlap> overlaps;
  for (const auto& [label, scores] : labels)
    overlaps[label] = scores.foreground;
  return look_like_objects(overlaps, foreground_overlap(result, reference));
}

/// Numbers classes by their names, from 1.
class ClassNumbers {
 public:
  std::vector<Label> of(const std::vector<std::string>& classes) {
    std::vector<Label> numbers;
    numbers.reserve(classes.size());
    for (const std::string& name : classes)
      numbers.push_back(of(name.empty() ? "Unclassified" : name));
    return numbers;
  }
  [[nodiscard]] const std::vector<io::LabelName>& names() const noexcept { return names_; }

 private:
  Label of(const std::string& name) {
    const auto [found, is_new] = numbers_.emplace(name, static_cast<Label>(names_.size() + 1));
    if (is_new) names_.push_back({.id = found->second, .name = name});
    return found->second;
  }

  std::map<std::string, Label> numbers_;
  std::vector<io::LabelName> names_;
};

}  // namespace

PartComparison compare_parts(const LabelMap& result, const LabelMap& reference,
                             const Fraction& limit, Connectivity connectivity, Context& context) {
  PartComparison parts{.labels = part_scores(result, reference, limit, connectivity, context),
                       .limit = limit,
                       .connectivity = connectivity};
  if (are_numbered_objects(parts.labels, result, reference))
    parts.warnings.emplace_back(
        "--parts compares parts of labels with the same number, but few of these overlap: if each "
        "label is an object, leave --parts out");
  return parts;
}

PartComparison compare_classes(const ComparedObjects& objects, const Fraction& limit,
                               Context& context) {
  ClassNumbers numbers;
  const LabelledObjects reference{.numbers = objects.reference.numbers,
                                  .labels = numbers.of(objects.reference.classes)};
  const LabelledObjects result{.numbers = objects.result.numbers,
                               .labels = numbers.of(objects.result.classes)};
  return {.labels = scores_by_label(result, reference, limit, context),
          .names = numbers.names(),
          .limit = limit,
          .warnings = objects.warnings};
}

void add_names(PartComparison& parts, const std::vector<io::LabelName>& result,
               const std::vector<io::LabelName>& reference) {
  bool is_warned = false;
  for (const auto& [label, scores] : parts.labels) {
    const std::string expected = name_of(label, reference);
    const std::string found = name_of(label, result);
    parts.names.push_back({.id = label, .name = expected.empty() ? found : expected});
    if (is_warned || expected.empty() || found.empty() || expected == found) continue;
    parts.warnings.push_back("label " + std::to_string(label) + " is '" + found +
                             "' in the result and '" + expected +
                             "' in the reference: labels are compared by their numbers");
    is_warned = true;
  }
}

void add_parts(nlohmann::ordered_json& json, const PartComparison& parts) {
  if (parts.connectivity) {
    json["connectivity"] = static_cast<int>(*parts.connectivity);
    json["labels"] = nlohmann::ordered_json::object();
  } else {
    json["classes"] = nlohmann::ordered_json::object();
  }
  for (const auto& [label, scores] : parts.labels) {
    const std::string name = name_of(label, parts.names);
    if (!parts.connectivity) {
      json["classes"][name] = object_json(scores, parts.limit);
      continue;
    }
    nlohmann::ordered_json& entry = json["labels"][std::to_string(label)];
    if (!name.empty()) entry["name"] = name;
    entry.update(object_json(scores, parts.limit));
  }
  json["macro"] = nlohmann::ordered_json::object();
  for (const Ratio& each : kRatios)
    json["macro"][each.id] = number_or_null(mean_over_labels(parts.labels, each.ratio));
  json["objects"] = object_json(pooled(parts.labels), parts.limit);
}

std::string part_text(const PartComparison& parts) {
  if (parts.labels.empty())
    return parts.connectivity ? "neither image has labels\n" : "neither file has objects\n";
  std::vector<Line> lines{title_line(parts)};
  for (const auto& [label, scores] : parts.labels)
    lines.push_back(score_line(title_of(label, parts), scores));
  if (parts.labels.size() > 1) {
    lines.push_back(mean_line(parts.labels));
    lines.push_back(score_line("all", pooled(parts.labels)));
  }
  return aligned(lines);
}

}  // namespace seedwave::cli
