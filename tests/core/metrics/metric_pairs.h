// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <string>
#include <tuple>
#include <vector>

namespace seedwave::test {

/// Two shapes of label 1 on one grid, with the values of other libraries. They were computed once
/// with MedPy 0.5.2, SciPy 1.17.1 (cKDTree between border voxels), SimpleITK 2.5.7 and
/// surface-distance 0.1.
struct MetricPair {
  std::string name;
  LabelMap result;
  LabelMap reference;
  double dice, jaccard, sensitivity, precision;  // MedPy dc, jc, recall, precision
  double false_positive_rate;                    // SimpleITK FalsePositiveError
  double volume_difference_signed;               // SimpleITK VolumeSimilarity
  double hd;           // MedPy, SciPy, SimpleITK and surface-distance agree
  double hd95;         // SciPy, numpy.percentile of each direction
  double hd95_pooled;  // MedPy hd95, SciPy
  double assd;         // MedPy, SciPy
  double masd;         // SciPy; MedPy: the mean of asd(a, b) and asd(b, a)
};

/// Returns label 1 where `inside(x, y, z)`.
template <typename Inside>
LabelMap shape(const Geometry& geometry, Inside&& inside) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const auto [x, y, z] =
        std::tuple(static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2]));
    labels[i] = inside(x, y, z) ? 1 : 0;
  }
  return {geometry, std::move(labels)};
}

inline std::vector<MetricPair> metric_pairs() {
  const auto grid = [](const Index3& size, const Vec3& spacing) {
    Geometry geometry;
    geometry.size = size;
    geometry.spacing = spacing;
    return geometry;
  };
  const auto square = [](double v) { return v * v; };
  const Geometry thick = grid({24, 20, 12}, {0.9, 0.9, 2.5});
  const Geometry cubic = grid({24, 20, 12}, {1.0, 1.0, 1.0});
  const Geometry plane = grid({24, 20, 1}, {0.5, 0.8, 1.0});
  return {
      {.name = "ellipsoids, thick slices",
       .result = shape(thick,
                       [&](double x, double y, double z) {
                         return square((x - 10) / 7) + square((y - 9) / 6) + square((z - 5) / 4) <=
                                1;
                       }),
       .reference =
           shape(thick,
                 [&](double x, double y, double z) {
                   return square((x - 12) / 6) + square((y - 10) / 7) + square((z - 6) / 3) <= 1;
                 }),
       .dice = 0.639261744966443,
       .jaccard = 0.46979038224414305,
       .sensitivity = 0.7312859884836852,
       .precision = 0.5678092399403875,
       .false_positive_rate = 0.05535407520519183,
       .volume_difference_signed = 0.2516778523489933,
       .hd = 5.389805191284746,
       .hd95 = 4.738143096192855,
       .hd95_pooled = 4.096339829652809,
       .assd = 1.5386788171940684,
       .masd = 1.5300430355009662},
      // One far voxel dominates the Hausdorff distance and does not affect the rest.
      {.name = "box and speck",
       .result = shape(cubic,
                       [](auto x, auto y, auto z) {
                         return x >= 4 && x < 12 && y >= 5 && y < 13 && z >= 2 && z < 9;
                       }),
       .reference = shape(cubic,
                          [](auto x, auto y, auto z) {
                            return (x >= 5 && x < 12 && y >= 5 && y < 14 && z >= 2 && z < 8) ||
                                   (x == 21 && y == 17 && z == 10);
                          }),
       .dice = 0.8125755743651754,
       .jaccard = 0.6843177189409368,
       .sensitivity = 0.8865435356200527,
       .precision = 0.75,
       .false_positive_rate = 0.02081397509756551,
       .volume_difference_signed = 0.16686819830713423,
       .hd = 11.357816691600547,
       .hd95 = 1.0,
       .hd95_pooled = 1.0,
       .assd = 0.49047638104651936,
       .masd = 0.48960119281682307},
      {.name = "discs in a plane",
       .result = shape(
           plane, [&](double x, double y, double) { return square(x - 9) + square(y - 9) <= 36; }),
       .reference = shape(
           plane, [&](double x, double y, double) { return square(x - 11) + square(y - 9) <= 30; }),
       .dice = 0.780952380952381,
       .jaccard = 0.640625,
       .sensitivity = 0.845360824742268,
       .precision = 0.7256637168141593,
       .false_positive_rate = 0.08093994778067885,
       .volume_difference_signed = 0.1523809523809524,
       .hd = 1.5,
       .hd95 = 1.2806248474865702,
       .hd95_pooled = 1.2806248474865702,
       .assd = 0.6981002051102182,
       .masd = 0.6942650823999166}};
}

}  // namespace seedwave::test
