// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/fuzzy/setup.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <functional>
#include <string>

/// Builds the four fuzzy connectedness operations from solvers, on any backend.
namespace seedwave {

/// The operations of the family, by the solver that they need.
///
/// Afc needs no solver of its own: with one label's seeds, relative connectedness is the strength
/// to them. With several labels, each is computed separately and the strongest wins. Then theta is
/// applied.
enum class FuzzyOperation { Afc, Rfc, Irfc, Porfc };

/// Returns the number of a parameter with one number per label; nothing for labels that are `auto`.
[[nodiscard]] fuzzy::GivenNumber given_number(const Values& values, const std::string& id);

/// Returns the request that a run of `operation` with these values makes to fuzzy::set_up().
[[nodiscard]] fuzzy::Request fuzzy_request(FuzzyOperation operation, const Values& values);

/// Replaces `auto` by the numbers in use.
[[nodiscard]] Values with_numbers(const Values& values, const fuzzy::Setup& setup);

/// Returns an implementation that runs a solver: set up, solve, and for Afc apply theta. Afc and
/// Rfc take a solver for relative connectedness, Irfc and Porfc one of their own.
[[nodiscard]] Implementation fuzzy_implementation(FuzzyOperation operation, std::string algorithm,
                                                  Backend backend, fuzzy::Solver solver);

}  // namespace seedwave
