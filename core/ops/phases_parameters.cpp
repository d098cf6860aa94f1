// SPDX-License-Identifier: Apache-2.0
#include "core/ops/phases_parameters.h"

#include "core/image/shares_voxels.h"
#include "core/ops/phase_picture.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace seedwave {
namespace {

constexpr const char* kHematoxylinEosin = "h-e";
constexpr const char* kHematoxylinDab = "h-dab";
constexpr const char* kColor = "colour";
constexpr const char* kPhases = "phases";
constexpr const char* kStains = "stains";

Values of_phases(const Values& values) {
  Values own;
  for (const char* id : {kPhases, kStains})
    own.set(id, values.at(id));
  return own;
}

/// Phases, and everything that they depend on.
struct KeptPhases {
  Volume image;
  Values asked;
  LabelMap labels;
  std::int64_t count = 1;
  /// Number of phases that the image was divided into; empty if it was read as phases.
  std::optional<std::int64_t> used;
};

KeptPhases made_phases(const Volume& image, const Values& asked, Context& context) {
  constexpr std::int64_t kUnasked = 4;
  const bool is_auto = asked.is_word(kPhases);
  if (const auto held = is_auto ? phases_held(image) : std::nullopt) {
    return {.image = image,
            .asked = asked,
            .labels = phases_in(image, Box::whole(image.geometry())),
            .count = *held,
            .used = {}};
  }
  const auto stage = context.stage("phases");
  const std::int64_t used = is_auto ? kUnasked : static_cast<std::int64_t>(asked.number(kPhases));
  Phases made = phases({.image = image, .count = used, .stains = stains_of(asked)}, context);
  return {.image = image,
          .asked = asked,
          .labels = std::move(made.labels),
          .count = made.count,
          .used = used};
}

}  // namespace

Parameter stains_parameter() {
  return {.id = kStains,
          .title = "Colour features",
          .help = "Features that distinguish colours; ignored for one value per pixel",
          .initial = kColor,
          .domain = ChoiceDomain{{kColor, "Colour (CIE Lab)"},
                                 {kHematoxylinEosin, "Haematoxylin and eosin"},
                                 {kHematoxylinDab, "Haematoxylin and DAB"}}};
}

Stains stains_of(const Values& values) {
  const std::string& id = values.word(kStains);
  if (id == kHematoxylinEosin) return Stains::HematoxylinEosin;
  return id == kHematoxylinDab ? Stains::HematoxylinDab : Stains::Colour;
}

Parameter phases_parameter() {
  return {.id = kPhases,
          .title = "Phases",
          .help = "Number of phases; auto: the image itself if it holds only 0 to 16, else 4",
          .initial = kAuto,
          .domain = NumberDomain{
              .low = 2.0, .high = static_cast<double>(kMostPhases), .whole = true, .word = kAuto}};
}

PhasesRead read_phases(const Volume& image, const Values& values, Context& context) {
  constexpr const char* kKey = "phases of an image";
  const Values asked = of_phases(values);
  auto kept = context.cache().find<KeptPhases>(kKey);
  if (kept == nullptr || !shares_voxels(kept->image, image) || kept->asked != asked) {
    kept = std::make_shared<KeptPhases>(made_phases(image, asked, context));
    context.cache().put(kKey, kept, image.bytes().size() + kept->labels.labels().size_bytes());
  }
  PhasesRead read{.labels = kept->labels, .count = kept->count, .values = values};
  if (kept->used) read.values.set(kPhases, static_cast<double>(*kept->used));
  return read;
}

}  // namespace seedwave
