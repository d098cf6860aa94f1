// SPDX-License-Identifier: Apache-2.0
#include "core/border/minimum_cut.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <bit>
#include <deque>
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

/// A cell with the capacities that it and its edges have left, and its place in a tree. A line of
/// the processor's cache.
struct alignas(64) Node {
  enum class Tree : std::uint8_t { None, Source, Sink };

  std::array<CellId, 6> neighbours{};
  std::array<std::int32_t, 6> residual{};
  std::int32_t terminal = 0;  // residual: of the source's edge if positive, else of the sink's
  std::int32_t distance = 0;  // to the terminal, as known at `time`
  std::int32_t time = 0;
  Tree tree = Tree::None;
  std::uint8_t parent = kNoParent;
  bool is_active = false;
};
using Tree = Node::Tree;

/// Some of the nodes, without the edges that leave them.
struct Block {
  CellId begin = 0;
  CellId end = 0;
  std::int32_t time = 0;  // the latest among the nodes
  std::int64_t flow = 0;

  [[nodiscard]] bool holds(CellId id) const { return id >= begin && id < end; }
};

/// Two trees of residual edges grow in a block, one from the source and one towards the sink. Where
/// they meet, flow is sent along the path, which saturates some edges. Cells that hung on these are
/// orphans: they find another parent in their tree, or leave it.
class TwoTrees {
 public:
  TwoTrees(std::vector<Node>& nodes, const Block& block, Context& context)
      : context_(context), nodes_(nodes), block_(block) {}

  /// Lets the trees go on from a node, if it is in one.
  void start_from(CellId id) {
    if (nodes_[id].tree != Tree::None) activate(id);
  }

  /// Grows the trees until they no longer meet. Returns the block with the flow in all.
  Block grow() {
    CellId current = CutCell::kNone;
    for (std::int64_t step = 0;; ++step) {
      if (step % kStepsPerCheck == 0) context_.checkpoint(0.0);
      if (current == CutCell::kNone || nodes_[current].tree == Tree::None) current = next_active();
      if (current == CutCell::kNone) break;
      const Meeting met = grow_from(current);
      if (met.source == CutCell::kNone) {
        current = CutCell::kNone;
        continue;
      }
      ++block_.time;
      augment(met);
      adopt_orphans();
    }
    return block_;
  }

 private:
  static constexpr std::int64_t kStepsPerCheck = 1 << 12;
  static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

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
  Meeting grow_from(CellId id) {
    Node& node = nodes_[id];
    for (Direction direction = 0; direction < kDirections; ++direction) {
      const CellId to = node.neighbours[direction];
      if (!block_.holds(to) || capacity_to_child(node, direction) == 0) continue;
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
    block_.flow += amount;
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
      if (node.time == block_.time) {
        steps += node.distance;
        break;
      }
      if (node.parent == kOrphan) return kFar;
      ++steps;
      if (node.parent == kTerminal) {
        node.time = block_.time;
        node.distance = 1;
        break;
      }
      id = node.neighbours[node.parent];
    }
    std::int32_t distance = steps;
    for (CellId id = from; nodes_[id].time != block_.time;) {
      Node& node = nodes_[id];
      node.time = block_.time;
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
      if (!block_.holds(to) || nodes_[to].tree != node.tree) continue;
      if (capacity_from_parent(node, direction) == 0) continue;
      const std::int32_t distance = distance_to_terminal(to);
      if (distance >= nearest) continue;
      nearest = distance;
      best = direction;
    }
    if (nearest != kFar) {
      node.parent = best;
      node.time = block_.time;
      node.distance = nearest + 1;
      return;
    }
    for (Direction direction = 0; direction < kDirections; ++direction) {
      const CellId to = node.neighbours[direction];
      if (!block_.holds(to) || nodes_[to].tree != node.tree) continue;
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
  std::vector<Node>& nodes_;
  Block block_;
  std::deque<CellId> active_;
  std::deque<CellId> orphans_;
};

/// Makes the nodes of cells, each hanging on its terminal if it has one.
std::vector<Node> make_nodes(const std::vector<CutCell>& cells) {
  std::vector<Node> nodes(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Node& node = nodes[i];
    node.neighbours = cells[i].neighbours;
    node.residual = cells[i].capacities;
    node.terminal = cells[i].terminal;
    if (node.terminal == 0) continue;
    node.tree = node.terminal > 0 ? Tree::Source : Tree::Sink;
    node.parent = kTerminal;
    node.distance = 1;
  }
  return nodes;
}

std::vector<CutSide> sides_of(const std::vector<Node>& nodes) {
  std::vector<CutSide> sides(nodes.size(), CutSide::Either);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].tree == Tree::Source) sides[i] = CutSide::Source;
    if (nodes[i].tree == Tree::Sink) sides[i] = CutSide::Sink;
  }
  return sides;
}

/// Joins neighbouring blocks whose trees are grown: those of the whole go on where an edge leads
/// from one to the other.
Block join(std::vector<Node>& nodes, const Block& a, const Block& b, Context& context) {
  TwoTrees trees(nodes, {a.begin, b.end, std::max(a.time, b.time), a.flow + b.flow}, context);
  for (CellId id = a.begin; id < b.end; ++id) {
    const Block& other = id < a.end ? b : a;
    const Node& node = nodes[id];
    if (std::ranges::any_of(node.neighbours, [&](CellId to) { return other.holds(to); }))
      trees.start_from(id);
  }
  return trees.grow();
}

/// Finds the flow of cells, and leaves the two trees in the nodes: first of blocks, on all threads,
/// then of pairs of them.
std::int64_t grow_trees(std::vector<Node>& nodes, std::size_t block_cells, Context& context) {
  const std::size_t count = std::bit_floor(std::max<std::size_t>(1, nodes.size() / block_cells));
  std::vector<Block> blocks(count);
  const auto bound = [&](std::size_t k) { return static_cast<CellId>(nodes.size() * k / count); };
  parallel_for(context, std::ssize(blocks), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      const Block block{bound(k), bound(k + 1)};
      TwoTrees trees(nodes, block, context);
      for (CellId id = block.begin; id < block.end; ++id)
        trees.start_from(id);
      blocks[k] = trees.grow();
    }
  });
  while (blocks.size() > 1) {
    std::vector<Block> joined(blocks.size() / 2);
    parallel_for(context, std::ssize(joined), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k)
        joined[k] = join(nodes, blocks[2 * k], blocks[2 * k + 1], context);
    });
    blocks = std::move(joined);
  }
  return blocks.front().flow;
}

}  // namespace

std::vector<MinimumCut> minimum_cuts(std::span<const std::vector<CutCell>> networks,
                                     Context& context, std::size_t block) {
  std::vector<MinimumCut> cuts(networks.size());
  parallel_for(context, std::ssize(networks), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      std::vector<Node> nodes = make_nodes(networks[k]);
      cuts[k].capacity = grow_trees(nodes, block, context);
      cuts[k].sides = sides_of(nodes);
    }
  });
  return cuts;
}

MinimumCut minimum_cut(const std::vector<CutCell>& cells, Context& context, std::size_t block) {
  return std::move(minimum_cuts({&cells, 1}, context, block).front());
}

}  // namespace seedwave::border
