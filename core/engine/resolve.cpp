// SPDX-License-Identifier: Apache-2.0
#include "core/engine/resolve.h"

#include "core/base/error.h"
#include "core/engine/run_again.h"
#include "core/image/channel.h"
#include "core/image/crop.h"
#include "core/image/label_map.h"
#include "core/image/labels_from.h"
#include "core/io/image_source.h"
#include "core/io/label_table.h"
#include "core/io/labels.h"
#include "core/io/slides/slide_item.h"
#include "core/ops/run.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace seedwave {

namespace {

void collect(const InputChoices& choices, const RunHistory& history, std::set<const Step*>& seen,
             KeptOutputs& into) {
  for (const auto& [input, choice] : choices) {
    if (!choice.step || !seen.insert(choice.step.get()).second) continue;
    if (const Run* run = history.find(*choice.step)) into.emplace(run->id, *run);
    collect(choice.step->recipe.inputs, history, seen, into);
  }
}

/// Returns the cached volume for `key`, else calls `make` and caches its result.
template <typename Make>
Volume kept(Context& context, const std::string& key, Make&& make) {
  if (const auto found = context.cache().find<Volume>(key)) return *found;
  const auto made = std::make_shared<Volume>(make());
  context.cache().put(key, made, made->bytes().size());
  return *made;
}

/// Returns labels as the image that reading them from a file gives: u8, u16 or i32. Results are
/// then the same whether the labels were read from a run or from its file.
Volume as_volume(const LabelMap& labels) {
  Volume stored = io::volume_of(labels);
  if (stored.type() != VoxelType::U32) return stored;
  if (const Label most = largest_label(labels.labels());
      most > std::numeric_limits<std::int32_t>::max()) {
    throw InputError("label " + std::to_string(most) +
                     " is too large for an image: labels up to 2147483647 can be read as one");
  }
  const auto numbers = stored.voxels<std::uint32_t>();
  return {labels.geometry(), std::vector<std::int32_t>(numbers.begin(), numbers.end())};
}

/// The mask of an input: every voxel that is not 0 takes part. The last one is kept, since what
/// later runs find in the cache depends on the mask's owner.
LabelMap mask_of(const Volume& volume, Context& context) {
  struct KeptMask {
    Volume of;
    LabelMap mask;
  };
  static constexpr const char* kKey = "mask of an input";
  const auto last = context.cache().find<KeptMask>(kKey);
  if (last && last->of.owner() == volume.owner()) return last->mask;
  std::vector<std::uint8_t> mask;
  mask.reserve(static_cast<std::size_t>(volume.geometry().voxel_count()));
  visit_stored(volume, [&](const auto& voxels) {
    for (const auto voxel : voxels)
      mask.push_back(voxel != 0 ? 1 : 0);
  });
  const auto made = std::make_shared<KeptMask>(
      KeptMask{.of = volume, .mask = LabelMap(volume.geometry(), std::move(mask))});
  context.cache().put(kKey, made, made->mask.labels().size_bytes());
  return made->mask;
}

std::string name_of_run(const Step& step) {
  return "run " + std::to_string(step.id) + " (" + step.recipe.operation + ")";
}

/// Returns an output of a report as an image. Throws if it is a table or missing.
Volume image_in(const RunReport& report, const Step& step, const std::string& output) {
  const auto found = report.outputs.find(output);
  if (found != report.outputs.end() && !std::holds_alternative<Table>(found->second))
    return as_image(found->second);
  throw InputError(name_of_run(step) + " has no image output '" + output + "'");
}

Volume repeated(const OperationTable& table, const Step& step, const std::string& output,
                const LoadedCase& of, Context& context) {
  const Operation& operation = table.at(step.recipe.operation);
  const Recipe again = recipe_again(operation, step);
  const RunReport report =
      run_operation(table, request_of(again, resolve(table, again, of, context)), context);
  if (report.facts.digest != step.facts.digest) {
    throw InputError(name_of_run(step) + " cannot be read: " + why_another_result(operation, step));
  }
  return image_in(report, step, output);
}

/// Returns the labels of a run if they are this output and were not evicted; otherwise nothing.
std::optional<Volume> kept_labels(const OperationTable& table, const Run& run,
                                  const std::string& output) {
  const OutputSpec* labels = table.at(run.recipe.operation).find_output(OutputKind::Labels);
  const bool packed = !run.labels.empty() && labels != nullptr && output == labels->id;
  return packed ? std::optional(as_volume(run.labels.unpack())) : std::nullopt;
}

Volume volume_of(const OperationTable& table, const Step& step, const std::string& output,
                 const LoadedCase& of, Context& context) {
  const auto run = of.kept.find(step.id);
  const Run* kept_run =
      run != of.kept.end() && same_step(run->second, step) ? &run->second : nullptr;
  if (kept_run != nullptr) {
    const auto image = kept_run->images.find(output);
    if (image != kept_run->images.end()) return image->second;
  }
  // Ids start again with every image: time and digest distinguish two steps of the same id.
  const std::string key = "output of run " + std::to_string(step.id) + " " + step.time + " " +
                          step.facts.digest + "/" + output;
  return kept(context, key, [&] {
    const auto found = kept_run == nullptr ? std::nullopt : kept_labels(table, *kept_run, output);
    return found ? *found : repeated(table, step, output, of, context);
  });
}

Volume chosen_volume(const OperationTable& table, const std::string& input,
                     const InputChoice& choice, const std::string& channel, const LoadedCase& of,
                     Context& context) {
  if (!choice.step) return read_input(input, choice.file, of, channel, context);
  if (is_lost(*choice.step)) {
    throw InputError("the " + input + " was set to run " + std::to_string(choice.step->id) +
                     ", which is no longer in the list: choose another");
  }
  return volume_of(table, *choice.step, choice.output, of, context);
}

/// Returns the volume on the grid of the whole image or of the part if it is a label map of the
/// same voxels along other axes; nothing otherwise.
std::optional<Volume> turned_labels(const Volume& volume, const LoadedCase& of,
                                    const std::string& path, Context& context) {
  const std::array grids{of.whole, of.image.geometry()};
  const auto is_grid = [&](const Geometry& grid) { return same_grid(volume.geometry(), grid); };
  if (std::any_of(grids.begin(), grids.end(), is_grid)) return std::nullopt;
  try {
    const LabelMap labels = labels_from(volume, path, [&] { context.checkpoint(0.0); });
    for (const Geometry& grid : grids) {
      if (const auto turned = io::fit_labels(labels, grid)) return as_volume(*turned);
    }
  } catch (const InputError&) {
    // Only label maps are turned.
  }
  return std::nullopt;
}

/// One component of an image.
Volume read_marker(const Source& file, const LoadedCase& of, const std::string& channel,
                   Context& context) {
  io::Item item = io::find_item(file.path, file.series, context);
  if (item.kind == io::ItemKind::Slide) item = io::with_pixels_on(item, of.whole);
  Volume marker = io::load(item, context, of.damaged).volume;
  if (marker.components() == 1) return marker;
  if (channel.empty()) {
    throw InputError(file.path.string() +
                     " is a colour image, but a marker has one channel: choose a channel");
  }
  return channel_of(marker, channel);
}

/// An input on the grid of the case's image. Throws InputError that names both grids.
Volume on_grid_of(const LoadedCase& of, const Volume& input, const std::string& name,
                  const std::string& path) {
  Volume fitted = io::fit_picture(input, of.whole);
  if (same_grid(fitted.geometry(), of.whole)) return crop(fitted, of.box);
  if (same_grid(fitted.geometry(), of.image.geometry())) return fitted;
  throw InputError(path + " is on a different grid from the image: " + name + " " +
                   io::describe_placement(input.geometry()) + "; image " +
                   io::describe_placement(of.whole));
}

}  // namespace

SeedVoxels read_seeds(const Source& file, const LoadedCase& of, Context& context) {
  SeedVoxels seeds =
      io::is_seed_file(file.path)
          ? io::load_seeds(file.path, of.whole, of.level0).seeds.rasterise(of.image.geometry())
          : seeds_from(load_labels(file.path, of, context));
  if (seeds.seeds.empty()) throw InputError(file.path.string() + " has no seeds inside the image");
  return seeds;
}

bool reads_colours(const Operation& operation) {
  const InputSpec* image = operation.find_input(InputKind::Image);
  return image != nullptr && image->components != 1;
}

KeptOutputs kept_behind(const InputChoices& inputs, const RunHistory& history) {
  KeptOutputs kept;
  std::set<const Step*> seen;
  collect(inputs, history, seen, kept);
  return kept;
}

Inputs resolve(const OperationTable& table, const Recipe& recipe, const LoadedCase& of,
               Context& context) {
  Inputs inputs;
  inputs.image = image_of(of, recipe.channel);
  inputs.seeds = recipe.seeds.as_set().rasterise(of.image.geometry());
  inputs.requested = recipe.requested;
  inputs.edits = recipe.edits;
  for (const auto& [input, choice] : recipe.inputs) {
    if (input == name_of(InputKind::Seeds)) {
      inputs.seeds = read_seeds(choice.file, of, context);
      continue;
    }
    put_input(input, chosen_volume(table, input, choice, recipe.channel, of, context), inputs,
              context);
  }
  return inputs;
}

Volume as_image(const Output& output) {
  const auto* labels = std::get_if<LabelMap>(&output);
  return labels != nullptr ? as_volume(*labels) : std::get<Volume>(output);
}

void put_input(const std::string& name, const Volume& volume, Inputs& inputs, Context& context) {
  const auto labels = [&](const std::string& what) {
    return labels_from(volume, what, [&context] { context.checkpoint(0.0); });
  };
  if (name == name_of(InputKind::Image)) inputs.image = volume;
  if (name == name_of(InputKind::Labels)) inputs.labels = labels("the label map");
  if (name == name_of(InputKind::Start)) inputs.start = labels("the label map to correct");
  if (name == name_of(InputKind::Marker)) inputs.marker = volume;
  if (name == name_of(InputKind::Mask)) inputs.mask = mask_of(volume, context);
}

Volume read_input(const std::string& input, const Source& file, const LoadedCase& of,
                  const std::string& channel, Context& context) {
  std::error_code ignored;
  const auto written = std::filesystem::last_write_time(file.path, ignored);
  const std::string path = file.path.string();
  const std::string key = input + " " + path + " " +
                          std::to_string(written.time_since_epoch().count()) + " " + channel +
                          " on " + io::describe_placement(of.image.geometry());
  return kept(context, key, [&] {
    const bool is_marker = input == name_of(InputKind::Marker);
    const Volume volume = is_marker ? read_marker(file, of, channel, context)
                                    : io::read_label_volume(file.path, context, of.whole);
    const auto turned = turned_labels(volume, of, path, context);
    return on_grid_of(of, turned.value_or(volume), input, path);
  });
}

}  // namespace seedwave
