// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/wavefront/label_rules.h"
#include "core/wavefront/strength_rules.h"
#include "gpu/fuzzy/grid.h"

#include <cstdint>

/// The monotone passes of fuzzy connectedness over planes of u16, for one line of cells at a time:
/// the rules of the CPU's solvers and the layout of their states in device memory.
///
/// A pass defines Cell (a thread's state of one cell) and Cells (of kVector cells of a row), with
/// load and store for both. relax(from, affinity, to) takes what `from` passes along the edge into
/// `to` and returns whether `to` changed. States only grow and form a semilattice, so any order of
/// relaxing ends in the same fixpoint. An affinity of 0 means no connection and changes nothing.
namespace seedwave::gpu {

/// Strengths by StrengthRule. Seeds start at 4096, all other cells at 0.
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
    using Rule = StrengthRule<std::uint16_t>;
    const std::uint16_t joined = Rule::join(to.strength, Rule::transfer(from.strength, affinity));
    const bool changed = joined != to.strength;
    to.strength = joined;
    return changed;
  }
};

/// Labels over finished strengths, by LabelRule.
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
    if (!LabelRule::passes(from.strength, affinity, to.strength)) return false;
    const std::uint16_t joined = LabelRule::join(to.label, from.label);
    const bool changed = joined != to.label;
    to.label = joined;
    return changed;
  }
};

/// Relative connectedness in one pass by RelativeRule, with a plane for each part of the state.
struct RelativePass {
  using Cell = RelativeRule::State;
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
    const Cell joined = RelativeRule::join(RelativeRule::transfer(from, affinity), to);
    const bool changed = !(joined == to);
    to = joined;
    return changed;
  }
};

}  // namespace seedwave::gpu
