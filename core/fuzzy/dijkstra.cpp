// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/dijkstra.h"

#include "core/fuzzy/answer.h"
#include "core/fuzzy/grid_graph.h"
#include "core/fuzzy/problem.h"
#include "core/wavefront/strength_rules.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace seedwave::fuzzy {
namespace {

/// Priority queue of cells by strength, strongest first. There is one bucket per level, last in
/// first out.
///
/// Cells are not removed early: a cell that has risen since is in the queue twice, and the reader
/// skips the stale entry. A pushed level must not exceed the level being read.
template <typename Cell>
class BucketQueue {
 public:
  BucketQueue() : buckets_(kFullStrength + 1) {}

  void push(std::uint16_t level, std::int64_t cell) {
    buckets_[level].push_back(static_cast<Cell>(cell));
  }
  /// Moves on to the strongest nonempty level above 0. Returns false if there is none.
  [[nodiscard]] bool next_level() {
    while (level_ > 0 && buckets_[level_].empty()) {
      std::vector<Cell>().swap(buckets_[level_]);  // frees the memory of a level that was read
      --level_;
    }
    return level_ > 0;
  }
  [[nodiscard]] std::uint16_t level() const noexcept { return level_; }
  /// Removes and returns a cell of the level that next_level() found.
  [[nodiscard]] std::int64_t pop() {
    std::vector<Cell>& bucket = buckets_[level_];
    const Cell cell = bucket.back();
    bucket.pop_back();
    return static_cast<std::int64_t>(cell);
  }

 private:
  std::vector<std::vector<Cell>> buckets_;
  std::uint16_t level_ = kFullStrength;
};

using Strength = StrengthRule<std::uint16_t>;

/// Calls body with the smallest type that numbers the cells. For images below 2^32 voxels this
/// halves the memory of the queue.
template <typename Body>
auto with_cell_type(std::int64_t cells, Body&& body) {
  if (cells <= std::numeric_limits<std::uint32_t>::max()) return body(std::uint32_t{});
  return body(std::uint64_t{});
}

/// Reports progress and checks the stop token at regular numbers of cells.
class Ticker {
 public:
  explicit Ticker(Context& context) : context_(context) {}
  void tick(std::uint16_t level) {
    if (++cells_ % kCellsPerCheck == 0) {
      context_.checkpoint(1.0 - static_cast<double>(level) / kFullStrength);
    }
  }

 private:
  Context& context_;
  std::int64_t cells_ = 0;
};

/// Propagates strengths and labels from the seeds into `answer`. kTie remains in the labels.
template <typename Cell>
void grow(const GridGraph& graph, const std::vector<Seed>& seeds, Answer& answer,
          Context& context) {
  BucketQueue<Cell> queue;
  for (const Seed& seed : seeds) {
    answer.strength[seed.offset] = kFullStrength;
    answer.labels[seed.offset] = static_cast<std::uint16_t>(seed.label);
    queue.push(kFullStrength, seed.offset);
  }
  Ticker ticker(context);
  while (queue.next_level()) {
    const std::uint16_t level = queue.level();
    const std::int64_t cell = queue.pop();
    ticker.tick(level);
    if (answer.strength[cell] != level) continue;  // stale entry: the cell has risen since
    const std::uint16_t label = answer.labels[cell];
    graph.for_each_neighbour(cell, [&](std::int64_t other, std::uint16_t affinity) {
      const std::uint16_t offer = Strength::transfer(level, affinity);
      if (offer < answer.strength[other]) return;
      if (offer > answer.strength[other]) {
        answer.strength[other] = offer;
        answer.labels[other] = label;
      } else {
        const std::uint16_t joined = LabelRule::join(answer.labels[other], label);
        if (joined == answer.labels[other]) return;
        answer.labels[other] = joined;
      }
      queue.push(offer, other);
    });
  }
}

/// Computes the strength to `seeds`, without labels.
template <typename Cell>
std::vector<std::uint16_t> strength_to(const GridGraph& graph, const std::vector<Seed>& seeds,
                                       Context& context) {
  std::vector<std::uint16_t> strength(graph.cell_count());
  BucketQueue<Cell> queue;
  for (const Seed& seed : seeds) {
    strength[seed.offset] = kFullStrength;
    queue.push(kFullStrength, seed.offset);
  }
  Ticker ticker(context);
  while (queue.next_level()) {
    const std::uint16_t level = queue.level();
    const std::int64_t cell = queue.pop();
    ticker.tick(level);
    if (strength[cell] != level) continue;  // stale entry: the cell has risen since
    graph.for_each_neighbour(cell, [&](std::int64_t other, std::uint16_t affinity) {
      const std::uint16_t offer = Strength::transfer(level, affinity);
      if (offer <= strength[other]) return;
      strength[other] = offer;
      queue.push(offer, other);
    });
  }
  return strength;
}

}  // namespace

Answer irfc_by_dijkstra(const Problem& problem, Context& context) {
  const auto stage = context.stage("propagate");
  const GridGraph graph(problem);
  Answer answer = empty_answer(graph.cell_count());
  with_cell_type(graph.cell_count(),
                 [&]<typename Cell>(Cell) { grow<Cell>(graph, problem.seeds, answer, context); });
  std::replace(answer.labels.begin(), answer.labels.end(), kTie, std::uint16_t{0});
  keep_painted(problem.seeds, answer.labels);
  return answer;
}

Answer rfc_by_dijkstra(const Problem& problem, Context& context) {
  const auto stage = context.stage("propagate");
  const GridGraph graph(problem);
  Answer answer = empty_answer(graph.cell_count());
  for (const Label label : labels_of(problem.seeds)) {
    const std::vector<std::uint16_t> strength =
        with_cell_type(graph.cell_count(), [&]<typename Cell>(Cell) {
          return strength_to<Cell>(graph, seeds_of(problem.seeds, label), context);
        });
    join_relative(label, strength, answer);
  }
  keep_painted(problem.seeds, answer.labels);
  return answer;
}

}  // namespace seedwave::fuzzy
