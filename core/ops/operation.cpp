// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operation.h"

#include "core/base/error.h"
#include "core/image/channel.h"
#include "core/image/crop.h"
#include "core/ops/place_text.h"

#include <algorithm>
#include <optional>

namespace seedwave {
namespace {

void check_grid(const std::string& what, const Geometry& geometry, const Geometry& image) {
  if (same_grid(geometry, image)) return;
  throw InputError("the " + what + " is on a different grid (" + describe(geometry) +
                   ") than the image (" + describe(image) + ")");
}

bool is_missing(const Inputs& inputs, InputKind kind) {
  switch (kind) {
    case InputKind::Image:
      return inputs.image.empty();
    case InputKind::Labels:
      return inputs.labels.empty();
    case InputKind::Seeds:
      return inputs.seeds.seeds.empty();
    case InputKind::Marker:
      return inputs.marker.empty();
    case InputKind::Start:
      return inputs.start.empty();
    case InputKind::Edits:
      return inputs.edits.empty();
    case InputKind::Mask:
      break;
  }
  return inputs.mask.empty();
}

std::string with_article(InputKind kind) {
  if (kind == InputKind::Labels) return "a label map";
  return (kind == InputKind::Image ? "an " : "a ") + name_of(kind);
}

[[noreturn]] void refuse_missing(const Operation& operation, InputKind kind) {
  if (kind == InputKind::Seeds) {
    throw InputError(operation.id + " needs seeds, but there are none inside the image");
  }
  throw InputError(operation.id + " needs " + with_article(kind));
}

void check_components(const Operation& operation, const InputSpec& input, const Volume& image) {
  if (image.empty() || input.components == 0 || image.components() == input.components) return;
  if (input.components == 3) throw InputError(operation.id + " needs a colour image (RGB)");
  std::vector<std::string> ids;
  for (const Channel& channel : channels())
    ids.push_back(channel.id);
  throw InputError(operation.id + " reads one value per voxel, but the image has " +
                   std::to_string(image.components()) + ": choose a channel (" + listed(ids) + ")");
}

void check_seeds(const SeedVoxels& seeds, const Geometry& geometry) {
  for (const Seed& seed : seeds.seeds) {
    if (seed.offset < 0 || seed.offset >= geometry.voxel_count()) {
      throw InputError("a seed of label " + std::to_string(seed.label) +
                       " lies outside the image (" + describe(geometry) + ")");
    }
  }
}

}  // namespace

std::string name_of(Backend backend) {
  return backend == Backend::Cuda ? "cuda" : "cpu";
}

std::optional<Backend> backend_named(const std::string& name) {
  if (name == "cpu") return Backend::Cpu;
  if (name == "cuda") return Backend::Cuda;
  return std::nullopt;
}

std::string name_of(InputKind kind) {
  switch (kind) {
    case InputKind::Image:
      return "image";
    case InputKind::Labels:
      return "labels";
    case InputKind::Seeds:
      return "seeds";
    case InputKind::Marker:
      return "marker";
    case InputKind::Start:
      return "start";
    case InputKind::Edits:
      return "edits";
    case InputKind::Mask:
      break;
  }
  return "mask";
}

const std::vector<ColumnSpec>& OutputSpec::columns() const {
  static const std::vector<ColumnSpec> none;
  if (const auto* table = std::get_if<TableForm>(&form)) return table->columns;
  return curve() == nullptr ? none : curve()->columns;
}

const InputSpec* Operation::find_input(InputKind kind) const {
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [kind](const InputSpec& input) { return input.kind == kind; });
  return found == inputs.end() ? nullptr : &*found;
}

const OutputSpec* Operation::find_output(OutputKind kind) const {
  const auto found = std::find_if(outputs.begin(), outputs.end(), [kind](const OutputSpec& output) {
    return output.kind() == kind;
  });
  return found == outputs.end() ? nullptr : &*found;
}

const Parameter* Operation::find_parameter(const std::string& parameter) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return p.id == parameter; });
  return found == parameters.end() ? nullptr : &*found;
}

const Parameter& Operation::parameter(const std::string& name) const {
  if (const Parameter* found = find_parameter(name)) return *found;
  std::vector<std::string> ids;
  for (const Parameter& each : parameters)
    ids.push_back(each.id);
  throw UsageError(id + " has no parameter '" + name + "'" +
                   (ids.empty() ? "" : ", only " + listed(ids)));
}

bool Operation::labels_replace_image() const {
  const InputSpec* labels = find_input(InputKind::Labels);
  return labels != nullptr && !labels->required;
}

bool Operation::gives(OutputKind kind, Reads reads) const {
  return std::any_of(outputs.begin(), outputs.end(), [&](const OutputSpec& output) {
    return output.kind() == kind && output.is_given(reads);
  });
}

const OutputSpec& Operation::main_output(Reads reads) const {
  const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const OutputSpec& output) {
    return !output.on_request && output.is_given(reads) &&
           (output.kind() == OutputKind::Labels || output.kind() == OutputKind::Image);
  });
  require(!outputs.empty());  // an operation without an output is a mistake in the table
  return found == outputs.end() ? outputs.front() : *found;
}

Values applicable(const Operation& operation, const Values& values, bool image_is_2d) {
  Values applying;
  for (const auto& [id, value] : values) {
    const Parameter* parameter = operation.find_parameter(id);
    if (parameter == nullptr || applies_to(parameter->applies, image_is_2d))
      applying.set(id, value);
  }
  return applying;
}

Values checked_values(const Operation& operation, const Values& given, bool image_is_2d) {
  for (const auto& [id, value] : given)
    static_cast<void>(operation.parameter(id));
  Values values;
  for (const Parameter& parameter : operation.parameters) {
    if (!applies_to(parameter.applies, image_is_2d)) {
      if (given.has(parameter.id))
        throw UsageError(parameter.id + (image_is_2d ? " is for volumes, but this is a 2-D image"
                                                     : " is for 2-D images, but this is a volume"));
      continue;
    }
    if (!given.has(parameter.id)) {
      values.set(parameter.id, initial_value(parameter, image_is_2d));
      continue;
    }
    check_value(parameter, given.at(parameter.id), image_is_2d);
    values.set(parameter.id, given.at(parameter.id));
  }
  return values;
}

void check_places(const Operation& operation, const Values& values, const Geometry& geometry) {
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.place() == nullptr || !values.has(parameter.id)) continue;
    const std::string& text = values.word(parameter.id);
    const std::optional<PixelIndex> place = parse_place(text);
    if (!place || geometry.contains({(*place)[0], (*place)[1], 0})) continue;
    throw UsageError(parameter.id + " must lie inside the image, which has " +
                     std::to_string(geometry.size[0]) + " x " + std::to_string(geometry.size[1]) +
                     " pixels, not at " + text);
  }
}

const Focus* part_before_all(const Inputs& inputs, std::int64_t margin) {
  if (!inputs.focus) return nullptr;
  const Geometry& image = inputs.image.geometry();
  const std::int64_t part = crop(image, inputs.focus->box.grown(margin, image)).voxel_count();
  return 2 * part <= image.voxel_count() ? &*inputs.focus : nullptr;
}

void check_reference(const LabelMap& reference, const Geometry& image) {
  check_grid("reference", reference.geometry(), image);
}

void check_inputs(const Operation& operation, const Inputs& inputs) {
  for (const InputSpec& input : operation.inputs) {
    const bool needed =
        input.is_needed([&inputs](InputKind kind) { return !is_missing(inputs, kind); });
    if (needed && is_missing(inputs, input.kind)) refuse_missing(operation, input.kind);
    if (input.kind == InputKind::Image) check_components(operation, input, inputs.image);
  }
  if (inputs.image.empty()) return;
  const Geometry& geometry = inputs.image.geometry();
  if (!inputs.labels.empty()) check_grid("label map", inputs.labels.geometry(), geometry);
  if (!inputs.marker.empty()) check_grid("marker", inputs.marker.geometry(), geometry);
  if (!inputs.mask.empty()) check_grid("mask", inputs.mask.geometry(), geometry);
  if (!inputs.start.empty()) check_grid("label map to correct", inputs.start.geometry(), geometry);
  check_seeds(inputs.seeds, geometry);
}

}  // namespace seedwave
