// SPDX-License-Identifier: Apache-2.0
#include "core/border/minimum_cut.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <utility>

namespace seedwave::border {
namespace {

using CellId = std::int32_t;
using Direction = std::uint8_t;

constexpr Direction kDirections = 6;
// Node::parent if it is no neighbour, by its direction.
constexpr std::uint8_t kTerminal = 6;
constexpr std::uint8_t kOrphan = 7;
constexpr std::uint8_t kNoParent = 8;

constexpr Direction reverse(Direction direction) {
  return direction ^ 1;
}

/// Two trees of residual edges grow, one from the source and one towards the sink. Where they meet,
/// flow is sent along the path, which saturates some edges. Cells that hung on these are orphans:
/// they find another parent in their tree, or leave it.
class TwoTrees {
 public:
  TwoTrees(const std::vector<CutCell>& cells, Context& context)
      : context_(context), nodes_(cells.size()) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      Node& node = nodes_[i];
      node.neighbours = cells[i].neighbours;
      node.residual = cells[i].capacities;
      node.terminal = cells[i].terminal;
      if (node.terminal == 0) continue;
      node.tree = node.terminal > 0 ? Tree::Source : Tree::Sink;
      node.parent = kTerminal;
      node.distance = 1;
      activate(static_cast<CellId>(i));
    }
  }

  MinimumCut cut() {
    CellId current = CutCell::kNone;
    for (std::int64_t step = 0;; ++step) {
      if (step % kStepsPerCheck == 0) context_.checkpoint(0.0);
      if (current == CutCell::kNone || nodes_[current].tree == Tree::None) current = next_active();
      if (current == CutCell::kNone) break;
      const Meeting met = grow(current);
      if (met.source == CutCell::kNone) {
        current = CutCell::kNone;
        continue;
      }
      ++time_;
      augment(met);
      adopt_orphans();
    }
    MinimumCut result{flow_, std::vector<CutSide>(nodes_.size(), CutSide::Either)};
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].tree == Tree::Source) result.sides[i] = CutSide::Source;
      if (nodes_[i].tree == Tree::Sink) result.sides[i] = CutSide::Sink;
    }
    return result;
  }

 private:
  static constexpr std::int64_t kStepsPerCheck = 1 << 12;
  static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

  enum class Tree : std::uint8_t { None, Source, Sink };

  struct Node {
    std::array<CellId, 6> neighbours{};
    std::array<std::int32_t, 6> residual{};
    std::int32_t terminal = 0;  // residual: of the source's edge if positive, else of the sink's
    std::int32_t distance = 0;  // to the terminal, as known at `time`
    std::int32_t time = 0;
    Tree tree = Tree::None;
    std::uint8_t parent = kNoParent;
    bool is_active = false;
  };

  /// The edge on which the trees meet, by its end in the source's tree.
  struct Meeting {
    CellId source = CutCell::kNone;
    Direction direction = 0;
  };

  void activate(CellId id) {
    if (nodes_[id].is_active) return;
    nodes_[id].is_active = true;
    active_.push_back(id);
  }

  CellId next_active() {
    while (!active_.empty()) {
      const CellId id = active_.front();
      active_.pop_front();
      nodes_[id].is_active = false;
      if (nodes_[id].tree != Tree::None) return id;
    }
    return CutCell::kNone;
  }

  /// Residual capacity of an edge between a cell of a tree and its child: away from the source, or
  /// towards the sink.
  [[nodiscard]] std::int32_t capacity_to_child(const Node& node, Direction direction) const {
    if (node.tree == Tree::Source) return node.residual[direction];
    return nodes_[node.neighbours[direction]].residual[reverse(direction)];
  }

  /// Adds the neighbours of a cell to its tree. Returns the edge to the other tree, if there is
  /// one.
  Meeting grow(CellId id) {
    Node& node = nodes_[id];
    for (Direction direction = 0; direction < kDirections; ++direction) {
      const CellId to = node.neighbours[direction];
      if (to == CutCell::kNone || capacity_to_child(node, direction) == 0) continue;
      Node& other = nodes_[to];
      if (other.tree == Tree::None) {
        other.tree = node.tree;
        hang(other, reverse(direction), node);
        activate(to);
      } else if (other.tree != node.tree) {
        if (node.tree == Tree::Source) return {id, direction};
        return {to, reverse(direction)};
      } else if (other.time <= node.time && other.distance > node.distance) {
        hang(other, reverse(direction), node);  // a shorter way to the terminal
      }
    }
    return {};
  }

  static void hang(Node& child, Direction on, const Node& parent) {
    child.parent = on;
    child.time = parent.time;
    child.distance = parent.distance + 1;
  }

  /// The smallest residual capacity from a cell up to its terminal.
  [[nodiscard]] std::int32_t narrowest(CellId from, std::int32_t most) const {
    const Node* node = &nodes_[from];
    while (node->parent != kTerminal) {
      const Node* parent = &nodes_[node->neighbours[node->parent]];
      const std::int32_t residual = node->tree == Tree::Source
                                        ? parent->residual[reverse(node->parent)]
                                        : node->residual[node->parent];
      most = std::min(most, residual);
      node = parent;
    }
    return std::min(most, node->terminal > 0 ? node->terminal : -node->terminal);
  }

  /// Sends `amount` along the tree between a cell and its terminal.
  void send(CellId from, std::int32_t amount) {
    CellId id = from;
    while (nodes_[id].parent != kTerminal) {
      Node& node = nodes_[id];
      const Direction up = node.parent;
      const CellId parent = node.neighbours[up];
      std::int32_t& upward = node.residual[up];
      std::int32_t& downward = nodes_[parent].residual[reverse(up)];
      std::int32_t& used = node.tree == Tree::Source ? downward : upward;
      std::int32_t& gained = node.tree == Tree::Source ? upward : downward;
      used -= amount;
      gained += amount;
      if (used == 0) orphan(id);
      id = parent;
    }
    Node& root = nodes_[id];
    root.terminal += root.terminal > 0 ? -amount : amount;
    if (root.terminal == 0) orphan(id);
  }

  void augment(const Meeting& met) {
    Node& source = nodes_[met.source];
    const CellId sink = source.neighbours[met.direction];
    std::int32_t amount = narrowest(met.source, source.residual[met.direction]);
    amount = narrowest(sink, amount);
    source.residual[met.direction] -= amount;
    nodes_[sink].residual[reverse(met.direction)] += amount;
    send(met.source, amount);
    send(sink, amount);
    flow_ += amount;
  }

  void orphan(CellId id) {
    nodes_[id].parent = kOrphan;
    orphans_.push_back(id);
  }

  /// Distance of a cell to its terminal along parents, kFar if an orphan is among them. Distances
  /// that were found since the last path are marked with its time.
  std::int32_t distance_to_terminal(CellId from) {
    std::int32_t steps = 0;
    for (CellId id = from;;) {
      Node& node = nodes_[id];
      if (node.time == time_) {
        steps += node.distance;
        break;
      }
      if (node.parent == kOrphan) return kFar;
      ++steps;
      if (node.parent == kTerminal) {
        node.time = time_;
        node.distance = 1;
        break;
      }
      id = node.neighbours[node.parent];
    }
    std::int32_t distance = steps;
    for (CellId id = from; nodes_[id].time != time_;) {
      Node& node = nodes_[id];
      node.time = time_;
      node.distance = distance--;
      id = node.neighbours[node.parent];
    }
    return steps;
  }

  void adopt_orphans() {
    while (!orphans_.empty()) {
      const CellId id = orphans_.front();
      orphans_.pop_front();
      adopt(id);
    }
  }

  /// Hangs an orphan on the neighbour of its tree nearest to the terminal, or removes it from the
  /// tree.
  void adopt(CellId id) {
    Node& node = nodes_[id];
    std::int32_t nearest = kFar;
    Direction best = 0;
    for (Direction direction = 0; direction < kDirections; ++direction) {
      const CellId to = node.neighbours[direction];
      if (to == CutCell::kNone || nodes_[to].tree != node.tree) continue;
      if (capacity_from_parent(node, direction) == 0) continue;
      const std::int32_t distance = distance_to_terminal(to);
      if (distance >= nearest) continue;
      nearest = distance;
      best = direction;
    }
    if (nearest != kFar) {
      node.parent = best;
      node.time = time_;
      node.distance = nearest + 1;
      return;
    }
    for (Direction direction = 0; direction < kDirections; ++direction) {
      const CellId to = node.neighbours[direction];
      if (to == CutCell::kNone || nodes_[to].tree != node.tree) continue;
      if (capacity_from_parent(node, direction) > 0) activate(to);
      if (nodes_[to].parent == reverse(direction)) orphan(to);
    }
    node.tree = Tree::None;
    node.parent = kNoParent;
  }

  /// Residual capacity of the edge on which a cell would hang on the neighbour in a direction.
  [[nodiscard]] std::int32_t capacity_from_parent(const Node& node, Direction direction) const {
    if (node.tree == Tree::Sink) return node.residual[direction];
    return nodes_[node.neighbours[direction]].residual[reverse(direction)];
  }

  Context& context_;
  std::vector<Node> nodes_;
  std::deque<CellId> active_;
  std::deque<CellId> orphans_;
  std::int32_t time_ = 0;
  std::int64_t flow_ = 0;
};

/// Cells of a network that no edge joins with others.
struct Portion {
  std::size_t network = 0;
  std::vector<CellId> cells;
  std::int64_t flow = 0;
};

/// Adds the connected parts of a network; small ones share a portion.
void add_portions(std::size_t network, const std::vector<CutCell>& cells,
                  std::vector<Portion>& portions) {
  constexpr std::size_t kFewest = 1 << 12;
  std::vector<std::uint8_t> seen(cells.size());
  Portion portion{.network = network};
  for (std::size_t first = 0; first < cells.size(); ++first) {
    if (seen[first] != 0) continue;
    seen[first] = 1;
    const std::size_t begin = portion.cells.size();
    portion.cells.push_back(static_cast<CellId>(first));
    for (std::size_t next = begin; next < portion.cells.size(); ++next) {
      const CutCell& cell = cells[portion.cells[next]];
      for (Direction direction = 0; direction < kDirections; ++direction) {
        const CellId to = cell.neighbours[direction];
        if (to == CutCell::kNone || cell.capacities[direction] == 0 || seen[to] != 0) continue;
        seen[to] = 1;
        portion.cells.push_back(to);
      }
    }
    if (portion.cells.size() < kFewest) continue;
    portions.push_back(std::exchange(portion, {.network = network}));
  }
  if (!portion.cells.empty()) portions.push_back(std::move(portion));
}

/// Solves a portion. numbers: room for the numbers of its cells in the portion.
void solve(const std::vector<CutCell>& cells, std::vector<CellId>& numbers, Portion& portion,
           std::vector<CutSide>& sides, Context& context) {
  std::ranges::sort(portion.cells);  // so that neighbours lie near each other in memory
  for (std::size_t i = 0; i < portion.cells.size(); ++i)
    numbers[portion.cells[i]] = static_cast<CellId>(i);
  std::vector<CutCell> own;
  own.reserve(portion.cells.size());
  for (const CellId id : portion.cells) {
    CutCell& cell = own.emplace_back(cells[id]);
    for (Direction direction = 0; direction < kDirections; ++direction) {
      CellId& to = cell.neighbours[direction];
      if (to != CutCell::kNone) to = cell.capacities[direction] == 0 ? CutCell::kNone : numbers[to];
    }
  }
  const MinimumCut cut = TwoTrees(own, context).cut();
  portion.flow = cut.capacity;
  for (std::size_t i = 0; i < portion.cells.size(); ++i)
    sides[portion.cells[i]] = cut.sides[i];
}

}  // namespace

std::vector<MinimumCut> minimum_cuts(std::span<const std::vector<CutCell>> networks,
                                     Context& context) {
  std::vector<MinimumCut> cuts(networks.size());
  std::vector<std::vector<CellId>> numbers(networks.size());
  std::vector<Portion> portions;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    context.checkpoint(0.0);
    cuts[i].sides.assign(networks[i].size(), CutSide::Either);
    numbers[i].assign(networks[i].size(), CutCell::kNone);
    add_portions(i, networks[i], portions);
  }
  // The longest first, so that no thread begins one when the others are done.
  std::ranges::stable_sort(portions, std::greater<>(),
                           [](const Portion& portion) { return portion.cells.size(); });
  parallel_for(context, std::ssize(portions), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      Portion& portion = portions[i];
      solve(networks[portion.network], numbers[portion.network], portion,
            cuts[portion.network].sides, context);
    }
  });
  for (const Portion& portion : portions)
    cuts[portion.network].capacity += portion.flow;
  return cuts;
}

MinimumCut minimum_cut(const std::vector<CutCell>& cells, Context& context) {
  return std::move(minimum_cuts({&cells, 1}, context).front());
}

}  // namespace seedwave::border
