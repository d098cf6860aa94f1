// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"

#include <cstdint>
#include <map>
#include <vector>

/// Fuzzy connectedness straight from the definitions, for small inputs. It shares the image types
/// with what it checks, and no code.
namespace seedwave::reference {

struct Edge {
  int a = 0;
  int b = 0;
  int weight = 0;  // affinity on the levels 0..4096
};

/// An undirected graph with affinities.
struct Graph {
  int cells = 0;
  std::vector<Edge> edges;
};

/// One label's expected intensity, in image units.
struct Feature {
  double m = 0.0;
  double sigma_o = 1.0;
};

/// The image as a graph: kappa(c, d) = sqrt(psi phi) on 4096 levels, its two roots rounded to f32.
/// Cells outside the mask (empty: none) have no edges. Cost: the square of the cells.
Graph affinity_graph(const Volume& image, const LabelMap& mask, Connectivity connectivity,
                     const std::vector<Feature>& features, double sigma_h);

/// mu^A(c, S) for every c, in levels: the best over paths inside `allowed` of the weakest edge.
std::vector<int> strengths(const Graph& graph, const std::vector<int>& sources,
                           const std::vector<bool>& allowed);

using SeedsByLabel = std::map<std::uint16_t, std::vector<int>>;
SeedsByLabel by_label(const std::vector<Seed>& seeds);

/// {c : mu(c, S) > theta}, theta on 0..1.
std::vector<bool> afc_object(const Graph& graph, const std::vector<int>& seeds, double theta);
/// {c : mu(c, S) > mu(c, T)}, T the seeds of all other labels.
std::vector<bool> rfc_object(const Graph& graph, const SeedsByLabel& seeds, std::uint16_t label);
/// The union of P^1 = RFC, P^{k+1} = P^k + {c outside P^k : mu(c, S) > mu^{C - P^k}(c, T)}.
std::vector<bool> irfc_object(const Graph& graph, const SeedsByLabel& seeds, std::uint16_t label);
/// Rounds that read only the round before; a state is (h, lambda), the background wins ties.
std::vector<bool> porfc_object(const Graph& graph, const SeedsByLabel& seeds, std::uint16_t label);

}  // namespace seedwave::reference
