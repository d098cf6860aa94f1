// SPDX-License-Identifier: Apache-2.0
#include "app/cli/save_outputs.h"

#include "app/cli/label_flags.h"
#include "core/base/error.h"
#include "core/io/label_table.h"
#include "core/io/labels.h"
#include "core/io/region_file.h"
#include "core/io/save.h"
#include "core/ops/table_csv.h"

#include <system_error>

namespace seedwave::cli {
namespace {

namespace fs = std::filesystem;

/// Writes one output to a file of the set.
struct Saver {
  io::OutputSet& outputs;
  const fs::path& path;
  const OutputPaths& choices;
  const std::vector<io::LabelName>& names;
  const Geometry& level0;
  Context& context;

  void operator()(const LabelMap& labels) const {
    if (io::is_surface_file(path)) {
      save_surfaces(outputs, path, labels, names, choices.surface, context);
    } else if (io::is_region_file(path)) {
      save_regions(outputs, path, labels, names, level0, context, choices.outline);
    } else {
      save_named_labels(outputs, path, labels, names, level0);
    }
  }
  void operator()(const Volume& volume) const { io::save_volume(outputs, path, volume); }
  void operator()(const Table& table) const { outputs.add(path, csv_of(table)); }
};

bool is_table(OutputKind kind) {
  return kind == OutputKind::Curve || kind == OutputKind::Table;
}

void check_suffix(const fs::path& path, OutputKind kind) {
  if (is_table(kind) && path.extension() != ".csv") {
    throw OutputError("cannot write " + path.string() + ": a table needs the suffix .csv");
  }
  if (io::is_surface_file(path)) {
    if (kind == OutputKind::Labels) return;
    throw OutputError("cannot write " + path.string() + ": only labels have surfaces");
  }
  if (io::is_region_file(path) && kind != OutputKind::Labels)
    throw OutputError("cannot write " + path.string() + ": only labels have regions");
  if (!is_table(kind)) io::check_suffix(path);
}

}  // namespace

void check_writable(const fs::path& path) {
  std::error_code error;
  if (path.is_relative() && fs::current_path(error).empty()) {
    throw OutputError("cannot write " + path.string() + ": the working folder no longer exists");
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (path.filename().empty() || fs::is_directory(path, error)) {
    throw OutputError("cannot write " + path.string() + ": it is a folder");
  }
  if (!fs::is_directory(folder, error)) {
    throw OutputError("cannot write " + path.string() + ": there is no folder " + folder.string());
  }
}

OutputPaths output_paths(const Arguments& arguments, const Operation& operation) {
  OutputPaths paths;
  std::map<fs::path, std::string> flags;  // by the file that each names
  const auto claim = [&](const std::string& flag, const fs::path& path) {
    check_writable(path);
    std::error_code ignored;
    const auto [taken, is_new] = flags.emplace(fs::weakly_canonical(path, ignored), flag);
    if (is_new) return;
    throw UsageError("--" + taken->second + " and --" + flag + " name the same file, " +
                     path.string());
  };
  const auto add = [&](const std::string& flag, const OutputSpec& output) {
    const auto text = arguments.text(flag);
    if (!text) return;
    claim(flag, *text);
    check_suffix(*text, output.kind());
    paths.files[output.id].emplace_back(*text);
  };
  add("out", operation.main_output(arguments.has("labels") ? Reads::Labels : Reads::Image));
  for (const OutputSpec& output : operation.outputs)
    add("out-" + flag_name(output.id), output);
  const auto add_png = [&](const std::string& flag, fs::path& path) {
    const auto text = arguments.text(flag);
    if (!text) return;
    claim(flag, *text);
    path = *text;
    if (path.extension() != ".png") {
      throw OutputError("cannot write " + *text + ": a " + flag + " needs the suffix .png");
    }
    io::check_suffix(path);
  };
  add_png("picture", paths.picture);
  if (operation.gives(OutputKind::Labels)) add_png("preview", paths.preview);
  std::vector<fs::path> all;
  for (const auto& [id, files] : paths.files)
    all.insert(all.end(), files.begin(), files.end());
  paths.surface = surface_choice(arguments, all);
  paths.outline = outline_choice(arguments, all);
  return paths;
}

void check_outputs_fit(const OutputPaths& paths, const Operation& operation,
                       const Geometry& geometry, Reads reads) {
  for (const OutputSpec& output : operation.outputs) {
    const auto files = paths.files.find(output.id);
    if (files == paths.files.end()) continue;
    if (!applies_to(output.applies, geometry.is_2d()))
      throw UsageError("--out-" + flag_name(output.id) +
                       (geometry.is_2d() ? " is for volumes, but this is an image"
                                         : " is for images, but this is a volume"));
    if (!output.is_given(reads))
      throw UsageError("--out-" + flag_name(output.id) + " is for runs " +
                       (reads == Reads::Labels ? "without" : "with") + " --labels");
    if (is_table(output.kind())) continue;
    for (const fs::path& path : files->second) {
      if (io::is_surface_file(path)) {
        io::check_surface_grid(path, geometry);
      } else {
        io::check_suffix(path, geometry);
      }
    }
  }
}

void save_outputs(io::OutputSet& outputs, const RunReport& report, const OutputPaths& paths,
                  const std::vector<io::LabelName>& names, const Geometry& level0,
                  Context& context) {
  for (const auto& [id, files] : paths.files) {
    for (const fs::path& path : files)
      std::visit(Saver{outputs, path, paths, names, level0, context}, report.outputs.at(id));
  }
}

}  // namespace seedwave::cli
