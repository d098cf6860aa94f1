// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_flags.h"

#include "app/cli/memory_plan.h"
#include "core/base/error.h"
#include "core/ops/worker_list.h"

#include <string>
#include <vector>

namespace seedwave::cli {
namespace {

std::string algorithm_names(const Operation& operation) {
  std::string names;
  for (const Implementation& implementation : operation.implementations) {
    names += (names.empty() ? "" : ", ") + implementation.algorithm + " (" +
             name_of(implementation.backend) + ")";
  }
  return names;
}

/// Puts "--" before a message of the table such as "m must be ...", so that it names the flag.
template <typename Action>
void naming_the_flag(Action&& action) {
  try {
    action();
  } catch (const UsageError& error) {
    throw UsageError(std::string("--") + error.what());
  }
}

}  // namespace

FlagGroup parameter_flags(const Operation& operation) {
  FlagGroup group{"parameters", {}};
  for (const Parameter& parameter : operation.parameters) {
    std::string help = parameter.help;
    if (!parameter.unit().empty()) help += " [" + parameter.unit() + "]";
    if (parameter.applies != Applies::Always) help += ", " + only_on(parameter.applies);
    help += "; " + domain_text(parameter);
    help += " (default: " + text_of(initial_value(parameter, false)) + ")";
    group.flags.push_back({flag_name(parameter.id), "VALUE", help});
  }
  return group;
}

FlagGroup how_flags(const Operation& operation) {
  return {"execution",
          {{"algorithm", "NAME", algorithm_names(operation)},
           {"backend", "NAME", "auto, cpu or cuda (default: auto)"},
           {"device", "N", "CUDA device to use (default: 0)"},
           {"threads", "N", "use at most N CPU threads (default: all)"},
           memory_flag()}};
}

Values values_of(const Arguments& arguments, const Operation& operation) {
  Values values;
  for (const Parameter& parameter : operation.parameters) {
    const auto text = arguments.text(flag_name(parameter.id));
    if (!text) continue;
    naming_the_flag([&] { values.set(parameter.id, parse_value(parameter, *text)); });
  }
  return values;
}

void check_flag_values(const Operation& operation, const Values& values, const Geometry& geometry) {
  naming_the_flag([&] {
    check_places(operation, checked_values(operation, values, geometry.is_2d()), geometry);
  });
}

ImplementationRequest how_of(const Arguments& arguments) {
  ImplementationRequest how;
  how.algorithm = arguments.text("algorithm").value_or("");
  const std::string backend = arguments.text("backend").value_or("auto");
  if (backend == "cpu") how.backend = Backend::Cpu;
  if (backend == "cuda") how.backend = Backend::Cuda;
  if (backend != "auto" && !how.backend) {
    throw UsageError("--backend must be auto, cpu or cuda, not '" + backend + "'");
  }
  return how;
}

Scored scored_of(const Arguments& arguments) {
  return arguments.has("where-labelled") ? Scored::WhereLabelled : Scored::Everywhere;
}

Context::Settings settings_of(const Arguments& arguments) {
  Context::Settings settings;
  settings.threads = static_cast<int>(arguments.integer("threads", 1, kMostThreads).value_or(0));
  settings.device = static_cast<int>(arguments.integer("device", 0, 1024).value_or(0));
  settings.memory = memory_of(arguments);
  return settings;
}

Flag devices_flag() {
  return {
      "devices", "LIST",
      "share the work: all, or a list of cpu, cuda:0, cuda:1 ...; the result has the same bits"};
}

void choose_devices(const Arguments& arguments, const OperationTable& table,
                    ImplementationRequest& how, Context::Settings& settings) {
  const auto list = arguments.text(devices_flag().name);
  if (!list) return;
  for (const char* other : {"device", "backend"}) {
    if (arguments.has(other))
      throw UsageError(std::string("--devices and --") + other + " exclude each other");
  }
  naming_the_flag([&] { share_among(*list, table, how, settings); });
}

}  // namespace seedwave::cli
