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

/// Segmentation of an image into regions of similar texture. A pixel gets the answer of the window
/// around it, in which it is the cell window / 2 along both axes. Near the border it gets that of
/// the nearest window that lies wholly in the image.
namespace seedwave {

struct TissueProblem {
  TpcfProblem windows;
  /// Pixels with known labels. With seeds, the labels are theirs; without, they are 1 .. clusters.
  std::vector<Seed> seeds;
  /// Number of labels without seeds, at least 1.
  std::int64_t clusters = 3;
  /// Number of dimensions without seeds, at least 1.
  std::int64_t components = 3;
  /// Radius in pixels; see majority(). 0 for none.
  std::int64_t majority_radius = 8;
};

/// The steps over the whole image, which may run on a device.
struct TissueSolvers {
  FeatureSampler sample = sample_features;
  NearestClassSolver nearest = nearest_class;
};

struct Tissue {
  LabelMap labels;
  /// f32: distance from the window's features to the centre of their own class, before the
  /// majority.
  Volume distance;
};

/// Without seeds: uses the first factors of a sample (see autocorrelation_factors.h), each divided
/// by its standard deviation, and k-means in that space. Label 1 is the most frequent one in the
/// sample.
///
/// With seeds: applies class_means() to the windows around them (see feature_sample.h), in the
/// space of the first kSeedFactors factors, or as many as there are labels. Then applies
/// seeded_mixture() with part of the sample.
///
/// The result is bitwise equal for any number of threads. The sample is kept in the context's cache
/// for the next run, with any solvers, because all give the same bits. Memory: the answer twice,
/// the sample, and that of tpcf(). Throws whatever check() of the windows throws, InputError if the
/// seeds have only one label, and Cancelled.
[[nodiscard]] Tissue tissue(const TissueProblem& problem, const TissueSolvers& solvers,
                            Context& context);

inline constexpr std::int64_t kSeedFactors = 8;

/// The result of training tissue() on a sample: classes, and the label of each.
struct TissueClasses {
  FeatureClasses classes;
  std::vector<Label> labels;  // ascending
};
[[nodiscard]] TissueClasses learn_tissue(const TissueProblem& problem, const TissueSolvers& solvers,
                                         Context& context);
/// Computes tissue() in a nonempty box of the image, on its grid, with bitwise equal results. Reads
/// only the windows around the box's pixels and around their neighbours within the majority's
/// radius.
[[nodiscard]] Tissue tissue_in(const Box& box, const TissueProblem& problem,
                               const TissueClasses& learnt, const TissueSolvers& solvers,
                               Context& context);

struct LookAlikeProblem {
  TpcfProblem windows;
  /// A pixel of the image.
  std::int64_t x = 0;
  std::int64_t y = 0;
  /// Number of dimensions, at least 1.
  std::int64_t components = 3;
};

/// Computes the dissimilarity of each pixel's texture to that of one pixel, f32. It is the distance
/// in the space of the first factors, each with variance 1 between adjacent windows.
/// Reproducibility, memory and errors are as for tissue(). Throws UsageError for a place outside
/// the image.
[[nodiscard]] Volume look_alike(const LookAlikeProblem& problem, const TissueSolvers& solvers,
                                Context& context);

/// Trains look_alike() on a sample: the features of the place represent the only class.
[[nodiscard]] FeatureClasses learn_place(const LookAlikeProblem& problem,
                                         const TissueSolvers& solvers, Context& context);
/// Computes look_alike() in a nonempty box of the image, on its grid, with bitwise equal results.
[[nodiscard]] Volume look_alike_in(const Box& box, const LookAlikeProblem& problem,
                                   const FeatureClasses& learnt, const TissueSolvers& solvers,
                                   Context& context);

}  // namespace seedwave
