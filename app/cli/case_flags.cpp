// SPDX-License-Identifier: Apache-2.0
#include "app/cli/case_flags.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/engine/resolve.h"
#include "core/image/channel.h"
#include "core/image/region.h"
#include "core/io/image_source.h"
#include "core/io/region_file.h"
#include "core/io/slides/slide_item.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace seedwave::cli {
namespace {

std::string channel_ids() {
  std::string ids;
  for (const Channel& channel : channels())
    ids += (ids.empty() ? "" : ", ") + channel.id;
  return ids;
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

/// Returns what the flags ask for of a slide. Throws UsageError.
io::SlideView view_of(const io::SlideInfo& info, const Arguments& arguments) {
  io::SlideView view;
  int scales = 0;
  if (const auto level =
          arguments.integer("level", 0, static_cast<std::int64_t>(info.levels.size()) - 1)) {
    view.level = static_cast<int>(*level);
    ++scales;
  }
  const auto positive = [&](const char* flag) -> std::optional<double> {
    const auto text = arguments.text(flag);
    if (!text) return std::nullopt;
    ++scales;
    const auto number = parse_number(*text);
    if (!number || !(*number > 0.0) || !std::isfinite(*number))
      throw UsageError("--" + std::string(flag) + " must be a number above 0, not '" + *text + "'");
    return number;
  };
  view.magnification = positive("magnification");
  view.mpp = positive("mpp");
  if (scales > 1) throw UsageError("only one of --level, --magnification and --mpp can be given");
  if (const auto region = arguments.text("region")) {
    Geometry grid;
    grid.size = {info.levels.front().width, info.levels.front().height, 1};
    grid.unit = LengthUnit::Pixel;
    view.region = parse_region(*region, grid);
  }
  const auto channel = arguments.text("channel");
  if (channel && info.components == 3) view.of_colours = *channel;
  if (channel && !info.channels.empty()) {
    const auto at = std::ranges::find(info.channels, *channel);
    if (at == info.channels.end()) {
      std::string names;
      for (const std::string& name : info.channels)
        names += (names.empty() ? "" : ", ") + name;
      throw UsageError("--channel must be one of " + names + ", not '" + *channel + "'");
    }
    view.channel = static_cast<int>(at - info.channels.begin());
  }
  return view;
}

void check_channel_name(const std::string& channel) {
  try {
    static_cast<void>(channel_named(channel));
  } catch (const InputError& error) {
    throw UsageError("--channel: " + std::string(error.what()));
  }
}

/// Throws where the image has no channel of that name.
void check_channel(const Volume& image, const std::string& path, const std::string& channel) {
  check_channel_name(channel);
  if (image.components() == 1 && channel != channels().front().id) {
    throw InputError(path + " has one channel: --channel " + channel + " is for colour images");
  }
}

/// The edits that --edits, --locked and --inside name, on the grid of the case.
Edits edits_in(const Arguments& arguments, const LoadedCase& of, Context& context) {
  std::set<Label> locked;
  if (const auto text = arguments.text("locked")) {
    for (const std::int64_t label : integers_of("locked", *text, 0)) {
      if (label < 1 || label > kLargestLabel) {
        throw UsageError("--locked must be labels from 1 to " + std::to_string(kLargestLabel) +
                         ", not '" + *text + "'");
      }
      locked.insert(static_cast<Label>(label));
    }
  }
  Edits edits{.size = of.image.geometry().size, .drawn = {}, .locked = {}};
  if (const auto path = arguments.text("edits")) {
    edits = edits_from(load_labels(*path, of, context), locked, *path);
  } else {
    for (const Label label : locked)
      edits.locked[label];
  }
  if (const auto inside = arguments.text("inside")) {
    const std::vector<LabelRun> outside =
        runs_outside(regions_named(*inside, of, context), of.image.geometry(), kFixedAsNone);
    edits.drawn = edits.drawn.with(outside);
  }
  return edits;
}

/// The inputs that the flags name beside the image, for resolve().
Recipe recipe_in(const Arguments& arguments, const Operation& operation,
                 const std::string& channel) {
  Recipe recipe{.operation = operation.id, .channel = channel};
  for (const InputKind kind : {InputKind::Labels, InputKind::Seeds, InputKind::Marker,
                               InputKind::Mask, InputKind::Start}) {
    if (!operation.wants(kind)) continue;
    const auto path = arguments.text(name_of(kind));
    if (path) recipe.inputs[name_of(kind)].file.path = *path;
  }
  return recipe;
}

}  // namespace

io::Damaged damaged_of(const Arguments& arguments) {
  return arguments.has("allow-damaged") ? io::Damaged::Read : io::Damaged::Refuse;
}

std::vector<Flag> part_flags() {
  return {{"series", "UID|NUMBER", "series to use, by UID or by its number in info (from 1)"},
          {"region", "BOX",
           "part to use: X,Y,W,H of an image, X,Y,Z,W,H,D of a volume, in voxels; of a slide in "
           "pixels of level 0"},
          {"level", "N", "level of a slide to use, 0: the finest"},
          {"magnification", "M", "magnification of a slide to use, as 20 or 5"},
          {"mpp", "U", "micrometres per pixel of a slide to use"},
          {"channel", "NAME",
           "one channel of a colour image: " + channel_ids() +
               ", or stains as the command stains writes them; or of a slide with channels"},
          {"allow-damaged", "", kAllowDamagedHelp}};
}

FlagGroup input_flags(const Operation& operation) {
  FlagGroup group{"inputs", {}};
  const auto add = [&](InputKind kind, const char* value) {
    if (const InputSpec* input = operation.find_input(kind)) {
      group.flags.push_back({name_of(kind), value, input->help});
    }
  };
  group.flags.push_back({"image", "PATH", "file, slide, or DICOM file or folder"});
  for (const Flag& flag : part_flags())
    group.flags.push_back(flag);
  add(InputKind::Labels, "PATH");
  add(InputKind::Seeds, "PATH");
  add(InputKind::Marker, "PATH");
  add(InputKind::Mask, "PATH");
  add(InputKind::Start, "PATH");
  if (operation.gives(OutputKind::Labels)) {
    group.flags.push_back(
        {"edits", "PATH",
         "label image of voxels fixed by hand, which lie above the result: 0 where "
         "nothing is fixed, 4294967295 where no label is"});
    group.flags.push_back(
        {"locked", "LABELS", "labels of --edits, such as 1,3, that no other voxel gets"});
    group.flags.push_back(
        {"inside", "REGIONS[#CLASS]",
         "GeoJSON file: no pixel outside its regions, or those of a class, has a label; of 2-D "
         "images"});
  }
  if (operation.gives(OutputKind::Labels)) {
    group.flags.push_back({"reference", "PATH", "labels to compare the result with (Dice)"});
  }
  return group;
}

Regions regions_named(const std::string& text, const LoadedCase& of, Context& context) {
  // A file may have that sign in its name.
  const std::size_t at = std::filesystem::exists(text) ? std::string::npos : text.rfind('#');
  const std::string file = text.substr(0, at);
  const bool is_of_slide = of.level0.voxel_count() > 0;
  const io::ReadRegions read = io::read_regions(file, is_of_slide ? of.level0 : of.whole, context);
  if (at == std::string::npos) return read.regions;
  const std::string wanted = text.substr(at + 1);
  const auto named = std::ranges::find(read.names, wanted, &io::LabelName::name);
  if (named == read.names.end()) {
    std::string known;
    for (const io::LabelName& name : read.names)
      known += (known.empty() ? "" : ", ") + name.name;
    throw InputError(file + " has no regions of the class '" + wanted + "': it has " +
                     (known.empty() ? "no classes" : known));
  }
  Regions regions = read.regions;
  std::erase_if(regions, [&](const auto& region) { return region->label != named->id; });
  return regions;
}

FoundCase find_case(const std::string& path, const Arguments& arguments, Context& context,
                    std::optional<double> mpp) {
  FoundCase found{.path = path,
                  .item = io::find_item(path, arguments.text("series").value_or(""), context),
                  .channel = arguments.text("channel").value_or("")};
  if (found.item.kind == io::ItemKind::Slide) {
    const io::SlideInfo& info = *found.item.slide;
    if (info.components == 3 && !found.channel.empty()) check_channel_name(found.channel);
    io::SlideView view = view_of(info, arguments);
    if (!view.level && !view.magnification && !view.mpp) view.mpp = mpp;
    found.item = io::with_view(found.item, view);
    const bool is_taken = info.components == 3 || !info.channels.empty();
    if (is_taken) found.channel.clear();
    return found;
  }
  for (const char* flag : {"level", "magnification", "mpp"}) {
    if (arguments.has(flag))
      throw UsageError("--" + std::string(flag) + " is for slides, and " + path + " is none");
  }
  return found;
}

ReadCase read_case(const FoundCase& found, const Arguments& arguments, Context& context) {
  const io::Damaged damaged = damaged_of(arguments);
  io::LoadedImage loaded = io::load(found.item, context, damaged);
  ReadCase read{.of = whole_case(loaded.volume),
                .channel = found.channel,
                .warnings = std::move(loaded.warnings)};
  read.of.damaged = damaged;
  if (found.item.slide) read.of.level0 = found.item.slide->grid(0);
  const auto region = arguments.text("region");
  if (region && found.item.kind != io::ItemKind::Slide)
    read.of = cut_case(read.of, parse_region(*region, read.of.whole));
  if (!read.channel.empty()) check_channel(read.of.image, found.path, read.channel);
  return read;
}

std::string image_path(const Arguments& arguments) {
  if (const auto path = arguments.text("image")) return *path;
  throw UsageError("--image PATH is missing");
}

void check_inputs_given(const Operation& operation, const Arguments& arguments) {
  for (const InputSpec& input : operation.inputs) {
    const std::string name = name_of(input.kind);
    const bool needed =
        input.is_needed([&](InputKind kind) { return arguments.has(name_of(kind)); });
    if (!needed || input.kind == InputKind::Image || arguments.has(name)) continue;
    throw InputError(operation.id + " needs " + name + ": --" + name + " PATH is missing");
  }
}

ReadInputs read_inputs(const OperationTable& table, const Operation& operation,
                       const FoundCase& found, const Arguments& arguments, Context& context) {
  ReadCase read = read_case(found, arguments, context);
  Recipe recipe = recipe_in(arguments, operation, read.channel);
  if (operation.gives(OutputKind::Labels)) recipe.edits = edits_in(arguments, read.of, context);
  const InputSpec* wanted = operation.find_input(InputKind::Image);
  const bool in_colour = read.of.image.components() == 3 && recipe.channel.empty();
  if (in_colour && wanted != nullptr && wanted->components == 1) {
    throw InputError(found.path + " is a colour image, but " + operation.id +
                     " reads one channel: choose one with --channel " + channel_ids());
  }
  ReadInputs made{.of = std::move(read.of),
                  .inputs = {},
                  .reference = {},
                  .warnings = std::move(read.warnings)};
  made.inputs = resolve(table, recipe, made.of, context);
  if (const auto reference = arguments.text("reference"))
    made.reference = load_labels(*reference, made.of, context);
  return made;
}

}  // namespace seedwave::cli
