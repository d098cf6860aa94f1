// SPDX-License-Identifier: Apache-2.0
#include "gpu/implementations.h"

#include "core/filters/gaussian.h"
#include "core/fuzzy/answer.h"
#include "core/morphology/linear/in_parts.h"
#include "core/ops/connectivity_parameter.h"
#include "core/ops/fuzzy_connectedness.h"
#include "core/ops/lines.h"
#include "core/ops/morphology.h"
#include "core/ops/segment.h"
#include "core/ops/shared_in_parts.h"
#include "core/ops/texture.h"
#include "gpu/border/refine_border.h"
#include "gpu/device/devices.h"
#include "gpu/filters/filters.h"
#include "gpu/fuzzy/porfc.h"
#include "gpu/fuzzy/sweeps.h"
#include "gpu/fuzzy/tiles.h"
#include "gpu/morphology/clean_labels.h"
#include "gpu/morphology/distance.h"
#include "gpu/morphology/line_fan.h"
#include "gpu/morphology/linear_opening.h"
#include "gpu/morphology/papers/distance.h"
#include "gpu/morphology/papers/linear_opening.h"
#include "gpu/morphology/papers/reconstruction.h"
#include "gpu/morphology/reconstruction.h"
#include "gpu/morphology/watershed.h"
#include "gpu/segment/segment.h"
#include "gpu/texture/nearest_class.h"
#include "gpu/texture/tpcf.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

namespace seedwave::gpu {
namespace {

using DeviceBytes = std::int64_t (*)(const Geometry&, Connectivity, bool masked);

Implementation fuzzy_on_device(FuzzyOperation operation, std::string algorithm,
                               fuzzy::Solver solver, DeviceBytes bytes) {
  Implementation implementation =
      fuzzy_implementation(operation, std::move(algorithm), Backend::Cuda, solver);
  implementation.device_bytes = [operation, bytes](const Inputs& inputs, const Values& values) {
    return bytes(inputs.image.geometry(), fuzzy_request(operation, values).connectivity,
                 !inputs.mask.empty());
  };
  return implementation;
}

Implementation fuzzy_tiles_on_device(FuzzyOperation operation, fuzzy::Solver solver) {
  Implementation implementation = fuzzy_on_device(operation, "tiles", solver, tiles_bytes);
  implementation.least_bytes = [operation](const Inputs& inputs, const Values& values) {
    const std::size_t labels = fuzzy::labels_of(inputs.seeds.seeds).size();
    return least_tiles_bytes(inputs.image.geometry(), fuzzy_request(operation, values).connectivity,
                             labels, values.is_word("object") ? labels : 1,
                             inputs.seeds.seeds.size());
  };
  implementation.sharing = Sharing::BySlabs;
  implementation.why_not_shared = [operation](const Inputs&, const Values& values) {
    return why_no_shared_tiles(fuzzy_request(operation, values).connectivity);
  };
  return implementation;
}

/// Returns the solver of whoever calls it: on the device of its context, or on the CPU if that is a
/// group of threads beside devices.
template <typename Answer, typename... Arguments>
std::function<Answer(Arguments...)> by_worker(std::function<Answer(Arguments...)> on_cpu,
                                              std::function<Answer(Arguments...)> on_device) {
  return [on_cpu = std::move(on_cpu), on_device = std::move(on_device)](Arguments... arguments) {
    const Context& context = std::get<Context&>(std::tie(arguments...));
    return context.on_cpu() ? on_cpu(arguments...) : on_device(arguments...);
  };
}

/// Adds a reason why an implementation cannot compute something to those that it has.
void add_reason(Implementation& implementation,
                std::function<std::string(const Inputs&, const Values&)> why_not) {
  implementation.why_not = [own = std::move(implementation.why_not), why_not = std::move(why_not)](
                               const Inputs& inputs, const Values& values) {
    const std::string why = own ? own(inputs, values) : "";
    return why.empty() ? why_not(inputs, values) : why;
  };
}

Implementation reconstruction_on_device(ReconstructionOperation operation) {
  Implementation implementation =
      reconstruction_implementation(operation, "tiles", Backend::Cuda, reconstruct_by_tiles);
  implementation.device_bytes = [](const Inputs& inputs, const Values&) {
    return reconstruction_bytes(inputs.image.geometry(), inputs.image.type());
  };
  implementation.least_bytes = [](const Inputs& inputs, const Values&) {
    return least_reconstruction_bytes(inputs.image.geometry(), inputs.image.type());
  };
  implementation.sharing = Sharing::BySlabs;
  return implementation;
}

using ReconstructionBytes = std::int64_t (*)(const Geometry&, VoxelType);

Implementation paper_reconstruction(ReconstructionOperation operation, std::string algorithm,
                                    const ReconstructionSolver& solver, ReconstructionBytes bytes) {
  Implementation implementation =
      reconstruction_implementation(operation, std::move(algorithm), Backend::Cuda, solver);
  add_reason(implementation, [](const Inputs& inputs, const Values&) {
    return why_no_paper_reconstruction(inputs.image.geometry());
  });
  implementation.device_bytes = [bytes](const Inputs& inputs, const Values&) {
    return bytes(inputs.image.geometry(), inputs.image.type());
  };
  return implementation;
}

/// Returns 4 if a marker or seed may need more than 16 bits, else 2.
std::size_t label_bytes(const Inputs& inputs) {
  constexpr Label kMostInTwoBytes = std::numeric_limits<std::uint16_t>::max();
  const bool wide_marker = !inputs.marker.empty() && bytes_of(inputs.marker.type()) > 2;
  const bool wide_seed = std::any_of(inputs.seeds.seeds.begin(), inputs.seeds.seeds.end(),
                                     [](const Seed& seed) { return seed.label > kMostInTwoBytes; });
  return wide_marker || wide_seed ? 4 : 2;
}

Implementation watershed_on_device() {
  Implementation implementation =
      watershed_implementation("tiles", Backend::Cuda, watershed_by_tiles);
  implementation.device_bytes = [](const Inputs& inputs, const Values&) {
    return watershed_bytes(inputs.image.geometry(), inputs.image.type(), label_bytes(inputs));
  };
  implementation.least_bytes = [](const Inputs& inputs, const Values&) {
    return least_watershed_bytes(inputs.image.geometry(), inputs.image.type());
  };
  implementation.sharing = Sharing::BySlabs;
  return implementation;
}

Implementation distance_on_device() {
  Implementation implementation =
      shared_in_parts(distance_implementation("min-plus", Backend::Cuda, distance_by_min_plus));
  add_reason(implementation, [](const Inputs& inputs, const Values& values) {
    const DistanceProblem problem = distance_question(inputs, values);
    return why_no_distance(inputs.image.geometry(), problem.scale, problem.nearest);
  });
  implementation.device_bytes = [](const Inputs& inputs, const Values& values) {
    const DistanceProblem problem = distance_question(inputs, values);
    return distance_bytes(inputs.image.geometry(), problem.scale, problem.nearest);
  };
  implementation.least_bytes = [](const Inputs& inputs, const Values& values) {
    const DistanceProblem problem = distance_question(inputs, values);
    return least_distance_bytes(inputs.image.geometry(), problem.scale, problem.nearest);
  };
  return implementation;
}

Implementation influence_zones_on_device() {
  Implementation implementation = shared_in_parts(influence_zones_implementation(
      "min-plus", Backend::Cuda, influence_zones_by_min_plus, distance_by_min_plus));
  implementation.why_not = [](const Inputs& inputs, const Values& values) {
    return why_no_distance(inputs.image.geometry(), distance_scale(inputs, values),
                           NearestCells::Find);
  };
  implementation.device_bytes = [](const Inputs& inputs, const Values& values) {
    return influence_zones_bytes(inputs.image.geometry(), distance_scale(inputs, values),
                                 bytes_of(inputs.image.type()) > 2 ? 4 : 2);
  };
  implementation.least_bytes = [](const Inputs& inputs, const Values& values) {
    return least_influence_zones_bytes(inputs.image.geometry(), distance_scale(inputs, values),
                                       bytes_of(inputs.image.type()) > 2 ? 4 : 2);
  };
  return implementation;
}

Implementation paper_distance() {
  Implementation implementation =
      distance_implementation("iwpp-edt", Backend::Cuda, distance_by_iwpp, Exactness::Approximate);
  add_reason(implementation, [](const Inputs& inputs, const Values& values) {
    DistanceProblem problem = distance_question(inputs, values);
    problem.objects = inputs.image;
    return why_no_iwpp(problem);
  });
  implementation.device_bytes = [](const Inputs& inputs, const Values&) {
    return iwpp_bytes(inputs.image.geometry());
  };
  return implementation;
}

Implementation linear_opening_on_device(LineFilter filter) {
  const LinearOpeningSolver on_device = [](const LinearOpeningProblem& problem, Context& context) {
    return linear_opening_by_tiles(problem, context);
  };
  const auto shared = [solver = by_worker(LinearOpeningSolver(linear_opening), on_device)](
                          const LinearOpeningProblem& problem, Context& context) {
    return seedwave::linear::opening_in_parts(problem, solver, context);
  };
  Implementation implementation =
      shared_in_parts(linear_opening_implementation(filter, "tiles", Backend::Cuda, shared));
  implementation.why_not = [](const Inputs& inputs, const Values&) {
    return why_no_linear_opening(inputs.image.geometry());
  };
  implementation.device_bytes = [filter](const Inputs& inputs, const Values& values) {
    return linear_opening_bytes(linear_opening_problem(filter, inputs, values));
  };
  implementation.least_bytes = [filter](const Inputs& inputs, const Values& values) {
    return least_linear_opening_bytes(linear_opening_problem(filter, inputs, values));
  };
  return implementation;
}

using LinearOpeningBytes = std::int64_t (*)(const LinearOpeningProblem&);

Implementation paper_linear_opening(LineFilter filter, std::string algorithm,
                                    LinearOpeningSolver solver, LinearOpeningBytes bytes) {
  Implementation implementation =
      linear_opening_implementation(filter, std::move(algorithm), Backend::Cuda, std::move(solver));
  implementation.why_not = [filter](const Inputs& inputs, const Values& values) {
    return why_no_line_scans(linear_opening_problem(filter, inputs, values));
  };
  implementation.device_bytes = [filter, bytes](const Inputs& inputs, const Values& values) {
    return bytes(linear_opening_problem(filter, inputs, values));
  };
  return implementation;
}

void add_linear_openings(OperationTable& table, LineFilter filter) {
  const std::string id = id_of(filter);
  table.add(id, linear_opening_on_device(filter));
  table.add(id, paper_linear_opening(
                    filter, name_of(LineAlgorithm::Bartovsky),
                    [](const LinearOpeningProblem& problem, Context& context) {
                      return linear_opening_by_queues(problem, context);
                    },
                    line_queues_bytes));
  table.add(id, paper_linear_opening(
                    filter, name_of(LineAlgorithm::Morard),
                    [](const LinearOpeningProblem& problem, Context& context) {
                      return linear_opening_by_stacks(problem, context);
                    },
                    line_stacks_bytes));
}

using FanQuestion = LineFanProblem (*)(const Inputs&, const Values&);

/// Completes an implementation over many directions with its checks and memory demands.
Implementation line_fan_on_device(Implementation implementation, FanQuestion question) {
  add_reason(implementation, [](const Inputs& inputs, const Values&) {
    return why_no_linear_opening(inputs.image.geometry());
  });
  implementation.device_bytes = [question](const Inputs& inputs, const Values& values) {
    return line_fan_bytes(question(inputs, values));
  };
  implementation.least_bytes = [question](const Inputs& inputs, const Values& values) {
    return least_line_fan_bytes(question(inputs, values));
  };
  return implementation;
}

void add_line_fans(OperationTable& table) {
  const OrientationSolver strongest = [](const LineFanProblem& problem, Context& context) {
    return orientation_by_tiles(problem, context);
  };
  const AngularSpectrumSolver sums = [](const LineFanProblem& problem, Context& context) {
    return angular_spectrum_by_tiles(problem, context);
  };
  const auto shared_strongest = [solver = by_worker(OrientationSolver(orientation), strongest)](
                                    const LineFanProblem& problem, Context& context) {
    return seedwave::linear::orientation_in_parts(problem, solver, context);
  };
  const auto shared_sums = [solver = by_worker(AngularSpectrumSolver(angular_spectrum), sums)](
                               const LineFanProblem& problem, Context& context) {
    return seedwave::linear::angular_spectrum_in_parts(problem, solver, context);
  };
  table.add("orientation", line_fan_on_device(shared_in_parts(orientation_implementation(
                                                  "tiles", Backend::Cuda, shared_strongest)),
                                              orientation_problem));
  table.add("angular-spectrum", line_fan_on_device(shared_in_parts(angular_spectrum_implementation(
                                                       "tiles", Backend::Cuda, shared_sums)),
                                                   angular_spectrum_problem));
  table.add("deskew", line_fan_on_device(deskew_implementation("tiles", Backend::Cuda, sums),
                                         deskew_problem));
}

Implementation on_windows_of_device(TpcfOnDevice algorithm, Implementation implementation) {
  implementation.device_bytes = [algorithm](const Inputs& inputs, const Values& values) {
    return least_tpcf_bytes(algorithm, inputs.image.geometry(), window_of(values), kMostPhases);
  };
  return implementation;
}

/// Returns the CPU's form of an algorithm.
TpcfSolver tpcf_on_cpu(TpcfOnDevice algorithm) {
  if (algorithm == TpcfOnDevice::Box) return tpcf;
  const TpcfAlgorithm same =
      algorithm == TpcfOnDevice::Update ? TpcfAlgorithm::Update : TpcfAlgorithm::Fft;
  return [same](const TpcfProblem& problem, const FeatureSink& sink, Context& context) {
    tpcf_by(same, problem, sink, context);
  };
}

void add_tpcf(OperationTable& table) {
  for (const TpcfOnDevice algorithm : tpcf_algorithms()) {
    const Implementation implementation =
        tpcf_implementation(name_of(algorithm), Backend::Cuda,
                            by_worker(tpcf_on_cpu(algorithm), tpcf_solver(algorithm)));
    table.add("tpcf", on_windows_of_device(algorithm, implementation));
  }
}

using VolumeFilter = std::function<Volume(const Inputs&, const Values&, Context&)>;
using VolumeBytes = std::int64_t (*)(const Volume&);

Implementation filter_on_device(std::string algorithm, VolumeFilter filter, VolumeBytes bytes) {
  return {
      .algorithm = std::move(algorithm),
      .backend = Backend::Cuda,
      .run =
          [filter = std::move(filter)](const Inputs& inputs, const Values& values,
                                       Context& context) {
            Result result;
            result.outputs["image"] = filter(inputs, values, context);
            result.values = values;
            return result;
          },
      .device_bytes = [bytes](const Inputs& inputs, const Values&) { return bytes(inputs.image); }};
}

Vec3 sigma_of(const Inputs& inputs, const Values& values) {
  return in_voxels(values.number("sigma"), inputs.image.geometry());
}

void add_filters(OperationTable& table) {
  const auto smoothed = [](const Inputs& inputs, const Values& values, Context& context) {
    return gpu::gaussian(inputs.image, sigma_of(inputs, values), context);
  };
  const auto median = [](const Inputs& inputs, const Values& values, Context& context) {
    return gpu::median_filtered(inputs.image, values.number("radius"), context);
  };
  const auto gradient = [](const Inputs& inputs, const Values& values, Context& context) {
    return gpu::gradient_magnitude(inputs.image, sigma_of(inputs, values), context);
  };
  table.add("gaussian", filter_on_device("separable", smoothed, gaussian_bytes));
  table.add("median", filter_on_device("bits", median, median_bytes));
  table.add("gradient-magnitude",
            filter_on_device("separable", gradient, gradient_magnitude_bytes));
}

Implementation refine_border_on_device() {
  Implementation implementation =
      refine_border_implementation("push-relabel", Backend::Cuda, gpu::refine_border);
  implementation.why_not = [](const Inputs& inputs, const Values&) {
    return why_no_refine_border(inputs.image.geometry());
  };
  implementation.device_bytes = [](const Inputs& inputs, const Values&) {
    return refine_border_bytes(inputs.image.geometry(), inputs.image.type(),
                               inputs.labels.labels().bytes_each());
  };
  return implementation;
}

Implementation clean_labels_on_device() {
  Implementation implementation =
      clean_labels_implementation("by-label", Backend::Cuda, gpu::clean_labels);
  implementation.why_not = [](const Inputs& inputs, const Values&) {
    return why_no_clean_labels(inputs.image.geometry());
  };
  implementation.device_bytes = [](const Inputs& inputs, const Values&) {
    return clean_labels_bytes(inputs.image.geometry(), bytes_of(inputs.image.type()));
  };
  return implementation;
}

Implementation segment_on_device() {
  Implementation implementation = segment_implementation("three-steps", Backend::Cuda,
                                                         {.connectedness = irfc_by_tiles,
                                                          .border = gpu::refine_border,
                                                          .cleaning = gpu::clean_labels,
                                                          .at_once = segment_at_once});
  implementation.why_not = [](const Inputs& inputs, const Values&) {
    return why_no_refine_border(inputs.image.geometry());
  };
  implementation.device_bytes = [](const Inputs& inputs, const Values& values) {
    const Geometry& geometry = inputs.image.geometry();
    return tiles_bytes(geometry, connectivity_of(values), !inputs.mask.empty()) +
           std::max(refine_border_bytes(geometry, inputs.image.type(), 2),
                    clean_labels_bytes(geometry, 2));
  };
  return implementation;
}

}  // namespace

void add_implementations(OperationTable& table) {
  DeviceList list = list_devices();
  table.set_devices(std::move(list.devices), std::move(list.why_none));
  table.add("afc", fuzzy_tiles_on_device(FuzzyOperation::Afc, rfc_by_tiles));
  table.add("rfc", fuzzy_tiles_on_device(FuzzyOperation::Rfc, rfc_by_tiles));
  table.add("irfc", fuzzy_tiles_on_device(FuzzyOperation::Irfc, irfc_by_tiles));
  table.add("afc", fuzzy_on_device(FuzzyOperation::Afc, "sweeps", rfc_by_sweeps, sweeps_bytes));
  table.add("rfc", fuzzy_on_device(FuzzyOperation::Rfc, "sweeps", rfc_by_sweeps, sweeps_bytes));
  table.add("irfc", fuzzy_on_device(FuzzyOperation::Irfc, "sweeps", irfc_by_sweeps, sweeps_bytes));
  table.add("rfc", fuzzy_on_device(FuzzyOperation::Rfc, "p-rfc", prfc_by_rounds, porfc_bytes));
  table.add("porfc",
            fuzzy_on_device(FuzzyOperation::Porfc, "rounds", porfc_by_rounds, porfc_bytes));
  for (const ReconstructionOperation operation : kReconstructionOperations) {
    const std::string id = id_of(operation);
    table.add(id, reconstruction_on_device(operation));
    table.add(id, paper_reconstruction(operation, "fh-gpu", reconstruct_by_waves,
                                       reconstruction_waves_bytes));
    table.add(
        id, paper_reconstruction(operation, "sr-gpu", reconstruct_by_line_scans, line_scans_bytes));
  }
  add_filters(table);
  table.add("refine-border", refine_border_on_device());
  table.add("clean-labels", clean_labels_on_device());
  table.add("segment", segment_on_device());
  table.add("watershed", watershed_on_device());
  table.add("distance", distance_on_device());
  table.add("distance", paper_distance());
  table.add("influence-zones", influence_zones_on_device());
  add_linear_openings(table, LineFilter::Opening);
  add_linear_openings(table, LineFilter::Closing);
  add_line_fans(table);
  add_tpcf(table);
  const TissueSolvers tissue{.sample = gpu::sample_features,
                             .nearest = by_worker(NearestClassSolver(seedwave::nearest_class),
                                                  NearestClassSolver(gpu::nearest_class))};
  table.add("tissue", on_windows_of_device(TpcfOnDevice::Box,
                                           tissue_implementation("box", Backend::Cuda, tissue)));
  table.add("look-alike",
            on_windows_of_device(TpcfOnDevice::Box,
                                 look_alike_implementation("box", Backend::Cuda, tissue)));
}

}  // namespace seedwave::gpu
