// SPDX-License-Identifier: Apache-2.0
#include "core/ops/phases_parameters.h"

#include "core/ops/phase_picture.h"

#include <string>
#include <utility>

namespace seedwave {
namespace {

constexpr const char* kAuto = "auto";
constexpr const char* kHematoxylinEosin = "h-e";
constexpr const char* kHematoxylinDab = "h-dab";
constexpr const char* kColour = "colour";

}  // namespace

Parameter stains_parameter() {
  return {.id = "stains",
          .title = "Colours by",
          .help = "What tells colours apart; for one value a pixel it says nothing",
          .kind = Parameter::Kind::Choice,
          .initial = kColour,
          .choices = {{kColour, "Colour (CIE Lab)"},
                      {kHematoxylinEosin, "Haematoxylin and eosin"},
                      {kHematoxylinDab, "Haematoxylin and DAB"}}};
}

Stains stains_of(const Values& values) {
  const std::string& id = values.word("stains");
  if (id == kHematoxylinEosin) return Stains::HematoxylinEosin;
  return id == kHematoxylinDab ? Stains::HematoxylinDab : Stains::Colour;
}

Parameter phases_parameter() {
  return {.id = "phases",
          .title = "Phases",
          .help =
              "Groups of colours or values; auto: the image itself where it holds 0 to 16 alone, "
              "else 4",
          .kind = Parameter::Kind::Integer,
          .initial = kAuto,
          .low = 2.0,
          .high = static_cast<double>(kMostPhases),
          .word = kAuto};
}

PhasesRead read_phases(const Volume& image, const Values& values, Context& context) {
  constexpr std::int64_t kUnasked = 4;
  const bool is_auto = values.is_word("phases");
  if (const auto held = is_auto ? phases_held(image) : std::nullopt) {
    return {
        .labels = phases_in(image, Box::whole(image.geometry())), .count = *held, .values = values};
  }
  const auto stage = context.stage("phases");
  const std::int64_t asked =
      is_auto ? kUnasked : static_cast<std::int64_t>(values.number("phases"));
  Phases made = phases({.image = image, .count = asked, .stains = stains_of(values)}, context);
  PhasesRead read{.labels = std::move(made.labels), .count = made.count, .values = values};
  read.values.set("phases", static_cast<double>(asked));
  return read;
}

}  // namespace seedwave
