// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_request.h"

#include "core/ops/direction_text.h"
#include "core/ops/place_text.h"
#include "tests/support/random_segmentation.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::test {
namespace {

/// Sizes around those of tiles and words, lines, planes and volumes. One is large enough to be
/// distributed over threads everywhere (the largest grain is 2^18 cells).
const std::vector<Index3>& sizes() {
  static const std::vector<Index3> all{
      {1, 3, 1},  {33, 1, 1}, {31, 32, 1}, {17, 9, 1}, {9, 7, 5},    {33, 5, 4},  {8, 8, 8},
      {65, 3, 2}, {1, 17, 3}, {16, 16, 9}, {5, 1, 31}, {19, 18, 17}, {73, 67, 61}};
  return all;
}

/// Returns a value from the parameter's domain: the initial one, its word, or a random one. A value
/// in image units is drawn from the image's own range.
Value random_value(const Parameter& parameter, const Volume& image, std::mt19937_64& random) {
  if (const ChoiceDomain* choices = parameter.choices()) {
    std::vector<std::string> ids;
    for (const Choice& choice : *choices) {
      const bool is_2d = image.geometry().is_2d();
      if (applies_to(choice.applies, is_2d)) ids.push_back(choice.id);
    }
    return ids[random() % ids.size()];
  }
  if (random() % 3 == 0) return parameter.initial;
  if (std::holds_alternative<DirectionDomain>(parameter.domain)) {
    Vec3 direction{};
    for (double& along : direction)
      along = static_cast<double>(random() % 9) - 4.0;
    return direction == Vec3{} ? parameter.initial : direction_text(direction);
  }
  if (!parameter.word().empty() && random() % 3 == 0) return parameter.word();
  if (parameter.place() != nullptr) {
    const Index3& size = image.geometry().size;
    return place_text({static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size[0])),
                       static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size[1]))});
  }
  if (parameter.id == "evidence") return "1=-20:60:-4,-1,0,3;3=0:100:2,-2";
  if (parameter.id == "windows") return "1=40:9:20+90:5:5,3=10:8:8";
  const NumberDomain& numbers = *parameter.numbers();
  double low = numbers.low;
  double high = numbers.high;
  if (numbers.unit == "image units") {
    const ValueRange range = value_range(image);
    low = std::clamp(range.low, low, high);
    high = std::clamp(range.high, low, high);
    low = std::max(low, numbers.low + (high - low) / 8);  // a sigma near 0 connects nothing
  }
  if (numbers.unit.starts_with("mm")) high = std::min(high, 12.0);  // beyond it all are equal
  if (numbers.whole && numbers.scale == Scale::Logarithmic) {
    return low + static_cast<double>(random() % 70);  // a length: up to that of the inputs
  }
  if (numbers.whole) {
    // Labels and counts: inputs have small ones.
    const auto span = static_cast<std::uint64_t>(std::min(high - low, 3.0)) + 1;
    return low + static_cast<double>(random() % span);
  }
  return std::uniform_real_distribution<double>(low, std::max(low, high))(random);
}

/// Returns whether the operation's image contains labels, which are never negative or fractional.
bool reads_labels(const Operation& operation) {
  static const std::set<std::string> kIds{"influence-zones", "clean-labels",    "components",
                                          "merge-labels",    "measure-objects", "tpcf"};
  return kIds.contains(operation.id);
}

/// Returns whether the operation refuses volumes, and images smaller than its windows.
bool reads_windows(const Operation& operation) {
  return operation.id == "tpcf" || operation.id == "tissue" || operation.id == "look-alike";
}

/// Returns a few random labels; those of an image may be arbitrary.
Volume few_labels(const Geometry& geometry, std::mt19937_64& random) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::uint8_t& label : labels)
    label = static_cast<std::uint8_t>(random() % 4);
  return {geometry, std::move(labels)};
}

}  // namespace

RunRequest random_request(const Operation& operation, std::uint64_t number) {
  std::mt19937_64 random(number);
  RandomSpec spec;
  spec.size = sizes()[number % sizes().size()];
  if (reads_windows(operation)) spec.size = {spec.size[0] + 20, spec.size[1] + 16, 1};
  if (operation.id == "nuclei") spec.size[2] = 1;
  spec.type = kVoxelTypes[random() % kVoxelTypes.size()];
  if (reads_labels(operation)) spec.type = random() % 2 == 0 ? VoxelType::U8 : VoxelType::U16;
  spec.labels = 2 + static_cast<int>(random() % 2);
  spec.mask = operation.wants(InputKind::Mask) && random() % 2 == 0 ? WithMask::Yes : WithMask::No;
  const RandomSegmentation scene = random_segmentation(spec, number);
  RunRequest request;
  request.operation = operation.id;
  request.inputs.image =
      reads_windows(operation) ? few_labels(scene.image.geometry(), random) : scene.image;
  const bool reads_image = operation.labels_replace_image() && random() % 2 == 0;
  if (operation.wants(InputKind::Labels) && !reads_image) {
    const Volume labels = few_labels(scene.image.geometry(), random);
    const auto numbers = labels.voxels<std::uint8_t>();
    request.inputs.labels =
        LabelMap(labels.geometry(), std::vector<std::uint8_t>(numbers.begin(), numbers.end()));
  }
  if (operation.wants(InputKind::Seeds)) request.inputs.seeds = scene.seeds;
  request.inputs.mask = scene.mask;
  for (const OutputSpec& output : operation.outputs) {
    if (output.on_request && random() % 2 == 0) request.inputs.requested.insert(output.id);
  }
  for (const Parameter& parameter : operation.parameters) {
    if (applies_to(parameter.applies, scene.image.geometry().is_2d()))
      request.values.set(parameter.id, random_value(parameter, scene.image, random));
  }
  // The reference sorts the values of a ball for each voxel.
  if (operation.id == "median") request.values.set("radius", static_cast<double>(random() % 7) / 2);
  if (operation.id == "clean-labels")
    request.values.set("smallest", static_cast<double>(random() % 8) / 1000);
  if (operation.id == "nuclei") {
    // Stains need colours, and the smallest area must not exceed the largest.
    request.values.set("stain", random() % 2 == 0 ? "bright" : "dark");
    request.values.set("smallest", static_cast<double>(random() % 8));
    request.values.set("largest", "auto");
  }
  if (operation.id == "merge-labels") request.values.set("into", "2=1,3=700");
  if (reads_windows(operation)) {
    // Windows that fit into the image and for which the definition does not take minutes.
    request.values.set("window", static_cast<double>(4 + random() % 12));
    if (operation.id == "tpcf" && request.values.word("at") != "none")
      request.inputs.requested.clear();
    if (operation.id == "look-alike") request.values.set("at", "7,9");
  }
  return request;
}

}  // namespace seedwave::test
