// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/compared_objects.h"
#include "app/cli/object_flags.h"
#include "app/cli/part_report.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/label_map.h"
#include "core/io/label_table.h"
#include "core/io/labels.h"
#include "core/io/region_file.h"
#include "core/metrics/label_matching.h"
#include "core/metrics/overlap.h"
#include "core/metrics/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace seedwave::cli {
namespace {

/// Metrics by id in the order in which they are printed; NaN if undefined.
using Figures = std::vector<std::pair<std::string, double>>;

double number_or_nan(const std::optional<double>& number) {
  return number.value_or(std::numeric_limits<double>::quiet_NaN());
}

struct LabelFigures {
  Label label = 0;
  Overlap overlap;
  Figures figures;
};

double millilitres(std::int64_t voxels, const Geometry& geometry) {
  constexpr double kPerMillilitre = 1000.0;
  // A 2-D image has areas, not volumes.
  if (geometry.unit == LengthUnit::Pixel || geometry.planar) return number_or_nan({});
  return static_cast<double>(voxels) * geometry.voxel_volume() / kPerMillilitre;
}

Figures figures_of(const Overlap& overlap, const std::optional<SurfaceDistances>& surfaces,
                   const Geometry& geometry) {
  const auto distance = [&](double SurfaceDistances::*field) {
    return surfaces ? (*surfaces).*field : number_or_nan({});
  };
  return {{"dice", number_or_nan(overlap.dice())},
          {"jaccard", number_or_nan(overlap.jaccard())},
          {"sensitivity", number_or_nan(overlap.sensitivity())},
          {"precision", number_or_nan(overlap.precision())},
          {"false_positive_rate", number_or_nan(overlap.false_positive_rate())},
          {"volume_similarity", number_or_nan(overlap.volume_similarity())},
          {"volume_difference_signed", number_or_nan(overlap.volume_difference_signed())},
          {"volume_result_ml", millilitres(overlap.result, geometry)},
          {"volume_reference_ml", millilitres(overlap.reference, geometry)},
          {"hd", distance(&SurfaceDistances::hd)},
          {"hd95", distance(&SurfaceDistances::hd95)},
          {"hd95_pooled", distance(&SurfaceDistances::hd95_pooled)},
          {"assd", distance(&SurfaceDistances::assd)},
          {"masd", distance(&SurfaceDistances::masd)}};
}

/// The label of the reference that each label of the result counts as.
using Matches = std::map<Label, Label>;

struct Comparison {
  std::vector<LabelFigures> labels;
  /// Empty if labels count by their numbers.
  std::optional<Matches> matches;
  std::vector<std::string> warnings;
};

/// Returns advice for label maps that are numbered differently.
std::string objects_warning(const std::map<Label, Overlap>& labels, const Overlap& foreground) {
  const bool are_few = std::ssize(labels) <= kMostMatched;
  return "labels are matched by number, but these look like separately numbered objects: few "
         "labels of one number overlap, although all labelled voxels together have Dice " +
         fixed_text(number_or_nan(foreground.dice()), 4) + "; use --objects to score them" +
         (are_few ? ", or --match to pair labels by overlap" : "");
}

Comparison compare_labels(LabelMap result, const LabelMap& reference, const Arguments& arguments,
                          Context& context) {
  Comparison comparison;
  result = compared_part(result, reference, scored_of(arguments), context);
  if (arguments.has("match")) {
    comparison.matches = match_labels(result, reference, context);
    result = renumbered(result, reference, *comparison.matches, context);
  }
  const std::map<Label, Overlap> overlaps = OverlapCounts(result, reference, context).labels();
  for (const auto& [label, overlap] : overlaps) {
    comparison.labels.push_back(
        {label, overlap,
         figures_of(overlap, surface_distances(result, reference, label, context),
                    result.geometry())});
  }
  const Overlap foreground = foreground_overlap(result, reference);
  if (!comparison.matches && look_like_objects(overlaps, foreground))
    comparison.warnings.push_back(objects_warning(overlaps, foreground));
  return comparison;
}

/// Returns the mean of each metric over the labels that have it.
Figures macro_mean(const std::vector<LabelFigures>& all) {
  Figures means;
  if (all.empty()) return means;
  for (std::size_t i = 0; i < all.front().figures.size(); ++i) {
    double sum = 0.0;
    int count = 0;
    for (const LabelFigures& one : all) {
      if (std::isnan(one.figures[i].second)) continue;
      sum += one.figures[i].second;
      ++count;
    }
    means.emplace_back(all.front().figures[i].first, sum / count);  // NaN if no label has it
  }
  return means;
}

nlohmann::ordered_json json_of(const Figures& figures) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [id, number] : figures) {
    json[id] =
        std::isnan(number) ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(number);
  }
  return json;
}

/// Returns what was compared: the beginning of every report.
nlohmann::ordered_json compared_json(const std::vector<std::string>& paths,
                                     const Geometry& geometry) {
  return {{"result", paths[0]},
          {"reference", paths[1]},
          {"size", geometry.size},
          {"spacing", geometry.spacing},
          {"unit", geometry.unit == LengthUnit::Pixel ? "pixel" : "mm"}};
}

/// Adds the figures by label and their means to a report.
void add_labels(nlohmann::ordered_json& json, const Comparison& comparison) {
  if (comparison.matches) {
    json["matched"] = nlohmann::ordered_json::object();
    for (const auto& [from, to] : *comparison.matches)
      json["matched"][std::to_string(from)] = to;
  }
  json["labels"] = nlohmann::ordered_json::object();
  for (const LabelFigures& one : comparison.labels) {
    nlohmann::ordered_json& entry = json["labels"][std::to_string(one.label)];
    entry = json_of(one.figures);
    entry["voxels_result"] = one.overlap.result;
    entry["voxels_reference"] = one.overlap.reference;
  }
  json["macro"] = json_of(macro_mean(comparison.labels));
}

std::string padded(const std::string& text) {
  constexpr std::size_t kWidth = 11;
  return std::string(kWidth - std::min(text.size(), kWidth), ' ') + text;
}

double figure(const Figures& figures, const std::string& id) {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const auto& entry) { return entry.first == id; });
  return found == figures.end() ? number_or_nan({}) : found->second;
}

std::string table_text(const Comparison& comparison, const Geometry& geometry) {
  const bool in_pixels = geometry.unit == LengthUnit::Pixel;
  const std::string unit = in_pixels ? " px" : " mm";
  struct Column {
    std::string id;
    std::string title;
    int digits;
  };
  std::vector<Column> columns{{"dice", "Dice", 4}, {"jaccard", "Jaccard", 4}};
  if (!in_pixels && !geometry.planar) {
    columns.push_back({"volume_result_ml", "result ml", 2});
    columns.push_back({"volume_reference_ml", "ref. ml", 2});
  }
  columns.push_back({"hd95", "HD95" + unit, 2});
  columns.push_back({"assd", "ASSD" + unit, 3});
  std::string text;
  for (const auto& [from, to] : comparison.matches.value_or(Matches{}))
    text +=
        "label " + std::to_string(from) + " of the result counts as " + std::to_string(to) + "\n";
  text += padded("label");
  for (const Column& column : columns)
    text += padded(column.title);
  text += "\n";
  const auto line = [&](const std::string& name, const Figures& figures) {
    text += padded(name);
    for (const Column& column : columns)
      text += padded(fixed_text(figure(figures, column.id), column.digits));
    text += "\n";
  };
  for (const LabelFigures& one : comparison.labels)
    line(std::to_string(one.label), one.figures);
  if (comparison.labels.size() > 1) line("mean", macro_mean(comparison.labels));
  if (comparison.labels.empty()) text += "neither image has labels\n";
  return text;
}

/// Scores of two files, of one of three kinds.
struct Compared {
  Geometry geometry;
  std::optional<ObjectScores> objects;
  std::optional<PartComparison> parts;  // or classes
  Comparison labels;
  std::vector<std::string> warnings;
};

Compared compare_objects(const std::vector<std::string>& paths, const ObjectRequest& request,
                         Context& context) {
  const ComparedObjects files = load_compared_objects(paths[0], paths[1], context);
  Compared compared{.geometry = files.result.numbers.geometry(), .warnings = files.warnings};
  if (request.objects == ScoredObjects::Classes) {
    compared.parts = compare_classes(files, request.limit, context);
    return compared;
  }
  compared.objects =
      object_scores(files.result.numbers, files.reference.numbers, request.limit, context);
  const std::vector<std::string> more = object_warnings(*compared.objects);
  compared.warnings.insert(compared.warnings.end(), more.begin(), more.end());
  return compared;
}

/// Compares the labels of two maps, or their connected parts.
Compared compare_maps(const std::vector<std::string>& paths,
                      const std::optional<ObjectRequest>& parts, const Arguments& arguments,
                      Context& context) {
  if (io::is_region_file(paths[0])) {
    throw InputError(paths[0] +
                     " holds regions, and no labels on a grid: compare them as objects, with "
                     "--objects or --objects --classes");
  }
  const LabelMap result = io::read_labels(paths[0], context);
  Compared compared{.geometry = result.geometry()};
  const LabelMap reference = io::load_labels(paths[1], compared.geometry, context);
  if (!parts) {
    compared.labels = compare_labels(result, reference, arguments, context);
    compared.warnings = compared.labels.warnings;
    return compared;
  }
  compared.parts = compare_parts(result, reference, parts->limit,
                                 part_connectivity(*parts, compared.geometry), context);
  add_names(*compared.parts, io::stored_names(paths[0]).names, io::stored_names(paths[1]).names);
  compared.warnings = compared.parts->warnings;
  return compared;
}

void check_have_classes(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (!io::is_region_file(path))
      throw UsageError("--classes needs two GeoJSON files, whose objects have classes: " + path +
                       " is not one (.geojson)");
  }
}

constexpr const char* kCompareDescription =
    "Compares label map A, the result, with label map B, the reference. B is mapped onto A's grid\n"
    "by geometry. Volumes are in millilitres, distances in the unit of the spacing. Undefined "
    "metrics\n"
    "are null, or '-', and the means leave them out: a label that A or B lacks has no distances, "
    "and\n"
    "one that B lacks has no Dice and no Jaccard.\n"
    "Labels are matched by number. A warning is given if they look like separately numbered "
    "objects:\n"
    "both maps have at least 5 labels, and their mean Dice is below a quarter of the Dice of all\n"
    "labelled voxels together. --objects scores such objects.\n\n"
    "  dice 2|A and B|/(|A|+|B|), jaccard |A and B|/|A or B|, sensitivity |A and B|/|B|,\n"
    "  precision |A and B|/|A|, false_positive_rate, volume_similarity 1-||A|-|B||/(|A|+|B|),\n"
    "  volume_difference_signed 2(|A|-|B|)/(|A|+|B|)\n"
    "  Surfaces: centres of the label's voxels with a 6-neighbour (4- in an image) outside it, or\n"
    "  at the border of the grid.\n"
    "  hd largest distance, hd95 the larger of the two directed 95th percentiles, hd95_pooled the\n"
    "  95th percentile of both together, assd mean of both together, masd mean of the two means\n\n"
    "With --objects:\n"
    "  found objects of A, reference objects of B, matched pairs, one to one, whose IoU (Jaccard)\n"
    "  exceeds the limit, precision matched/found, recall matched/reference,\n"
    "  f1 2 matched/(found+reference), f1_mean and f1_by_iou the same at IoU 0.5, 0.55 ... 0.95,\n"
    "  pq panoptic quality at IoU 0.5 whatever the limit, aji aggregated Jaccard index,\n"
    "  split objects of B in which two or more of A lie with more than half of their voxels,\n"
    "  merged objects of A in which two or more of B lie so, missed reference-matched,\n"
    "  spurious found-matched, foreground_dice Dice of all objects together\n\n"
    "With --objects --parts:\n"
    "  the same for the connected parts of each label, which match parts of the same label only,\n"
    "  in labels; macro means over the labels that B has (of pq: mPQ); objects all labels "
    "together\n\n"
    "Objects of GeoJSON files:\n"
    "  each detection or cell is an object, or each region if a file has none of these, and "
    "neighbours\n"
    "  that touch stay apart. No image is needed. With --objects --classes scores are by the names "
    "of\n"
    "  their classes, in classes: an object matches objects of its class only";

}  // namespace

int compare_command(const Call& call) {
  const std::vector<FlagGroup> groups{
      {"objects", object_flags()},
      {"flags",
       {{"match", "",
         "match labels by overlap, for a result with numbers of its own, such as tissue without "
         "strokes: pairs labels of A and B one to one so that the sum of Dice is largest; at "
         "most " +
             std::to_string(kMostMatched) + " labels"},
        {"where-labelled", "",
         "compare only voxels that B labels, for a B that marks only parts; surfaces are those of "
         "the compared part"},
        {"json", "",
         "{\"result\", \"reference\", \"size\", \"spacing\", \"unit\", \"labels\": {\"1\": "
         "{...}}, \"macro\": {...}, \"warnings\"}, with --match \"matched\": {\"3\": 1}: 3 of A "
         "counts as 1; "
         "macro is the mean over the labels that have the metric; with --objects \"objects\" in "
         "place of both; with --parts all three; with --classes \"classes\" in place of "
         "\"labels\""},
        {"threads", "N", "use at most N CPU threads (default: all)"},
        {"quiet", "", "no progress"},
        {"help", "", "this page"}}}};
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(
        help_page("compare A B [--objects [--iou LIMIT] [--parts | --classes]] [--match] "
                  "[--where-labelled] [--json]",
                  kCompareDescription, groups));
    return 0;
  }
  const std::vector<std::string>& paths = arguments.positionals();
  if (paths.size() != 2)
    throw UsageError(
        "compare needs two label images, or files of objects: compare RESULT REFERENCE");
  const std::optional<ObjectRequest> request = object_request(arguments);
  if (request && request->objects == ScoredObjects::Classes) check_have_classes(paths);
  Compared compared;
  {
    ProgressBar bar(arguments.has("quiet"));
    Context context(Context::Settings{
        .stop = call.stop,
        .progress = bar.callback(),
        .threads = static_cast<int>(arguments.integer("threads", 1, kMostThreads).value_or(0))});
    compared = request && request->objects != ScoredObjects::Parts
                   ? compare_objects(paths, *request, context)
                   : compare_maps(paths, request, arguments, context);
  }
  if (arguments.has("json")) {
    nlohmann::ordered_json json = compared_json(paths, compared.geometry);
    if (compared.parts) {
      add_parts(json, *compared.parts);
    } else if (compared.objects) {
      json["objects"] = object_json(*compared.objects, request->limit);
    } else {
      add_labels(json, compared.labels);
    }
    json["warnings"] = compared.warnings;
    print_json(json);
  } else {
    print_warnings(compared.warnings);
    print(compared.parts     ? part_text(*compared.parts)
          : compared.objects ? object_text(*compared.objects, request->limit)
                             : table_text(compared.labels, compared.geometry));
  }
  return 0;
}

}  // namespace seedwave::cli
