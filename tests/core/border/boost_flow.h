// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edmonds_karp_max_flow.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave::test {

/// A flow network of Boost.Graph, solved along shortest paths (Edmonds and Karp).
class BoostFlow {
 public:
  /// Cells 0 .. count - 1, then source() and sink().
  explicit BoostFlow(std::size_t count) : count_(count), graph_(count + 2) {}

  [[nodiscard]] std::size_t source() const { return count_; }
  [[nodiscard]] std::size_t sink() const { return count_ + 1; }

  /// Joins two cells, with a capacity in either direction.
  void add(std::size_t a, std::size_t b, std::int64_t there, std::int64_t back) {
    const auto forth = boost::add_edge(a, b, graph_).first;
    const auto reverse = boost::add_edge(b, a, graph_).first;
    boost::put(boost::edge_capacity, graph_, forth, there);
    boost::put(boost::edge_capacity, graph_, reverse, back);
    boost::put(boost::edge_reverse, graph_, forth, reverse);
    boost::put(boost::edge_reverse, graph_, reverse, forth);
  }

  /// Joins a cell to the source by a positive capacity, to the sink by a negative one.
  void add_terminal(std::size_t cell, std::int64_t capacity) {
    if (capacity > 0) add(source(), cell, capacity, 0);
    if (capacity < 0) add(cell, sink(), -capacity, 0);
  }

  /// Finds a largest flow and returns it.
  std::int64_t solve() { return boost::edmonds_karp_max_flow(graph_, source(), sink()); }

  /// Returns the cells that residual edges reach from the source, or from which they reach the
  /// sink.
  [[nodiscard]] std::vector<bool> from_source() const { return reached(source(), true); }
  [[nodiscard]] std::vector<bool> to_sink() const { return reached(sink(), false); }

 private:
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Graph = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS, boost::no_property,
      boost::property<
          boost::edge_capacity_t, std::int64_t,
          boost::property<boost::edge_residual_capacity_t, std::int64_t,
                          boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

  [[nodiscard]] std::vector<bool> reached(std::size_t from, bool forwards) const {
    std::vector<bool> seen(boost::num_vertices(graph_));
    std::vector<std::size_t> open{from};
    seen[from] = true;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      const auto [begin, end] = boost::out_edges(at, graph_);
      for (auto edge = begin; edge != end; ++edge) {
        const auto used = forwards ? *edge : boost::get(boost::edge_reverse, graph_, *edge);
        const std::size_t to = boost::target(*edge, graph_);
        if (boost::get(boost::edge_residual_capacity, graph_, used) == 0 || seen[to]) continue;
        seen[to] = true;
        open.push_back(to);
      }
    }
    seen.resize(count_);
    return seen;
  }

  std::size_t count_;
  Graph graph_;
};

}  // namespace seedwave::test
