// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

#include <cstdint>
#include <vector>

/// What every solver does before and after its own work.
namespace seedwave::fuzzy {

/// An answer in which nothing is reached.
[[nodiscard]] Answer empty_answer(std::int64_t cells);

/// The labels that have seeds, ascending.
[[nodiscard]] std::vector<std::uint16_t> labels_of(const std::vector<Seed>& seeds);

/// The seeds of one label.
[[nodiscard]] std::vector<Seed> seeds_of(const std::vector<Seed>& seeds, std::uint16_t label);

/// Takes one more label's strengths into a relative answer: the strongest wins, equals are 0.
void join_relative(std::uint16_t label, const std::vector<std::uint16_t>& strength, Answer& answer);

/// Puts back what was painted: a seed may have been tied or outdone, its voxel keeps its label.
void keep_painted(const std::vector<Seed>& seeds, std::vector<std::uint16_t>& labels);

/// Keeps of an answer what is held more strongly than theta, in [0, 1]: h > 4096 theta. Seeds stay.
void cut_below(double theta, const std::vector<Seed>& seeds, Answer& answer);

}  // namespace seedwave::fuzzy
