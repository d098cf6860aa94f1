// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/nuclei.h"

#include "core/base/error.h"
#include "core/image/channel.h"
#include "core/image/histogram.h"
#include "core/image/stains.h"
#include "core/image/volume.h"
#include "core/ops/object_table.h"
#include "core/ops/operation.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace seedwave {
namespace {

constexpr const char* kStain = "stain";
constexpr const char* kBright = "bright";
constexpr const char* kDark = "dark";
constexpr const char* kHematoxylinStain = "hematoxylin";
constexpr const char* kRed = "red";
constexpr const char* kAllStains = "all";

/// An RGB image with a median below this, of 255, has a dark background: fluorescence.
constexpr double kDarkestBrightfield = 64.0;

/// Returns the values of one channel as f32, or the mean of three.
Volume nuclei_intensities(const Volume& image, Context& context) {
  if (image.components() == 3) {
    const auto rgb = image.voxels<std::uint8_t>();
    return Volume(image.geometry(),
                  tabulate<float>(image.geometry().voxel_count(), context, [&](std::int64_t i) {
                    return static_cast<float>(rgb[3 * i] + rgb[3 * i + 1] + rgb[3 * i + 2]) / 3.0F;
                  }));
  }
  return visit_voxels(image, [&](auto values) {
    return Volume(image.geometry(),
                  tabulate<float>(std::ssize(values), context,
                                  [&](std::int64_t i) { return static_cast<float>(values[i]); }));
  });
}

/// Returns the kind of the image: a colour image with a bright background, else nuclei that differ
/// from the larger class of Otsu's threshold.
std::string stain_seen(const Volume& image, const Volume& intensities) {
  const Histogram counts = histogram(intensities);
  const double median = counts.percentile(0.5);
  if (image.components() == 3) return median < kDarkestBrightfield ? kBright : kHematoxylinStain;
  return median < counts.otsu_threshold() ? kBright : kDark;
}

/// Returns the optical density of red alone, or of all channels together.
Volume optical_density_of(const Volume& image, bool only_red, Context& context) {
  const auto rgb = image.voxels<std::uint8_t>();
  const std::array<double, 256> density = optical_densities();
  return Volume(image.geometry(),
                tabulate<float>(image.geometry().voxel_count(), context, [&](std::int64_t i) {
                  double sum = density[rgb[3 * i]];
                  if (!only_red) sum += density[rgb[3 * i + 1]] + density[rgb[3 * i + 2]];
                  return static_cast<float>(sum);
                }));
}

/// Returns the amounts of a stain, none below 0.
Volume stain_amounts(const Volume& image, const std::string& stain, Context& context) {
  const Volume amounts = channel_of(image, stain);
  const auto values = amounts.voxels<float>();
  return Volume(image.geometry(), tabulate<float>(std::ssize(values), context, [&](std::int64_t i) {
                  return std::max(0.0F, values[i]);
                }));
}

/// Returns the image with dark and bright exchanged, not negative.
Volume inverted_intensities(const Volume& intensities, Context& context) {
  const auto values = intensities.voxels<float>();
  const auto highest = static_cast<float>(value_range(intensities).high);
  return Volume(intensities.geometry(),
                tabulate<float>(std::ssize(values), context,
                                [&](std::int64_t i) { return highest - values[i]; }));
}

/// Returns what is high in nuclei, and replaces `auto` by the stain that was chosen.
Volume nuclear_density(const Volume& image, std::string& stain, Context& context) {
  const auto stage = context.stage("stain");
  const bool is_colour = image.components() == 3;
  if (is_colour && image.type() != VoxelType::U8)
    throw InputError("nuclei are found in colour images of 8 bit, or in images of one channel");
  Volume intensities = nuclei_intensities(image, context);
  refuse_nan(intensities, "the image");
  refuse_infinite(intensities, "the image");
  if (stain == kAuto) stain = stain_seen(image, intensities);
  if (stain == kBright) return intensities;
  if (stain == kDark) return inverted_intensities(intensities, context);
  if (!is_colour) {
    throw UsageError("stain: '" + stain +
                     "' needs a colour image; with one channel choose bright, dark or auto");
  }
  if (stain == kRed || stain == kAllStains)
    return optical_density_of(image, stain == kRed, context);
  return stain_amounts(image, stain, context);
}

/// A number that may be given, and is reported.
struct NucleiNumber {
  const char* id;
  std::optional<double> NucleiProblem::*given;
  double NucleiValues::*used;
};

constexpr std::array kNumbers{
    NucleiNumber{"radius", &NucleiProblem::radius, &NucleiValues::radius},
    NucleiNumber{"threshold", &NucleiProblem::threshold, &NucleiValues::threshold},
    NucleiNumber{"background_radius", &NucleiProblem::background_radius,
                 &NucleiValues::background_radius},
    NucleiNumber{"smoothing", &NucleiProblem::smoothing, &NucleiValues::smoothing},
    NucleiNumber{"smallest", &NucleiProblem::smallest, &NucleiValues::smallest},
    NucleiNumber{"largest", &NucleiProblem::largest, &NucleiValues::largest},
    NucleiNumber{"h", &NucleiProblem::h, &NucleiValues::h},
    NucleiNumber{"outline_smooth", &NucleiProblem::outline_smoothing,
                 &NucleiValues::outline_smoothing}};

Result run_nuclei(const Inputs& inputs, const Values& values, Context& context) {
  const Geometry& grid = inputs.image.geometry();
  if (!grid.is_2d()) throw InputError("nuclei are found in 2-D images; the image is a volume");
  std::string stain = values.word(kStain);
  NucleiProblem problem;
  problem.density = nuclear_density(inputs.image, stain, context);
  for (const NucleiNumber& number : kNumbers) {
    if (!values.is_word(number.id)) problem.*number.given = values.number(number.id);
  }
  if (problem.smallest && problem.largest && *problem.smallest > *problem.largest)
    throw UsageError("smallest must not exceed largest");
  const Nuclei found = find_nuclei(problem, context);
  Result result;
  result.values = values;
  result.values.set(kStain, stain);
  for (const NucleiNumber& number : kNumbers)
    result.values.set(number.id, found.values.*number.used);
  const MeasuredObjects objects =
      measure_objects(found.labels, {}, MeasuredChannels(inputs.image), context);
  result.outputs["objects"] = object_table(measured_columns(grid, objects.channels), objects, grid);
  result.outputs["labels"] = found.labels;
  return result;
}

Parameter nuclei_number(const char* id, const char* title, const char* help, NumberDomain domain) {
  domain.word = kAuto;
  return {.id = id, .title = title, .help = help, .initial = kAuto, .domain = std::move(domain)};
}

Parameter stain_parameter() {
  return {.id = kStain,
          .title = "Stain",
          .help =
              "The channel in which nuclei are high; auto: hematoxylin for colour images with a "
              "bright background, else bright or dark",
          .initial = kAuto,
          .domain = ChoiceDomain{{kAuto, "Automatic"},
                                 {kHematoxylinStain, "Haematoxylin"},
                                 {kRed, "Optical density of red"},
                                 {"dab", "DAB"},
                                 {kAllStains, "Sum of optical densities"},
                                 {kBright, "Bright nuclei"},
                                 {kDark, "Dark nuclei"}}};
}

}  // namespace

Operation nuclei_operation() {
  return {
      .id = "nuclei",
      .title = "Cell nuclei",
      .help =
          "Finds cell nuclei in stained tissue or fluorescence images, splits touching ones, "
          "and numbers them.",
      .order = 344,
      .inputs = {{.kind = InputKind::Image,
                  .help = "colour image of stained tissue, or one channel",
                  .components = 0}},
      .parameters =
          {stain_parameter(),
           nuclei_number("radius", "Typical radius",
                         "Radius of a typical nucleus, from which all that is automatic follows",
                         {.unit = kGridLength, .low = 0.01, .high = 1000.0, .step = 0.5}),
           nuclei_number("threshold", "Threshold",
                         "Smallest height above the background: optical density, amount of stain, "
                         "or intensity; auto: from Otsu's",
                         {.low = 0.0, .high = 1e9, .step = 0.01}),
           nuclei_number("background_radius", "Background radius",
                         "Radius of the opening that finds the background; 0: no background is "
                         "removed",
                         {.unit = kGridLength, .low = 0.0, .high = 1000.0, .step = 1.0}),
           nuclei_number("smoothing", "Smoothing",
                         "Standard deviation of the Gaussian before the threshold; 0: none",
                         {.unit = kGridLength, .low = 0.0, .high = 100.0, .step = 0.1}),
           nuclei_number("smallest", "Smallest area", "Smaller objects are left out",
                         {.unit = kGridSize, .low = 0.0, .high = 1e6, .step = 1.0}),
           nuclei_number("largest", "Largest area", "Larger objects are left out",
                         {.unit = kGridSize, .low = 0.0, .high = 1e9, .step = 10.0}),
           nuclei_number("h", "Marker height h",
                         "Smallest rise of a marker above the saddle to a higher one; larger: "
                         "fewer splits",
                         {.unit = kGridLength, .low = 0.0, .high = 1000.0, .step = 0.1}),
           nuclei_number(
               "outline_smooth", "Smooth outlines",
               "Sigma of a Gaussian over each nucleus, cut at one half; 0: outlines stay; "
               "auto: a tenth of the typical radius",
               {.unit = kGridLength, .low = 0.0, .high = 100.0, .step = 0.1})},
      .outputs = {{"labels", "a number for each nucleus, 0 for background", LabelsForm{}},
                  {.id = "objects",
                   .help = "the nuclei in the order of their first pixels; pixel indices count "
                           "from 0; those of these columns that apply",
                   .form = TableForm{.columns = all_object_columns()}}},
      .implementations = {{.algorithm = "merge",
                           .backend = Backend::Cpu,
                           .exactness = Exactness::Exact,
                           .run = run_nuclei}},
      .reference_algorithm = "merge",
      .example = {.digest = "xxh64:54e92bdfd27e00db"}};
}

}  // namespace seedwave
