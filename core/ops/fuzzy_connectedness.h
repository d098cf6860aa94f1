// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/fuzzy/setup.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <functional>
#include <string>

/// How the four fuzzy connectedness operations are made from solvers, on any backend.
namespace seedwave {

/// The operations of the family, by what their solver is asked for.
///
/// Afc needs no solver of its own: with one label's seeds, relative connectedness is the strength
/// to them; with several, each grows apart and the strongest wins. theta then cuts.
enum class FuzzyOperation { Afc, Rfc, Irfc, Porfc };

/// What a run of `operation` with these values asks of fuzzy::set_up().
[[nodiscard]] fuzzy::Request fuzzy_request(FuzzyOperation operation, const Values& values);

/// Puts the numbers in use in the place of `auto`.
[[nodiscard]] Values with_numbers(const Values& values, const fuzzy::Setup& setup);

/// An implementation around a solver: set up, solve, and for Afc cut at theta. For Afc and Rfc the
/// solver is one for relative connectedness, for Irfc and Porfc one of theirs.
[[nodiscard]] Implementation fuzzy_implementation(FuzzyOperation operation, std::string algorithm,
                                                  Backend backend, fuzzy::Solver solver);

}  // namespace seedwave
