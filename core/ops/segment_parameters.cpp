// SPDX-License-Identifier: Apache-2.0
#include "core/ops/segment_parameters.h"

#include "core/ops/border_models.h"
#include "core/ops/connectivity_parameter.h"
#include "core/ops/label_cleaning.h"
#include "core/ops/label_windows.h"

#include <utility>

namespace seedwave {

std::vector<Parameter> segment_parameters() {
  const NumberDomain slider{.low = -1.0, .high = 1.0, .step = 0.05};
  std::vector<Parameter> all{
      {.id = "tightness",
       .title = "Loose \u2013 tight",
       .help = "-1: takes intensities twice as far from those of the strokes; 1: half as far; 0: "
               "as estimated",
       .initial = 0.0,
       .domain = slider},
      {.id = "detail",
       .title = "Smooth \u2013 detailed",
       .help = "-1: borders four times as smooth; 1: a fourth; 0: as estimated",
       .initial = 0.0,
       .domain = slider},
      {.id = "background",
       .title = "Background",
       .help = "The label of everything else, which has no intensities of its own; 0: none; auto: "
               "the last label that has strokes",
       .initial = kAuto,
       .domain = NumberDomain{.low = 0.0, .high = kLargestLabel, .whole = true, .word = kAuto},
       .role = NamesLabel{.word_title = "auto: last with strokes"}},
      {.id = "windows",
       .title = "Intensities",
       .help =
           "For each label an intensity, and the deviations tolerated below and above it; auto: "
           "estimated from the strokes",
       .initial = kAuto,
       .domain = windows_domain(),
       .advanced = true},
      {.id = "sigma_h",
       .title = "Homogeneity \u03c3h",
       .help = "Tolerated difference (sigma) between neighbours; auto: estimated around the seeds",
       .initial = kAuto,
       .domain = NumberDomain{.unit = "image units",
                              .low = 1e-6,
                              .high = 1e9,
                              .scale = Scale::Logarithmic,
                              .word = kAuto},
       .advanced = true},
      {.id = "smooth_mm",
       .title = "Smoothing",
       .help = "Sigma of a Gaussian filter that smooths the intensities for the affinity; 0: none; "
               "auto: 0.6 or 0.8 of the shortest voxel edge, by which results agree; of scattered "
               "seeds up to 1",
       .initial = kAuto,
       .domain =
           NumberDomain{.unit = kGridLength, .low = 0.0, .high = 100.0, .step = 0.1, .word = kAuto},
       .advanced = true}};
  all.push_back(
      {.id = "smallest_stroke",
       .title = "Smallest stroke",
       .help =
           "Seeds in smaller groups that look like another label label only themselves; 0: none "
           "do; auto: 12 for scattered seeds, as a threshold gives, otherwise 0",
       .initial = kAuto,
       .domain = NumberDomain{.unit = "voxels",
                              .low = 0.0,
                              .high = 1e6,
                              .step = 1.0,
                              .whole = true,
                              .word = kAuto},
       .advanced = true});
  all.push_back(
      {.id = "reach",
       .title = "Reach",
       .help = "With labels to correct: the distance from the strokes within which they are "
               "decided anew; auto: twice the distance to the label of the stroke",
       .initial = kAuto,
       .domain =
           NumberDomain{
               .unit = kGridLength, .low = 0.1, .high = 1000.0, .step = 1.0, .word = kAuto},
       .advanced = true});
  all.push_back(connectivity_parameter());
  for (Parameter& parameter : border_parameters()) {
    parameter.advanced = true;
    if (parameter.id == "smoothness") parameter.help += ", of scattered seeds 0.7";
    if (parameter.id == "prior") parameter.help += ", of scattered seeds 2";
    all.push_back(std::move(parameter));
  }
  for (Parameter& parameter : cleaning_parameters("clean_")) {
    parameter.advanced = true;
    if (parameter.id == "clean_outline_smooth") parameter.initial = 0.0;
    all.push_back(std::move(parameter));
  }
  return all;
}

}  // namespace seedwave
