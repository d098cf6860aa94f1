// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"
#include "core/wavefront/label_rules.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace seedwave::fuzzy {

/// Largest strength and affinity, on integer levels 0..4096. Seeds have this strength.
inline constexpr std::uint16_t kFullStrength = 4096;

/// Marks a cell in a solver's labels that several labels reach equally. Becomes 0 in the answer.
using seedwave::kTie;

/// The image that affinities are computed from, on 16 bits, x fastest.
struct Scene {
  Geometry geometry;
  Volume grey;  // u16
  /// Nonzero where a cell takes part. Null if all cells do.
  std::shared_ptr<const std::vector<std::uint8_t>> mask;
};

/// Affinity of adjacent cells c, d as two tables: floor(P[|f(c)-f(d)|] * max_k min(Q_k[f(c)],
/// Q_k[f(d)])), in one f32 multiplication. Every backend reads the same tables, so all results are
/// bitwise equal.
///
/// Source: Zhuge et al. 2013, section II.A, with the affinity on 4096 levels;
/// docs/algorithms/fuzzy_connectedness.md.
struct AffinityTables {
  /// 4096 * exp(-d^2 / (2 sigma_h^2)) for d = 0..65535, computed in f64, rounded to f32.
  std::vector<float> homogeneity;
  /// exp(-(v - m_k)^2 / (2 sigma_k^2)) for v = 0..65535, one table per described object.
  std::vector<std::vector<float>> objects;
};

/// A cell and its known strength. A slab passes these on to the next slab.
struct Source {
  std::int64_t offset = 0;
  std::uint16_t strength = 0;
};

/// Input of every solver (dijkstra, tiles, sweeps, porfc; CPU and CUDA).
struct Problem {
  Scene scene;
  AffinityTables tables;
  Connectivity connectivity = Connectivity::C6;
  /// Sorted by offset. All lie inside the mask, with labels up to kLargestLabel.
  std::vector<Seed> seeds;
  /// Used by porfc only, which separates two classes: the label set against all others. If 0, each
  /// label in turn.
  Label object = 1;
  /// Identifies grid, intensities, mask, connectivity and tables in caches. Equal keys mean equal
  /// affinities.
  std::string affinity_key;
};

/// Output of every solver, on the scene's grid.
struct Answer {
  /// 0 for background, unreached cells and ties. A seed keeps its painted label. In porfc the label
  /// is `object` where its class won, and 0 elsewhere except at seeds.
  std::vector<std::uint16_t> labels;
  /// Strength of connectedness to the seeds of all labels, 0..4096.
  std::vector<std::uint16_t> strength;
};

/// Signature of a solver: irfc_by_dijkstra, irfc_by_tiles, gpu::irfc_by_sweeps, ...
using Solver = Answer (*)(const Problem&, Context&);

}  // namespace seedwave::fuzzy
