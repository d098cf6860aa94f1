// SPDX-License-Identifier: Apache-2.0
// seedwave-gpu-check: parity, determinism and speed of the CUDA implementations, on a machine with
// nothing but a GPU.
#include "core/base/error.h"
#include "core/ops/operation_table.h"
#include "gpu/implementations.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/comparison.h"
#include "research/gpu_check/experiments.h"
#include "research/gpu_check/goals.h"
#include "research/gpu_check/paper_variants.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iomanip>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace seedwave;
using namespace seedwave::gpu_check;
using nlohmann::ordered_json;

std::string cell_text(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  std::ostringstream text;
  text << std::fixed << std::setprecision(3) << value.get<double>();
  return text.str();
}

/// Prints the rows as a table with numbers right-aligned; all have the first row's fields.
void print_table(const std::vector<ordered_json>& rows) {
  if (rows.empty()) return;
  std::vector<std::vector<std::string>> lines(1);
  std::vector<bool> numbers;
  for (const auto& [name, value] : rows.front().items()) {
    lines.front().push_back(name);
    numbers.push_back(value.is_number());
  }
  for (const ordered_json& row : rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const auto& [name, value] : row.items())
      line.push_back(cell_text(value));
  }
  for (std::size_t column = 0; column < numbers.size(); ++column) {
    std::size_t width = 0;
    for (const auto& line : lines)
      width = std::max(width, line[column].size());
    for (auto& line : lines) {
      const std::string padding(width - line[column].size(), ' ');
      line[column] = numbers[column] ? padding + line[column] : line[column] + padding;
    }
  }
  for (const auto& line : lines) {
    for (std::size_t column = 0; column < line.size(); ++column) {
      std::cout << (column == 0 ? "" : "  ") << line[column];
    }
    std::cout << '\n';
  }
}

enum class Format { Text, Json };

constexpr int kMostFlatVolumes = 30;

/// Prints the findings. Returns 0, or 1 if there are failures.
int print(const std::string& check, const Report& report, Format format) {
  if (format == Format::Json) {
    std::cout << ordered_json{{"check", check},
                              {"rows", report.rows},
                              {"failures", report.failures}}
                     .dump(1)
              << '\n';
  } else {
    print_table(report.rows);
    for (const std::string& failure : report.failures)
      std::cout << "FAILED: " << failure << '\n';
    std::cout << check << ": " << (report.failures.empty() ? "passed" : "FAILED") << '\n';
  }
  return report.failures.empty() ? 0 : 1;
}

/// Throws UnavailableError with the reason if the device does not exist.
void need_device(const OperationTable& table, int number) {
  if (table.devices().empty()) throw UnavailableError(table.why_no_device());
  for (const DeviceInfo& device : table.devices()) {
    if (device.number == number) return;
  }
  throw UnavailableError("there is no usable device " + std::to_string(number));
}

Report list_devices(const OperationTable& table) {
  if (table.devices().empty()) throw UnavailableError(table.why_no_device());
  Report report;
  for (const DeviceInfo& device : table.devices()) {
    report.rows.push_back({{"device", device.number},
                           {"name", device.name},
                           {"total_mib", device.total_bytes >> 20},
                           {"free_mib", device.free_bytes >> 20}});
  }
  return report;
}

/// The flags for volumes: IMAGE LABELS pairs, each with and without a mask.
struct VolumeFlags {
  std::vector<std::string> files;
  std::vector<std::uint16_t> labels;
  std::int64_t one_in = 500;
  std::vector<int> connectivities{6};

  void add_to(CLI::App& command) {
    command.add_option("--volume", files, "IMAGE LABELS: .npy, .nii or .nii.gz; may be repeated")
        ->type_size(2)
        ->allow_extra_args(false);
    command.add_option("--labels", labels, "labels that give seeds (all)")->delimiter(',');
    command.add_option("--one-in", one_in, "of so many voxels of a label one is a seed")
        ->check(CLI::PositiveNumber);
    command.add_option("--connectivity", connectivities, "of the volumes")
        ->delimiter(',')
        ->check(CLI::IsMember({6, 18, 26}));
  }
  [[nodiscard]] std::vector<CheckCase> cases() const {
    std::vector<CheckCase> result;
    for (std::size_t k = 0; k + 1 < files.size(); k += 2) {
      for (const int connectivity : connectivities) {
        LabelledVolume source{.image = files[k],
                              .labels = files[k + 1],
                              .seed_labels = labels,
                              .one_in = one_in,
                              .connectivity = static_cast<Connectivity>(connectivity)};
        result.push_back(case_from(source));
        source.mask = LabelledVolume::Mask::Labels;
        result.push_back(case_from(source));
      }
    }
    return result;
  }
};

/// Returns whether any requested experiment needs a device.
bool experiments_need_device(const ExperimentOptions& options) {
  const std::vector<NamedExperiment> all = paper_experiments();
  return std::ranges::any_of(all, [&](const NamedExperiment& named) {
    return is_wanted(named.name, options.only) && named.needs == NamedExperiment::Needs::Device;
  });
}

/// Prints each table as soon as it is measured.
int run_experiments(const OperationTable& table, const ExperimentOptions& options, Format format) {
  int code = 0;
  for (const NamedExperiment& named : paper_experiments()) {
    if (!is_wanted(named.name, options.only)) continue;
    for (const Experiment& experiment : named.run(table, options)) {
      if (format == Format::Text) std::cout << experiment.title << '\n';
      code = std::max(code, print(named.name, experiment.report, format));
      if (format == Format::Text) std::cout << '\n';
      std::cout.flush();
    }
  }
  return code;
}

/// Prints one table of all requested goals; progress goes to the other stream meanwhile.
int run_goals(const OperationTable& table, const GoalOptions& options, Format format) {
  Report all;
  for (const GoalGroup& group : goal_groups()) {
    if (!is_wanted(group.name, options.only)) continue;
    std::cerr << group.name << " ..." << std::endl;
    const Report report = group.run(table, options);
    all.rows.insert(all.rows.end(), report.rows.begin(), report.rows.end());
    all.failures.insert(all.failures.end(), report.failures.begin(), report.failures.end());
  }
  return print("goals", all, format);
}

/// Returns the cases for repeated runs if no others are named.
std::vector<CheckCase> usual_cases(const OperationTable& table) {
  std::vector<CheckCase> cases = phase_cases(1);
  cases.push_back(random_case(1));
  for (const Operation& operation : table.operations()) {
    if (finishes_labels(operation)) cases.push_back(label_case(operation, 12));
  }
  return cases;
}

int run_program(int argc, char** argv) {
  CLI::App app("Checks and times Seedwave's CUDA implementations", "seedwave-gpu-check");
  app.require_subcommand(1);
  bool json = false;
  int device = 0;
  VolumeFlags volumes;
  ParityOptions parity;
  DeterminismOptions determinism;
  StressOptions stress;
  LineOptions lines;
  TextureOptions textures;
  CutOptions cuts;
  BenchOptions speed;
  std::vector<std::int64_t> size{512, 512, 192};
  bool cuda_only = false;

  const auto command = [&](const std::string& name, const std::string& help) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->add_flag("--json", json, "one JSON object on standard output");
    sub->add_option("--device", device, "which one")->check(CLI::NonNegativeNumber);
    return sub;
  };
  const CLI::App* devices = command("devices", "the CUDA devices, or why there is none");
  CLI::App* parity_command = command("parity", "every exact implementation equals the CPU's");
  parity_command->add_option("--random", parity.random_cases, "how many random inputs")
      ->check(CLI::NonNegativeNumber);
  parity_command->add_option("--first", parity.first_case, "the first one's number");
  parity_command->add_option("--operations", parity.operations, "only these (all)")->delimiter(',');
  volumes.add_to(*parity_command);
  parity_command->add_option("--algorithm", parity.algorithm, "only those that begin so");
  bool pictures = false;
  parity_command->add_flag("--pictures", pictures,
                           "snakes, mazes, narrow and constant images, too");
  PartsOptions parts;
  CLI::App* parts_command = command("parts", "the same bits in memory too small for the whole");
  parts_command->add_option("--random", parts.random_cases, "how many random inputs")
      ->check(CLI::NonNegativeNumber);
  parts_command->add_option("--operations", parts.operations, "only these (all)")->delimiter(',');
  SharesOptions shares;
  CLI::App* shares_command =
      command("shares", "the same bits by several devices and the CPU at the same time");
  shares_command->add_option("--random", shares.random_cases, "how many random inputs")
      ->check(CLI::NonNegativeNumber);
  shares_command->add_option("--operations", shares.operations, "only these (all)")->delimiter(',');
  AccuracyOptions accuracy;
  CLI::App* accuracy_command =
      command("accuracy", "how far the approximate implementations are off");
  accuracy_command->add_option("--random", accuracy.random_cases, "how many random inputs")
      ->check(CLI::NonNegativeNumber);
  CLI::App* determinism_command = command("determinism", "every run gives the same bits");
  determinism_command->add_option("--runs", determinism.runs)->check(CLI::PositiveNumber);
  volumes.add_to(*determinism_command);
  CLI::App* stress_command = command("stress", "the worklist, held up at random");
  stress_command->add_option("--runs", stress.runs)->check(CLI::PositiveNumber);
  stress_command->add_option("--first", stress.first_case, "the first scene's number");
  CLI::App* lines_command = command("lines", "openings by lines at any angle equal the CPU's");
  lines_command->add_option("--random", lines.random_cases, "how many random inputs")
      ->check(CLI::NonNegativeNumber);
  lines_command->add_option("--first", lines.first_case, "the first one's number");
  CLI::App* textures_command = command("textures", "two-point correlations equal the CPU's");
  textures_command->add_option("--random", textures.random_cases, "how many random inputs")
      ->check(CLI::NonNegativeNumber);
  textures_command->add_option("--first", textures.first_case, "the first one's number");
  CLI::App* cuts_command = command("cuts", "minimum cuts of random networks equal the CPU's");
  cuts_command->add_option("--random", cuts.random_cases, "how many random networks of each size")
      ->check(CLI::NonNegativeNumber);
  cuts_command->add_option("--first", cuts.first_case, "the first one's number");
  CLI::App* bench_command = command("bench", "times on inputs by formula");
  bench_command->add_option("--size", size, "X,Y,Z")
      ->delimiter(',')
      ->expected(3)
      ->check(CLI::PositiveNumber);
  bench_command->add_option("--picture", speed.picture, "side of the pictures, 0: none")
      ->check(CLI::NonNegativeNumber);
  bench_command->add_option("--objects", speed.objects, ".npy of bytes: distances on these too");
  bench_command->add_option("--connectivity", speed.connectivity, "of the head (6, of a picture 4)")
      ->check(CLI::IsMember({4, 6, 8, 18, 26}));
  bench_command->add_option("--algorithm", speed.algorithm, "the only one to time on the head");
  bench_command->add_option("--repeat", speed.repeats)->check(CLI::PositiveNumber);
  bench_command->add_flag("--cuda-only", cuda_only, "do not compute the CPU's result to compare");
  ExperimentOptions experiments;
  bool quick = false;
  CLI::App* experiments_command =
      command("experiments", "the papers' own experiments, in their layout");
  std::vector<std::string> names;
  for (const NamedExperiment& named : paper_experiments())
    names.push_back(named.name);
  experiments_command->add_option("--only", experiments.only, "which; may be repeated")
      ->check(CLI::IsMember(names));
  experiments_command->add_option("--repeat", experiments.repeats)->check(CLI::PositiveNumber);
  experiments_command->add_option("--largest", experiments.largest, "side of the largest image")
      ->check(CLI::Range(512, 98304));
  experiments_command->add_flag("--quick", quick, "small inputs, to see that it works");
  GoalOptions goals;
  CLI::App* goals_command =
      command("goals", "every goal of the CUDA side beside what it takes here, in one table");
  std::vector<std::string> groups;
  for (const GoalGroup& group : goal_groups())
    groups.push_back(group.name);
  goals_command->add_option("--only", goals.only, "which; may be repeated")
      ->check(CLI::IsMember(groups));
  goals_command->add_option("--repeat", goals.repeats)->check(CLI::PositiveNumber);
  goals_command->add_flag("--quick", quick, "small inputs, to see that it works");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;  // a request for help is no error
  }

  OperationTable table = make_operation_table();
  gpu::add_implementations(table);
  const Format format = json ? Format::Json : Format::Text;
  if (devices->parsed()) return print("devices", list_devices(table), format);
  if (!experiments_command->parsed() || experiments_need_device(experiments))
    need_device(table, device);
  if (parts_command->parsed()) {
    parts.device = device;
    return print("parts", check_parts(table, parts), format);
  }
  if (shares_command->parsed()) {
    shares.device = device;
    return print("shares", check_shares(table, shares), format);
  }
  if (parity_command->parsed()) {
    parity.device = device;
    parity.cases = volumes.cases();
    if (pictures) parity.pictures = picture_cases();
    PaperVariants variants;
    // Omitted under a checker, where the plain run is slow enough.
    if (pictures || !parity.algorithm.empty()) variants.add_to(table);
    Report report = check_parity(table, parity);
    if (pictures) variants.add_to(report);
    if (parity.operations.empty() && parity.algorithm.empty()) {
      compare_flat_volumes(device, std::min(parity.random_cases, kMostFlatVolumes), report);
    }
    return print("parity", report, format);
  }
  if (accuracy_command->parsed()) {
    accuracy.device = device;
    return print("accuracy", check_accuracy(table, accuracy), format);
  }
  if (determinism_command->parsed()) {
    determinism.device = device;
    determinism.cases = volumes.cases();
    if (determinism.cases.empty()) determinism.cases = usual_cases(table);
    return print("determinism", check_determinism(table, determinism), format);
  }
  if (experiments_command->parsed()) {
    experiments.device = device;
    if (quick) experiments.extent = ExperimentOptions::Extent::Quick;
    return run_experiments(table, experiments, format);
  }
  if (goals_command->parsed()) {
    goals.device = device;
    if (quick) goals.extent = GoalOptions::Extent::Quick;
    return run_goals(table, goals, format);
  }
  if (lines_command->parsed()) {
    lines.device = device;
    return print("lines", check_lines(lines), format);
  }
  if (textures_command->parsed()) {
    textures.device = device;
    return print("textures", check_textures(textures), format);
  }
  if (cuts_command->parsed()) {
    cuts.device = device;
    return print("cuts", check_cuts(cuts), format);
  }
  if (stress_command->parsed()) {
    stress.device = device;
    return print("stress", check_stress(stress), format);
  }
  speed.device = device;
  speed.size = {size[0], size[1], size[2]};
  if (cuda_only) speed.agreement = BenchOptions::Agreement::CudaOnly;
  return print("bench", bench(table, speed), format);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const Error& error) {
    std::cerr << "seedwave-gpu-check: " << error.what() << '\n';
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    std::cerr << "seedwave-gpu-check: out of memory\n";
    return kExitUnavailable;
  } catch (const std::exception& error) {
    std::cerr << "seedwave-gpu-check: " << error.what() << '\n';
    return kExitFault;
  }
}
