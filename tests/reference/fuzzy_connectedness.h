// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"

#include <cstdint>
#include <map>
#include <vector>

/// Fuzzy connectedness by its definitions, for small inputs. It shares the image types with the
/// code under test, but no code.
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

/// Returns the image as a graph: kappa(c, d) = sqrt(psi phi) on 4096 levels, its two roots rounded
/// to f32. Cells outside the mask (empty: none) have no edges. Cost: the square of the number of
/// cells.
Graph affinity_graph(const Volume& image, const LabelMap& mask, Connectivity connectivity,
                     const std::vector<Feature>& features, double sigma_h);

/// Returns mu^A(c, S) for every c, in levels: the maximum over paths inside `allowed` of the
/// weakest edge.
std::vector<int> strengths(const Graph& graph, const std::vector<int>& sources,
                           const std::vector<bool>& allowed);

using SeedsByLabel = std::map<Label, std::vector<int>>;
SeedsByLabel by_label(const std::vector<Seed>& seeds);

/// Returns {c : mu(c, S) > theta}, theta in 0..1.
std::vector<bool> afc_object(const Graph& graph, const std::vector<int>& seeds, double theta);
/// Returns {c : mu(c, S) > mu(c, T)}, with T as the seeds of all other labels.
std::vector<bool> rfc_object(const Graph& graph, const SeedsByLabel& seeds, Label label);
/// Returns the union of P^1 = RFC, P^{k+1} = P^k + {c outside P^k : mu(c, S) > mu^{C - P^k}(c, T)}.
std::vector<bool> irfc_object(const Graph& graph, const SeedsByLabel& seeds, Label label);
/// Runs rounds that read only the previous round; a state is (h, lambda), and the background wins
/// ties.
std::vector<bool> porfc_object(const Graph& graph, const SeedsByLabel& seeds, Label label);

}  // namespace seedwave::reference
