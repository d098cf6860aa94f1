// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/comparison.h"

#include "core/base/digest.h"
#include "core/base/error.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace seedwave::gpu_check {
namespace {

/// Returns the voxels of an output as stored in memory, labels as u32; nothing for a table.
std::optional<std::span<const std::byte>> bytes_in(const Output& output,
                                                   std::vector<Label>& scratch) {
  if (const auto* labels = std::get_if<LabelMap>(&output)) {
    scratch.assign(labels->labels().begin(), labels->labels().end());
    return std::as_bytes(std::span(scratch));
  }
  if (const auto* volume = std::get_if<Volume>(&output)) return volume->bytes();
  return std::nullopt;
}

std::size_t cell_bytes(const Output& output) {
  const auto* volume = std::get_if<Volume>(&output);
  return volume != nullptr ? bytes_of(volume->type()) : sizeof(Label);
}

std::string cell_text(const Output& output, std::size_t cell) {
  if (const auto* labels = std::get_if<LabelMap>(&output)) {
    return std::to_string(labels->labels()[cell]);
  }
  return visit_voxels(std::get<Volume>(output),
                      [&](auto voxels) { return std::to_string(voxels[cell]); });
}

std::optional<std::string> cell_difference(const std::string& name, const Output& expected,
                                           const Output& got) {
  const auto* const table = std::get_if<Table>(&expected);
  const auto* const other_table = std::get_if<Table>(&got);
  if (table != nullptr && other_table != nullptr) {
    if (table->columns == other_table->columns && table->rows == other_table->rows)
      return std::nullopt;
    return name + " has other rows";
  }
  std::vector<Label> labels_a;
  std::vector<Label> labels_b;
  const auto a = bytes_in(expected, labels_a);
  const auto b = bytes_in(got, labels_b);
  const std::size_t size = cell_bytes(expected);
  if (!a || !b || a->size() != b->size() || size != cell_bytes(got)) {
    return name + " is of another kind or size";
  }
  // Compares at memory bandwidth first; searches for the differing cells only if there are some.
  if (std::equal(a->begin(), a->end(), b->begin())) return std::nullopt;
  const std::size_t cells = a->size() / size;
  std::int64_t differing = 0;
  std::size_t first = 0;
  for (std::size_t i = cells; i-- > 0;) {
    if (std::equal(a->begin() + i * size, a->begin() + (i + 1) * size, b->begin() + i * size)) {
      continue;
    }
    ++differing;
    first = i;
  }
  return name + ": " + std::to_string(differing) + " of " + std::to_string(cells) +
         " cells differ, the first at " + std::to_string(first) + ": " +
         cell_text(expected, first) + " expected, " + cell_text(got, first) + " found";
}

}  // namespace

Values values_for(const Operation& operation, const CheckCase& c) {
  Values given;
  for (const auto& [id, value] : c.values) {
    const Parameter* const parameter = operation.find_parameter(id);
    // A direction in space has the name of another operation's choice.
    if (parameter != nullptr && !std::holds_alternative<DirectionDomain>(parameter->domain))
      given.set(id, value);
  }
  return checked_values(operation, given, c.inputs.image.geometry().is_2d());
}

const Implementation* find_reference(const Operation& operation) {
  const auto found =
      std::find_if(operation.implementations.begin(), operation.implementations.end(),
                   [&](const Implementation& implementation) {
                     return implementation.backend == Backend::Cpu &&
                            implementation.algorithm == operation.reference_algorithm;
                   });
  return found == operation.implementations.end() ? nullptr : &*found;
}

std::vector<Pair> exact_pairs(const OperationTable& table) {
  std::vector<Pair> pairs;
  for (const Operation& operation : table.operations()) {
    const Implementation* reference = find_reference(operation);
    for (const Implementation& implementation : operation.implementations) {
      if (implementation.backend == Backend::Cuda && implementation.exactness == Exactness::Exact &&
          reference != nullptr) {
        pairs.push_back({&operation, reference, &implementation});
      }
    }
  }
  return pairs;
}

Pair exact_pair(const OperationTable& table, const std::string& operation,
                const std::string& algorithm) {
  for (const Pair& pair : exact_pairs(table)) {
    if (pair.operation->id == operation && pair.cuda->algorithm == algorithm) return pair;
  }
  throw UsageError("there is no exact CUDA implementation '" + algorithm + "' of " + operation);
}

bool finishes_labels(const Operation& operation) {
  return operation.id == "refine-border" || operation.id == "clean-labels" ||
         operation.id == "segment";
}

bool applies(const Pair& pair, const CheckCase& c) {
  const bool has_own_cases =
      pair.operation->find_parameter("window") != nullptr || finishes_labels(*pair.operation);
  if (c.operation.empty() ? has_own_cases : c.operation != pair.operation->id) return false;
  return !pair.cuda->why_not ||
         pair.cuda->why_not(c.inputs, values_for(*pair.operation, c)).empty();
}

Outcome run(const Operation& operation, const Implementation& implementation, const CheckCase& c,
            const Where& where) {
  const Values values = values_for(operation, c);
  Context context({.threads = where.threads,
                   .device = where.device,
                   .workers = where.workers,
                   .memory = where.memory,
                   .layers = where.layers,
                   .cache = where.cache});
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  try {
    outcome.result = implementation.run(c.inputs, values, context);
  } catch (const InputError& error) {
    outcome.refusal = error.what();
  } catch (const UsageError& error) {
    outcome.refusal = error.what();
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  outcome.wall_ms = taken.count();
  outcome.stages = context.stage_times();
  outcome.work = context.work_done();
  return outcome;
}

LabelSpan labels_of(const Outcome& outcome) {
  return std::get<LabelMap>(outcome.result.outputs.at("labels")).labels();
}

std::span<const std::byte> strength_of(const Outcome& outcome) {
  return std::get<Volume>(outcome.result.outputs.at("strength")).bytes();
}

std::span<const float> lengths_of(const Outcome& outcome) {
  return std::get<Volume>(outcome.result.outputs.at("image")).voxels<float>();
}

std::optional<std::string> difference(const Outcome& expected, const Outcome& got) {
  if (expected.refusal != got.refusal) {
    return "refused with '" + got.refusal + "' instead of '" + expected.refusal + "'";
  }
  if (!(expected.result.values == got.result.values)) return "other values were used";
  for (const auto& [name, output] : expected.result.outputs) {
    const auto found = got.result.outputs.find(name);
    if (found == got.result.outputs.end()) return name + " is missing";
    if (auto text = cell_difference(name, output, found->second)) return text;
  }
  return std::nullopt;
}

std::string digest_of(const Outcome& outcome) {
  std::string text;
  for (const auto& [name, output] : outcome.result.outputs) {
    std::vector<Label> labels;
    const auto cells = bytes_in(output, labels);
    text += (text.empty() ? "" : " ") + name + "=" + (cells ? xxh64_digest_of(*cells) : "?");
  }
  return text;
}

}  // namespace seedwave::gpu_check
