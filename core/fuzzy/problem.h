// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "core/image/seed_set.h"
#include "core/parallel/context.h"
#include "core/wavefront/label_rules.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace seedwave::fuzzy {

/// Strengths and affinities are integers 0..4096; a seed has this one.
inline constexpr std::uint16_t kFullStrength = 4096;

/// In a solver's label plane: reached by several labels equally. Becomes 0 in the answer.
using seedwave::kTie;

/// The image that affinities are computed from, on 16 bits, x fastest.
struct Scene {
  Geometry geometry;
  std::shared_ptr<const std::vector<std::uint16_t>> grey;
  /// Not 0 where a cell takes part; null: all do.
  std::shared_ptr<const std::vector<std::uint8_t>> mask;
};

/// Affinity of adjacent c, d as two tables that every backend reads, so that all get the same bits:
/// floor(P[|f(c)-f(d)|] * max_k min(Q_k[f(c)], Q_k[f(d)])), in one f32 multiplication.
///
/// Source: Zhuge et al. 2013, section II.A, with the affinity on 4096 levels;
/// docs/algorithms/fuzzy_connectedness.md.
struct AffinityTables {
  /// 4096 * exp(-d^2 / (2 sigma_h^2)) for d = 0..65535, computed in f64, rounded to f32.
  std::vector<float> homogeneity;
  /// exp(-(v - m_k)^2 / (2 sigma_k^2)) for v = 0..65535, one table an object described.
  std::vector<std::vector<float>> objects;
};

/// A cell and how strongly it is connected already: what a slab knows of the next one.
struct Source {
  std::int64_t offset = 0;
  std::uint16_t strength = 0;
};

/// What every solver (dijkstra, tiles, sweeps, porfc; CPU and CUDA) is given.
struct Problem {
  Scene scene;
  AffinityTables tables;
  Connectivity connectivity = Connectivity::C6;
  /// Sorted by offset; none outside the mask.
  std::vector<Seed> seeds;
  /// porfc only, which knows two classes: the label set against all others; 0: each label in turn.
  std::uint16_t object = 1;
  /// Names grid, greys, mask, connectivity and tables for caches: equal keys mean equal affinities.
  std::string affinity_key;
};

/// What every solver answers, on the scene's grid.
struct Answer {
  /// 0: background, not reached or a tie. A seed keeps the label that was painted there.
  /// porfc: `object` where the object's class won, else 0 (but at seeds).
  std::vector<std::uint16_t> labels;
  /// Strength to all seeds, 0..4096.
  std::vector<std::uint16_t> strength;
};

/// A solver's signature: irfc_by_dijkstra, irfc_by_tiles, gpu::irfc_by_sweeps, ...
using Solver = Answer (*)(const Problem&, Context&);

}  // namespace seedwave::fuzzy
