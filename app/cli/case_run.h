// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/output_set.h"
#include "core/ops/operation_table.h"
#include "core/parallel/context.h"
#include "core/recipes/case_result.h"
#include "core/recipes/cohort.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace seedwave::cli {

/// The parts of `apply` that are the same for all cases.
struct CaseRun {
  const OperationTable& table;
  const SavedRecipe& recipe;
  /// Holds a folder for each case.
  std::filesystem::path folder;
  /// Leave out a case whose result is there, of the same inputs, recipe and version.
  bool resume = false;
  io::Damaged damaged = io::Damaged::Refuse;
  Context::Settings settings{};
};

/// A case that was run, or found to be there.
struct CaseOutcome {
  /// As the file result.json.
  std::shared_ptr<const nlohmann::ordered_json> result;
  bool was_there = false;
  /// The whole time, until the files were written; of a result that was there, the time it states.
  double ms = 0.0;
};

/// Runs a case and writes its folder: the outputs, a picture, and at last result.json; all of them
/// or none. Throws InputError, UsageError, OutputError, UnavailableError, Cancelled.
[[nodiscard]] CaseOutcome run_case(const CaseRun& run, const CohortCase& one);

/// Computes a result again from its own recipe and inputs. Returns what differs, a line each: an
/// input that holds something else now, or a digest. Throws as run_case().
[[nodiscard]] std::vector<std::string> verify_case(const OperationTable& table,
                                                   const CaseResult& result,
                                                   const Context::Settings& settings);

}  // namespace seedwave::cli
