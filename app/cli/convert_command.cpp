// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/case_flags.h"
#include "app/cli/commands.h"
#include "app/cli/label_flags.h"
#include "app/cli/overwriting.h"
#include "app/cli/progress_bar.h"
#include "app/cli/save_outputs.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/image/labels_from.h"
#include "core/io/label_table.h"
#include "core/io/labels.h"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

namespace seedwave::cli {
namespace {

namespace fs = std::filesystem;

std::vector<FlagGroup> convert_flags() {
  FlagGroup labels{"labels", {names_flag()}};
  labels.flags.push_back({"labels", "L1,L2", ".stl, .ply: these labels only (default: all)"});
  for (const Flag& flag : surface_flags())
    labels.flags.push_back(flag);
  labels.flags.push_back(outline_flag());
  return {{"part of the image", part_flags()},
          std::move(labels),
          {"flags",
           {overwrite_flag(),
            {"json", "", R"({"in", "out", "size", "type", "digest"})"},
            {"quiet", "", "no progress and no summary"},
            {"help", "", "this page"}}}};
}

bool ends_in(const std::string& path, std::string_view suffix) {
  return path.size() > suffix.size() && path.ends_with(suffix);
}

/// Returns whether OUT is written as labels, with their names, and not as an image.
bool writes_labels(const Arguments& arguments, const std::string& to) {
  const bool holds_labels =
      io::is_surface_file(to) || io::is_region_file(to) || ends_in(to, ".seg.nrrd");
  if (arguments.has("names") && !holds_labels && !ends_in(to, ".nrrd")) {
    throw UsageError(
        "--names needs an output that holds names: .seg.nrrd, .nrrd, .geojson, .stl or .ply");
  }
  return holds_labels || arguments.has("names");
}

io::SurfaceChoice choice_of(const Arguments& arguments, const std::string& to) {
  io::SurfaceChoice choice = surface_choice(arguments, {to});
  const auto labels = arguments.text("labels");
  if (!labels) return choice;
  if (!io::is_surface_file(to))
    throw UsageError("--labels needs an output with the suffix .stl or .ply");
  for (const std::int64_t label : integers_of("labels", *labels, 0)) {
    if (label < 1 || label > std::numeric_limits<Label>::max())
      throw UsageError("--labels: " + std::to_string(label) + " is not a label, 1 to 4294967295");
    choice.labels.push_back(static_cast<Label>(label));
  }
  return choice;
}

/// Writes labels with their names. Returns the files.
std::vector<fs::path> save_as_labels(const Arguments& arguments, const std::string& to,
                                     const Volume& image, const Geometry& level0,
                                     std::vector<std::string>& warnings, Context& context) {
  const std::string& from = arguments.positionals()[0];
  io::StoredNames stored;
  if (const auto path = arguments.text("names")) {
    stored.names = io::load_label_names(*path, image.geometry());
  } else {
    stored = io::stored_names(from);
  }
  warnings.insert(warnings.end(), stored.warnings.begin(), stored.warnings.end());
  if (image.components() != 1)
    throw InputError(from + " is a colour image: choose one channel with --channel " +
                     "to use it as labels");
  const LabelMap labels = labels_from(image, from, [&] { context.checkpoint(0); });
  io::OutputSet outputs;
  std::vector<fs::path> paths{to};
  if (io::is_surface_file(to)) {
    paths = save_surfaces(outputs, to, labels, stored.names, choice_of(arguments, to), context);
  } else if (io::is_region_file(to)) {
    save_regions(outputs, to, labels, stored.names, level0, context,
                 outline_choice(arguments, {to}));
  } else {
    save_named_labels(outputs, to, labels, stored.names);
  }
  outputs.commit();
  return paths;
}

void report(const Arguments& arguments, const std::vector<fs::path>& paths, const Volume& image) {
  const Geometry& geometry = image.geometry();
  if (arguments.has("json")) {
    nlohmann::ordered_json json{{"in", arguments.positionals()[0]},
                                {"out", arguments.positionals()[1]},
                                {"size", geometry.size},
                                {"type", name_of(image.type())},
                                {"digest", xxh64_digest(image.bytes())}};
    if (arguments.has("file-per-label")) {
      for (const fs::path& path : paths)
        json["files"].push_back(path.string());
    }
    return print_json(json);
  }
  if (arguments.has("quiet")) return;
  for (const fs::path& path : paths) {
    print(path.string() + ": " +
          (io::is_surface_file(path)
               ? "surfaces of labels, LPS, mm\n"
               : describe(geometry) + ", " + std::string(name_of(image.type())) + "\n"));
  }
}

}  // namespace

int convert_command(const Call& call) {
  const std::vector<FlagGroup> groups = convert_flags();
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(help_page(
        "convert IN OUT",
        "Converts any readable image or label map to the format of OUT's suffix. Values and\n"
        "position in the patient stay exactly the same. .seg.nrrd, .geojson, .stl and .ply need\n"
        "labels: a segmentation for 3D Slicer, regions for QuPath, or the surfaces of the labels "
        "in\n"
        "LPS millimetres.",
        groups));
    return 0;
  }
  if (arguments.positionals().size() != 2) {
    throw UsageError("convert needs an input and an output: convert IN OUT");
  }
  const std::string& from = arguments.positionals()[0];
  const std::string& to = arguments.positionals()[1];
  check_writable(to);
  if (!io::is_surface_file(to)) io::check_suffix(to);
  const bool as_labels = writes_labels(arguments, to);
  // Wrong flags are reported before anything is read.
  static_cast<void>(choice_of(arguments, to));
  static_cast<void>(outline_choice(arguments, {to}));
  if (!arguments.has("overwrite")) {
    const NamedPath output{"OUT", to};
    std::vector<NamedPath> inputs{{"IN", from}};
    if (const auto names = arguments.text("names")) inputs.push_back({"--names", *names});
    refuse_overwriting({&output, 1}, inputs);
  }
  ReadCase read;
  Volume image;
  std::vector<fs::path> paths{to};
  {
    ProgressBar bar(arguments.has("quiet"));
    Context context(Context::Settings{.stop = call.stop, .progress = bar.callback()});
    read = read_case(find_case(from, arguments, context), arguments, context);
    image = image_of(read.of, read.channel);
    if (as_labels) {
      paths = save_as_labels(arguments, to, image, read.of.level0, read.warnings, context);
    } else {
      io::save_volume(to, image);
    }
  }
  print_warnings(read.warnings);
  report(arguments, paths, image);
  return 0;
}

}  // namespace seedwave::cli
