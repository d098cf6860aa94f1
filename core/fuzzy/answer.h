// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

#include <cstdint>
#include <span>
#include <vector>

/// Steps that all solvers share, before and after the propagation.
namespace seedwave::fuzzy {

/// Returns an answer in which no cell is reached.
[[nodiscard]] Answer empty_answer(std::int64_t cells);

/// Returns the labels that have seeds, in ascending order.
[[nodiscard]] std::vector<Label> labels_of(std::span<const Seed> seeds);

/// Returns the seeds of one label.
[[nodiscard]] std::vector<Seed> seeds_of(const std::vector<Seed>& seeds, Label label);

/// Merges the strengths of one more label into a relative answer. The strongest label wins; a tie
/// gives 0.
void join_relative(Label label, const std::vector<std::uint16_t>& strength, Answer& answer);

/// Restores the painted labels. A seed may have been tied or outdone, but its voxel keeps its
/// label.
void keep_painted(const std::vector<Seed>& seeds, std::vector<std::uint16_t>& labels);

/// Sets labels to 0 unless the strength exceeds theta, in [0, 1]: h > 4096 theta. Seeds keep their
/// labels.
void cut_below(double theta, const std::vector<Seed>& seeds, Answer& answer);

}  // namespace seedwave::fuzzy
