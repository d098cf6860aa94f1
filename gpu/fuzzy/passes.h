// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/fuzzy/problem.h"
#include "gpu/fuzzy/grid.h"

#include <cstdint>

/// The monotone passes of fuzzy connectedness over planes of u16, for one line of cells at a time.
///
/// A pass has a Cell (what a thread holds of a cell) and Cells (of kVector cells of a row), load
/// and store for both, and relax(from, affinity, to): takes what `from` passes along the edge into
/// `to` and says whether that changed anything. States only grow and form a semilattice, so any
/// order of relaxing ends in the same fixpoint. An affinity of 0 is no connection and changes
/// nothing.
namespace seedwave::gpu {

/// Strength: h(c) = max(h(c), min(h(e), kappa)); seeds start at 4096, all else at 0.
struct StrengthPass {
  struct Cell {
    std::uint16_t strength;
  };
  struct Cells {
    U16Vector strength;
  };
  std::uint16_t* strength;

  SEEDWAVE_HD Cells load_vector(std::int64_t i) const { return {gpu::load_vector(strength + i)}; }
  SEEDWAVE_HD void store_vector(std::int64_t i, const Cells& cells) const {
    gpu::store_vector(strength + i, cells.strength);
  }
  SEEDWAVE_HD static Cell get(const Cells& cells, int k) { return {cells.strength.cell[k]}; }
  SEEDWAVE_HD static void set(Cells& cells, int k, const Cell& cell) {
    cells.strength.cell[k] = cell.strength;
  }
  SEEDWAVE_HD Cell load(std::int64_t i) const { return {strength[i]}; }
  SEEDWAVE_HD void store(std::int64_t i, const Cell& cell) const { strength[i] = cell.strength; }
  SEEDWAVE_HD static bool relax(const Cell& from, std::uint16_t affinity, Cell& to) {
    const std::uint16_t offer = from.strength < affinity ? from.strength : affinity;
    if (offer <= to.strength) return false;
    to.strength = offer;
    return true;
  }
};

/// Labels over finished strengths: they pass along optimal edges only, those with
/// min(h(e), kappa) = h(c) > 0, and join as none < {k} < tie.
struct LabelPass {
  struct Cell {
    std::uint16_t strength;
    std::uint16_t label;
  };
  struct Cells {
    U16Vector strength;
    U16Vector label;
  };
  const std::uint16_t* strength;
  std::uint16_t* label;

  SEEDWAVE_HD Cells load_vector(std::int64_t i) const {
    return {gpu::load_vector(strength + i), gpu::load_vector(label + i)};
  }
  SEEDWAVE_HD void store_vector(std::int64_t i, const Cells& cells) const {
    gpu::store_vector(label + i, cells.label);
  }
  SEEDWAVE_HD static Cell get(const Cells& cells, int k) {
    return {cells.strength.cell[k], cells.label.cell[k]};
  }
  SEEDWAVE_HD static void set(Cells& cells, int k, const Cell& cell) {
    cells.label.cell[k] = cell.label;
  }
  SEEDWAVE_HD Cell load(std::int64_t i) const { return {strength[i], label[i]}; }
  SEEDWAVE_HD void store(std::int64_t i, const Cell& cell) const { label[i] = cell.label; }
  SEEDWAVE_HD static bool relax(const Cell& from, std::uint16_t affinity, Cell& to) {
    // At the fixpoint min(h(e), kappa) <= h(c): equal exactly where neither is below h(c).
    const bool optimal = to.strength > 0 && affinity >= to.strength && from.strength >= to.strength;
    if (!optimal || from.label == 0 || from.label == to.label) return false;
    if (to.label == fuzzy::kTie) return false;
    to.label = to.label == 0 ? from.label : fuzzy::kTie;
    return true;
  }
};

/// Relative connectedness in one pass: best strength, the label that has it (or tie), and the best
/// strength of any other label. It stands for the vector of all labels' strengths, of which min and
/// max are taken component by component; so it is monotone although a label is part of it.
struct RelativePass {
  struct Cell {
    std::uint16_t best;
    std::uint16_t label;
    std::uint16_t second;
  };
  struct Cells {
    U16Vector best;
    U16Vector label;
    U16Vector second;
  };
  std::uint16_t* best;
  std::uint16_t* label;
  std::uint16_t* second;

  SEEDWAVE_HD Cells load_vector(std::int64_t i) const {
    return {gpu::load_vector(best + i), gpu::load_vector(label + i), gpu::load_vector(second + i)};
  }
  SEEDWAVE_HD void store_vector(std::int64_t i, const Cells& cells) const {
    gpu::store_vector(best + i, cells.best);
    gpu::store_vector(label + i, cells.label);
    gpu::store_vector(second + i, cells.second);
  }
  SEEDWAVE_HD static Cell get(const Cells& cells, int k) {
    return {cells.best.cell[k], cells.label.cell[k], cells.second.cell[k]};
  }
  SEEDWAVE_HD static void set(Cells& cells, int k, const Cell& cell) {
    cells.best.cell[k] = cell.best;
    cells.label.cell[k] = cell.label;
    cells.second.cell[k] = cell.second;
  }
  SEEDWAVE_HD Cell load(std::int64_t i) const { return {best[i], label[i], second[i]}; }
  SEEDWAVE_HD void store(std::int64_t i, const Cell& cell) const {
    best[i] = cell.best;
    label[i] = cell.label;
    second[i] = cell.second;
  }
  SEEDWAVE_HD static bool relax(const Cell& from, std::uint16_t affinity, Cell& to) {
    const Cell offer = capped(from, affinity);
    const Cell joined = join(offer, to);
    const bool changed =
        joined.best != to.best || joined.label != to.label || joined.second != to.second;
    to = joined;
    return changed;
  }

  /// What arrives over an edge: both strengths limited by it; limited to the same, they tie.
  SEEDWAVE_HD static Cell capped(Cell from, std::uint16_t affinity) {
    if (affinity == 0 || from.best == 0) return {0, 0, 0};
    if (from.best > affinity) from.best = affinity;
    if (from.second > affinity) from.second = affinity;
    if (from.second == from.best) from.label = fuzzy::kTie;
    return from;
  }
  SEEDWAVE_HD static Cell join(const Cell& a, const Cell& b) {
    if (a.best == 0) return b;
    if (b.best == 0) return a;
    Cell joined = a.best < b.best ? b : a;
    if (a.best == b.best && a.label != b.label) joined.label = fuzzy::kTie;
    const std::uint16_t other_a = a.label == joined.label ? a.second : a.best;
    const std::uint16_t other_b = b.label == joined.label ? b.second : b.best;
    joined.second = other_a < other_b ? other_b : other_a;
    return joined;
  }
};

}  // namespace seedwave::gpu
