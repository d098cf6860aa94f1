// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"
#include "core/texture/feature_sample.h"
#include "core/texture/nearest_class.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <vector>

/// Regions of a picture that are alike in texture. A pixel has the answer of the window around it,
/// whose cell window / 2 along both axes it is; near the border, of the nearest window that lies
/// wholly in the picture.
namespace seedwave {

struct TissueProblem {
  TpcfProblem windows;
  /// Pixels whose label is known; with some the labels are theirs, without any 1 .. clusters.
  std::vector<Seed> seeds;
  /// Without seeds: how many labels, 1 or more.
  std::int64_t clusters = 3;
  /// Without seeds: in how many dimensions, 1 or more.
  std::int64_t components = 3;
  /// In pixels; see majority(). 0: none.
  std::int64_t majority_radius = 8;
};

/// What goes over the whole picture, and so may be a device's.
struct TissueSolvers {
  FeatureSampler sample = sample_features;
  NearestClassSolver nearest = nearest_class;
};

struct Tissue {
  LabelMap labels;
  /// f32: of the window's features to the centre of their own class, before the majority.
  Volume distance;
};

/// Without seeds: the first factors of a sample (see autocorrelation_factors.h), each divided by
/// its standard deviation, and k-means in there. Label 1 is the one that most of the sample has.
///
/// With seeds: class_means() of the windows around them (see seed_sample.h), in the space of the
/// first kSeedFactors factors, or as many as there are labels, and from these seeded_mixture() of
/// some of the sample.
///
/// The same bits for every number of threads. The sample stays in the context's cache for the next
/// run, by whichever solvers: those give the same bits. Memory: the answer twice, the sample, and
/// what tpcf() needs. Throws what check() of the windows throws, InputError where the seeds have
/// one label alone, Cancelled.
[[nodiscard]] Tissue tissue(const TissueProblem& problem, const TissueSolvers& solvers,
                            Context& context);

inline constexpr std::int64_t kSeedFactors = 8;

/// What tissue() learns on a sample: classes, and the label that each stands for.
struct TissueClasses {
  FeatureClasses classes;
  std::vector<std::uint16_t> labels;
};
[[nodiscard]] TissueClasses learn_tissue(const TissueProblem& problem, const TissueSolvers& solvers,
                                         Context& context);
/// tissue() in a box of the picture, not empty, on its grid: the same bits as there. Looks at the
/// windows around the box's pixels and their neighbours within the majority's radius, no more.
[[nodiscard]] Tissue tissue_in(const Box& box, const TissueProblem& problem,
                               const TissueClasses& learnt, const TissueSolvers& solvers,
                               Context& context);

struct LookAlikeProblem {
  TpcfProblem windows;
  /// A pixel of the picture.
  std::int64_t x = 0;
  std::int64_t y = 0;
  /// In how many dimensions, 1 or more.
  std::int64_t components = 3;
};

/// How unlike each pixel's texture is to that of one pixel, f32: the distance in the space of the
/// first factors, each of which varies by 1 between windows side by side. Bits, memory and errors
/// as tissue(); UsageError for a place outside the picture.
[[nodiscard]] Volume look_alike(const LookAlikeProblem& problem, const TissueSolvers& solvers,
                                Context& context);

/// What look_alike() learns on a sample: the place's features stand for the only class.
[[nodiscard]] FeatureClasses learn_place(const LookAlikeProblem& problem,
                                         const TissueSolvers& solvers, Context& context);
/// look_alike() in a box of the picture, not empty, on its grid: the same bits as there.
[[nodiscard]] Volume look_alike_in(const Box& box, const LookAlikeProblem& problem,
                                   const FeatureClasses& learnt, const TissueSolvers& solvers,
                                   Context& context);

}  // namespace seedwave
