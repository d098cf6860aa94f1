// SPDX-License-Identifier: Apache-2.0
#include "core/texture/phases.h"

#include "core/ops/operations.h"

#include <string>
#include <utility>

namespace seedwave {
namespace {

constexpr const char* kHematoxylinEosin = "h-e";
constexpr const char* kHematoxylinDab = "h-dab";
constexpr const char* kColour = "colour";

Stains stains_of(const std::string& id) {
  if (id == kHematoxylinEosin) return Stains::HematoxylinEosin;
  return id == kHematoxylinDab ? Stains::HematoxylinDab : Stains::Colour;
}

Result run_k_means(const Inputs& inputs, const Values& values, Context& context) {
  const auto count = static_cast<std::int64_t>(values.number("count"));
  Phases found = phases(
      {.image = inputs.image, .count = count, .stains = stains_of(values.word("stains"))}, context);
  Result result;
  result.outputs["labels"] = std::move(found.labels);
  result.values = values;
  if (found.count < count) {
    result.warnings.push_back("only " + std::to_string(found.count) +
                              " phases: there are no more different colours or values");
  }
  return result;
}

}  // namespace

Operation phases_operation() {
  return {.id = "phases",
          .title = "Phases",
          .help = "Groups the colours or values of a picture: nuclei, cytoplasm, glass ...",
          .inputs = {{.kind = InputKind::Image,
                      .help = "a colour picture, or one value a pixel",
                      .components = 0}},
          .parameters = {{.id = "count",
                          .title = "Phases",
                          .help = "How many groups, numbered from dark to bright",
                          .kind = Parameter::Kind::Integer,
                          .initial = 4.0,
                          .low = 2.0,
                          .high = static_cast<double>(kMostPhases)},
                         {.id = "stains",
                          .title = "Colours by",
                          .help = "What tells colours apart; for one value a pixel it says nothing",
                          .kind = Parameter::Kind::Choice,
                          .initial = kColour,
                          .choices = {{kColour, "Colour (CIE Lab)"},
                                      {kHematoxylinEosin, "Haematoxylin and eosin"},
                                      {kHematoxylinDab, "Haematoxylin and DAB"}}}},
          .outputs = {{"labels", OutputKind::Labels, "the phase of each pixel, 1 is the darkest"}},
          .halo = Halo::Unbounded,
          .implementations = {{.algorithm = "k-means",
                               .backend = Backend::Cpu,
                               .exactness = Exactness::Exact,
                               .run = run_k_means,
                               .device_bytes = {}}},
          .reference_algorithm = "k-means"};
}

}  // namespace seedwave
