// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/fuzzy_connectedness.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace seedwave::reference {
namespace {

bool adjacent(const Index3& a, const Index3& b, Connectivity connectivity) {
  const auto dx = std::abs(a[0] - b[0]);
  const auto dy = std::abs(a[1] - b[1]);
  const auto dz = std::abs(a[2] - b[2]);
  if (std::max({dx, dy, dz}) != 1) return false;
  switch (connectivity) {
    case Connectivity::C4:
      return dz == 0 && dx + dy == 1;
    case Connectivity::C8:
      return dz == 0;
    case Connectivity::C6:
      return dx + dy + dz == 1;
    case Connectivity::C18:
      return dx + dy + dz <= 2;
    case Connectivity::C26:
      break;
  }
  return true;
}

/// Returns the intensities as the affinity sees them: f32 and wide i32 on 65536 equal steps of the
/// range.
std::vector<double> intensities(const Volume& image, double& step) {
  std::vector<double> values;
  const Geometry& geometry = image.geometry();
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    values.push_back(image.value_at(geometry.index_of(i)));
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double first = *low;
  const double span = *high - first;
  step = 1.0;
  if (image.type() != VoxelType::F32 && span <= 65535.0) return values;
  if (span > 0.0) step = span / 65535.0;
  for (double& value : values)
    value = first + std::floor((value - first) / step + 0.5) * step;
  return values;
}

int kappa(double f, double g, double step, const std::vector<Feature>& features, double sigma_h) {
  // The difference is in whole steps: on 65536 levels it is a multiple of one.
  const double d = std::round(std::abs(f - g) / step) * step;
  const auto psi = static_cast<float>(4096.0 * std::exp(-d * d / (2.0 * sigma_h * sigma_h)));
  float phi = 0.0F;
  for (const Feature& feature : features) {
    const double far = std::max(std::abs(f - feature.m), std::abs(g - feature.m));
    phi = std::max(
        phi, static_cast<float>(std::exp(-far * far / (2.0 * feature.sigma_o * feature.sigma_o))));
  }
  return static_cast<int>(std::floor(psi * phi));
}

std::vector<bool> everywhere(const Graph& graph) {
  return std::vector<bool>(static_cast<std::size_t>(graph.cells), true);
}

std::vector<int> all_but(const SeedsByLabel& seeds, Label label) {
  std::vector<int> others;
  for (const auto& [other, cells] : seeds) {
    if (other != label) others.insert(others.end(), cells.begin(), cells.end());
  }
  return others;
}

}  // namespace

Graph affinity_graph(const Volume& image, const LabelMap& mask, Connectivity connectivity,
                     const std::vector<Feature>& features, double sigma_h) {
  const Geometry& geometry = image.geometry();
  double step = 1.0;
  const std::vector<double> values = intensities(image, step);
  Graph graph{static_cast<int>(geometry.voxel_count()), {}};
  const auto inside = [&](int cell) { return mask.empty() || mask.labels()[cell] != 0; };
  for (int a = 0; a < graph.cells; ++a) {
    for (int b = a + 1; b < graph.cells; ++b) {
      if (!inside(a) || !inside(b)) continue;
      if (!adjacent(geometry.index_of(a), geometry.index_of(b), connectivity)) continue;
      const int weight = kappa(values[a], values[b], step, features, sigma_h);
      if (weight > 0) graph.edges.push_back({a, b, weight});
    }
  }
  return graph;
}

std::vector<int> strengths(const Graph& graph, const std::vector<int>& sources,
                           const std::vector<bool>& allowed) {
  std::vector<int> h(static_cast<std::size_t>(graph.cells), 0);
  for (const int source : sources) {
    if (allowed[source]) h[source] = 4096;
  }
  for (bool changed = true; std::exchange(changed, false);) {
    for (const Edge& edge : graph.edges) {
      if (!allowed[edge.a] || !allowed[edge.b]) continue;
      for (const auto& [from, to] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
        const int offer = std::min(h[from], edge.weight);
        if (offer > h[to]) {
          h[to] = offer;
          changed = true;
        }
      }
    }
  }
  return h;
}

SeedsByLabel by_label(const std::vector<Seed>& seeds) {
  SeedsByLabel result;
  for (const Seed& seed : seeds)
    result[seed.label].push_back(static_cast<int>(seed.offset));
  return result;
}

std::vector<bool> afc_object(const Graph& graph, const std::vector<int>& seeds, double theta) {
  const std::vector<int> h = strengths(graph, seeds, everywhere(graph));
  std::vector<bool> object;
  for (const int level : h)
    object.push_back(level > 4096.0 * theta);
  return object;
}

std::vector<bool> rfc_object(const Graph& graph, const SeedsByLabel& seeds, Label label) {
  const std::vector<int> own = strengths(graph, seeds.at(label), everywhere(graph));
  const std::vector<int> others = strengths(graph, all_but(seeds, label), everywhere(graph));
  std::vector<bool> object;
  for (std::size_t c = 0; c < own.size(); ++c)
    object.push_back(own[c] > others[c]);
  return object;
}

std::vector<bool> irfc_object(const Graph& graph, const SeedsByLabel& seeds, Label label) {
  const std::vector<int> own = strengths(graph, seeds.at(label), everywhere(graph));
  const std::vector<int> others = all_but(seeds, label);
  std::vector<bool> object = rfc_object(graph, seeds, label);
  for (bool grew = true; std::exchange(grew, false);) {
    std::vector<bool> outside = object;
    outside.flip();
    const std::vector<int> rest = strengths(graph, others, outside);
    for (std::size_t c = 0; c < object.size(); ++c) {
      if (!object[c] && own[c] > rest[c]) {
        object[c] = true;
        grew = true;
      }
    }
  }
  return object;
}

std::vector<bool> porfc_object(const Graph& graph, const SeedsByLabel& seeds, Label label) {
  // (h, lambda); h = 0 is the paper's -1: no path has arrived.
  std::vector<std::pair<int, int>> state(static_cast<std::size_t>(graph.cells), {0, 0});
  for (const auto& [other, cells] : seeds) {
    for (const int cell : cells)
      state[cell] = {4096, other == label ? 0 : 1};
  }
  for (bool changed = true; std::exchange(changed, false);) {
    std::vector<std::pair<int, int>> next = state;
    for (const Edge& edge : graph.edges) {
      for (const auto& [from, to] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
        const std::pair offer(std::min(state[from].first, edge.weight), state[from].second);
        if (offer.first > 0) next[to] = std::max(next[to], offer);
      }
    }
    changed = next != state;
    state = std::move(next);
  }
  std::vector<bool> object;
  for (const auto& [h, lambda] : state)
    object.push_back(h > 0 && lambda == 0);
  return object;
}

}  // namespace seedwave::reference
