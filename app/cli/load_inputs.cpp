// SPDX-License-Identifier: Apache-2.0
#include "app/cli/load_inputs.h"

#include "core/base/error.h"
#include "core/image/channel.h"
#include "core/image/crop.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"

#include <algorithm>
#include <utility>

namespace seedwave::cli {
namespace {

std::string channel_ids() {
  std::string ids;
  for (const Channel& channel : channels())
    ids += (ids.empty() ? "" : ", ") + channel.id;
  return ids;
}

const InputSpec* find_input(const Operation& operation, InputKind kind) {
  const auto found = std::find_if(operation.inputs.begin(), operation.inputs.end(),
                                  [kind](const InputSpec& input) { return input.kind == kind; });
  return found == operation.inputs.end() ? nullptr : &*found;
}

/// Parses "X,Y,Z,W,H,D" or, on an image, "X,Y,W,H".
Box parse_region(const std::string& text, const Geometry& geometry) {
  std::vector<std::int64_t> n = integers_of("region", text, 0);
  if (n.size() == 4 && geometry.is_2d()) n = {n[0], n[1], 0, n[2], n[3], 1};
  if (n.size() != 6) {
    throw UsageError(std::string("--region needs ") +
                     (geometry.is_2d() ? "X,Y,W,H on an image" : "X,Y,Z,W,H,D on a volume") +
                     ", not '" + text + "'");
  }
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    // Compared without an addition, which could overflow.
    if (n[axis] < 0 || n[axis + 3] < 1 || n[axis] >= geometry.size[axis] ||
        n[axis + 3] > geometry.size[axis] - n[axis]) {
      throw UsageError("--region " + text + " does not lie inside the image (" +
                       describe(geometry) + ")");
    }
    box.lo[axis] = n[axis];
    box.hi[axis] = n[axis] + n[axis + 3];
  }
  return box;
}

Volume take_channel(const Volume& image, const std::string& path, const std::string& channel) {
  const std::vector<Channel>& all = channels();
  if (std::none_of(all.begin(), all.end(), [&](const Channel& c) { return c.id == channel; })) {
    throw UsageError("--channel must be one of " + channel_ids() + ", not '" + channel + "'");
  }
  if (image.components() == 1) {
    if (channel == channels().front().id) return image;
    throw InputError(path + " has one channel: --channel " + channel + " is for colour images");
  }
  return channel_of(image, channel);
}

/// Loads labels on the grid of the whole image, or on that of the part.
LabelMap load_part_labels(const std::string& path, const LoadedPart& part, Context& context) {
  if (part.box == Box::whole(part.whole)) return io::load_labels(path, part.whole, context);
  const LabelMap labels = io::read_labels(path, context);
  if (auto fitted = io::fit_labels(labels, part.whole)) return crop(*fitted, part.box);
  if (auto fitted = io::fit_labels(labels, part.image.geometry())) return *std::move(fitted);
  throw InputError(path + " is on a different grid from the image: labels " +
                   io::describe_placement(labels.geometry()) + "; image " +
                   io::describe_placement(part.whole));
}

SeedVoxels load_seed_voxels(const std::string& path, const LoadedPart& part, Context& context) {
  if (!io::is_seed_file(path)) return seeds_from(load_part_labels(path, part, context));
  // Indices in a file refer to the whole image; strokes lie in world coordinates.
  return io::load_seeds(path, part.whole).seeds.rasterise(part.image.geometry());
}

/// Loads an image on the grid of the whole image or of the part; of a colour image the same
/// channel.
Volume load_marker(const std::string& path, const LoadedPart& part, const Arguments& arguments,
                   Context& context) {
  Volume marker = io::load_path(path, "", context, damaged_of(arguments)).volume;
  if (marker.components() == 3) {
    const auto channel = arguments.text("channel");
    if (!channel) {
      throw InputError(path + " is a colour image, but a marker has one channel: choose one with " +
                       "--channel " + channel_ids());
    }
    marker = take_channel(marker, path, *channel);
  }
  marker = io::fit_picture(marker, part.whole);
  if (same_grid(marker.geometry(), part.whole)) return crop(marker, part.box);
  if (same_grid(marker.geometry(), part.image.geometry())) return marker;
  throw InputError(path + " is on a different grid from the image: marker " +
                   io::describe_placement(marker.geometry()) + "; image " +
                   io::describe_placement(part.whole));
}

}  // namespace

io::Damaged damaged_of(const Arguments& arguments) {
  return arguments.has("allow-damaged") ? io::Damaged::Read : io::Damaged::Refuse;
}

std::vector<Flag> part_flags() {
  return {{"series", "UID|NUMBER", "series to use, by UID or by its number in info (from 1)"},
          {"region", "BOX", "part to use: X,Y,W,H of an image, X,Y,Z,W,H,D of a volume, in voxels"},
          {"channel", "NAME", "one channel of a colour image: " + channel_ids()},
          {"allow-damaged", "", kAllowDamagedHelp}};
}

FlagGroup input_flags(const Operation& operation) {
  FlagGroup group{"inputs", {}};
  const auto add = [&](InputKind kind, const char* value) {
    if (const InputSpec* input = find_input(operation, kind)) {
      group.flags.push_back({name_of(kind), value, input->help});
    }
  };
  group.flags.push_back({"image", "PATH", "file, or DICOM file or folder"});
  for (const Flag& flag : part_flags())
    group.flags.push_back(flag);
  add(InputKind::Seeds, "PATH");
  add(InputKind::Marker, "PATH");
  add(InputKind::Mask, "PATH");
  if (operation.main_output().kind == OutputKind::Labels) {
    group.flags.push_back({"reference", "PATH", "labels to compare the result with (Dice)"});
  }
  return group;
}

LoadedPart load_part(const std::string& path, const Arguments& arguments, Context& context) {
  LoadedPart part;
  io::LoadedImage loaded =
      io::load_path(path, arguments.text("series").value_or(""), context, damaged_of(arguments));
  part.warnings = std::move(loaded.warnings);
  part.whole = loaded.volume.geometry();
  part.box = Box::whole(part.whole);
  part.shown = std::move(loaded.volume);
  if (const auto region = arguments.text("region")) {
    part.box = parse_region(*region, part.whole);
    part.shown = crop(part.shown, part.box);
  }
  part.image = part.shown;
  if (const auto channel = arguments.text("channel")) {
    part.image = take_channel(part.shown, path, *channel);
  }
  return part;
}

LoadedInputs load_inputs(const Arguments& arguments, const Operation& operation, Context& context) {
  const auto path = arguments.text("image");
  if (!path) throw UsageError("--image PATH is missing");
  for (const InputSpec& input : operation.inputs) {
    const std::string name = name_of(input.kind);
    if (!input.required || arguments.has(name)) continue;
    throw InputError(operation.id + " needs " + name + ": --" + name + " PATH is missing");
  }
  LoadedPart part = load_part(*path, arguments, context);
  const InputSpec* wanted = find_input(operation, InputKind::Image);
  if (part.image.components() == 3 && wanted != nullptr && wanted->components == 1) {
    throw InputError(*path + " is a colour image, but " + operation.id +
                     " reads one channel: choose one with --channel " + channel_ids());
  }
  LoadedInputs loaded;
  loaded.inputs.image = part.image;
  loaded.shown = part.shown;
  loaded.warnings = part.warnings;
  if (const auto seeds = arguments.text("seeds")) {
    loaded.inputs.seeds = load_seed_voxels(*seeds, part, context);
    if (loaded.inputs.seeds.seeds.empty()) {
      throw InputError(*seeds + " has no seeds inside the image");
    }
  }
  if (const auto marker = arguments.text("marker")) {
    loaded.inputs.marker = load_marker(*marker, part, arguments, context);
  }
  if (const auto mask = arguments.text("mask")) {
    loaded.inputs.mask = load_part_labels(*mask, part, context);
  }
  if (const auto reference = arguments.text("reference")) {
    loaded.inputs.reference = load_part_labels(*reference, part, context);
  }
  return loaded;
}

}  // namespace seedwave::cli
