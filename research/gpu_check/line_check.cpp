// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/memory.h"
#include "gpu/morphology/line_fan.h"
#include "gpu/morphology/linear_opening.h"
#include "gpu/morphology/papers/linear_opening.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/line_bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

/// Maximum length for which tiles are one of the methods.
constexpr std::int64_t kLongestInTiles = 300;

/// Maximum voxels of an image that is filtered in many directions.
constexpr std::int64_t kLargestFan = 70000;

using Random = std::mt19937_64;

std::int64_t below(Random& random, std::int64_t end) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
}

/// Returns any value of the type occasionally, otherwise one of a few.
template <typename Voxel>
Voxel random_voxel(Random& random, bool few) {
  if (few) return static_cast<Voxel>(below(random, 5));
  if constexpr (std::is_same_v<Voxel, float>) {
    constexpr std::array kSpecial{-0.0F,
                                  0.0F,
                                  -1.5F,
                                  std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::lowest()};
    if (below(random, 6) == 0) return kSpecial[static_cast<std::size_t>(below(random, 6))];
    return static_cast<float>(below(random, 20001) - 10000) / 7.0F;
  } else {
    return static_cast<Voxel>(random());
  }
}

template <typename Voxel>
Volume random_image(Random& random, const Index3& size) {
  const Geometry geometry{.size = size};
  const bool few = below(random, 2) == 0;
  std::vector<Voxel> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (Voxel& voxel : voxels)
    voxel = random_voxel<Voxel>(random, few);
  return Volume(geometry, std::move(voxels));
}

Volume random_image(Random& random, const Index3& size, VoxelType type) {
  switch (type) {
    case VoxelType::U8:
      return random_image<std::uint8_t>(random, size);
    case VoxelType::I16:
      return random_image<std::int16_t>(random, size);
    case VoxelType::U16:
      return random_image<std::uint16_t>(random, size);
    case VoxelType::I32:
      return random_image<std::int32_t>(random, size);
    default:
      break;
  }
  return random_image<float>(random, size);
}

std::int64_t random_side(Random& random, bool picture) {
  constexpr std::array kPicture{1, 2, 3, 5, 7, 16, 17, 31, 33, 63, 65, 130, 257};
  constexpr std::array kVolume{1, 2, 3, 4, 7, 9, 17, 20, 33};
  if (picture) {
    return below(random, 40) == 0 ? 500 + below(random, 700)
                                  : kPicture[static_cast<std::size_t>(below(random, 13))];
  }
  return kVolume[static_cast<std::size_t>(below(random, 9))];
}

std::int64_t random_length(Random& random, std::int64_t longest_side) {
  switch (below(random, 4)) {
    case 0:
      return 1 + below(random, 9);
    case 1:
      return 8 * (1 + below(random, 6)) + below(random, 3) - 1;
    case 2:
      return 1 + below(random, 2 * longest_side + 5);
    default:
      return 1 + below(random, std::max<std::int64_t>(1, longest_side / 2));
  }
}

struct NamedSolver {
  const char* name;
  std::int64_t longest;
  LinearOpeningSolver solver;
};

LinearOpeningSolver by_way(gpu::LineWay way) {
  return [way](const LinearOpeningProblem& problem, Context& context) {
    return gpu::linear_opening_by_tiles(problem, {.way = way}, context);
  };
}

/// Returns a solver in slabs, with a memory limit at `share` between that of the thinnest slabs and
/// that of the whole.
LinearOpeningSolver in_slabs(double share) {
  return [share](const LinearOpeningProblem& problem, Context& context) {
    const std::int64_t least = gpu::least_linear_opening_bytes(problem);
    const std::int64_t whole = std::max(least, gpu::linear_opening_bytes(problem));
    Context::Settings settings = settings_of_device(context.device());
    settings.memory = least + static_cast<std::int64_t>(share * static_cast<double>(whole - least));
    Context small(settings);
    return gpu::linear_opening_by_tiles(problem, small);
  };
}

using LineScanSolver = Volume (*)(const LinearOpeningProblem&, const gpu::LineScanSettings&,
                                  Context&);
LinearOpeningSolver by_scans(LineScanSolver solver, gpu::LineScanForm form, int zones) {
  return [=](const LinearOpeningProblem& problem, Context& context) {
    return solver(problem, {.form = form, .zones = zones}, context);
  };
}

std::vector<NamedSolver> solvers() {
  constexpr auto kAny = std::numeric_limits<std::int64_t>::max();
  using gpu::LineScanForm;
  return {
      {"bartovsky", kAny, by_scans(gpu::linear_opening_by_queues, LineScanForm::Optimised, 0)},
      {"bartovsky, 3 zones", kAny,
       by_scans(gpu::linear_opening_by_queues, LineScanForm::Optimised, 3)},
      {"bartovsky, basic", kAny, by_scans(gpu::linear_opening_by_queues, LineScanForm::Basic, 0)},
      {"morard", kAny, by_scans(gpu::linear_opening_by_stacks, LineScanForm::Optimised, 0)},
      {"morard, 3 zones", kAny,
       by_scans(gpu::linear_opening_by_stacks, LineScanForm::Optimised, 3)},
      {"morard, basic", kAny, by_scans(gpu::linear_opening_by_stacks, LineScanForm::Basic, 0)},
      {"tiles, in tiles", kLongestInTiles, by_way(gpu::LineWay::Tiles)},
      {"tiles, in passes", kAny, by_way(gpu::LineWay::Long)},
      {"tiles, thinnest slabs", kAny, in_slabs(0.0)},
      {"tiles, thicker slabs", kAny, in_slabs(0.4)},
      {"tiles", kAny, by_way(gpu::LineWay::Best)}};
}

bool is_paper(const NamedSolver& solver) {
  return !std::string(solver.name).starts_with("tiles");
}

std::string first_difference(const Volume& expected, const Volume& got) {
  for (std::int64_t z = 0; z < expected.geometry().size[2]; ++z) {
    for (std::int64_t y = 0; y < expected.geometry().size[1]; ++y) {
      for (std::int64_t x = 0; x < expected.geometry().size[0]; ++x) {
        const double a = expected.value_at({x, y, z});
        const double b = got.value_at({x, y, z});
        if (a == b) continue;
        std::ostringstream text;
        text << b << " for " << a << " at " << x << ", " << y << ", " << z;
        return text.str();
      }
    }
  }
  return "the bits of a zero, directions or sums";
}

/// The strongest openings and the sums, one by one, by core.
struct FanAnswer {
  Volume strongest;
  std::vector<std::uint16_t> first;
  std::vector<double> sums;
};
FanAnswer answer_of(const LineFanProblem& fan, Context& context) {
  FanAnswer answer;
  for (std::size_t k = 0; k < fan.directions.size(); ++k) {
    const Volume opened = linear_opening_by(
        LineAlgorithm::Hgw, one_direction(fan, static_cast<std::int64_t>(k)), context);
    visit_voxels(opened, [&](auto voxels) {
      using Voxel = typename decltype(voxels)::value_type;
      std::vector<Voxel> best(voxels.begin(), voxels.end());
      if (k > 0) {
        const auto before = answer.strongest.voxels<Voxel>();
        for (std::size_t i = 0; i < best.size(); ++i) {
          const bool stronger =
              fan.filter == LineFilter::Opening ? best[i] > before[i] : best[i] < before[i];
          if (stronger) answer.first[i] = static_cast<std::uint16_t>(k);
          if (!stronger) best[i] = before[i];
        }
      } else {
        answer.first.assign(best.size(), 0);
      }
      std::int64_t sum = 0;
      if constexpr (!std::is_same_v<Voxel, float>) {
        for (const Voxel voxel : voxels)
          sum += voxel;
      }
      answer.sums.push_back(static_cast<double>(sum));
      answer.strongest = Volume(opened.geometry(), std::move(best));
    });
  }
  return answer;
}

/// Returns directions for a random case's image: one, some, or more than a byte can number.
LineFanProblem random_fan(const LineCase& c, std::uint64_t number) {
  Random random(number * 104729 + 5);
  const Index3& size = c.problem.image.geometry().size;
  LineFanProblem fan{c.problem.image, {}, c.problem.border, c.problem.filter};
  const bool small = c.problem.image.geometry().voxel_count() < 300;
  const std::int64_t count =
      small && below(random, 4) == 0 ? 257 + below(random, 100) : 1 + below(random, 12);
  const std::int64_t lengths = 1 + below(random, 3);
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t length = std::max<std::int64_t>(1, c.problem.length - k % lengths);
    if (size[2] == 1) {
      const double degrees = 180.0 * static_cast<double>(k) / static_cast<double>(count);
      fan.directions.push_back({LineFamily::at_angle(degrees, size), length});
    } else {
      const Vec3 direction{static_cast<double>(below(random, 7) - 3),
                           static_cast<double>(below(random, 7) - 3),
                           4.0 - 1.1 * static_cast<double>(below(random, 8))};
      fan.directions.push_back({LineFamily::along(direction, size), length});
    }
  }
  return fan;
}

/// Compares results with memory for only the thinnest slabs.
bool same_in_slabs(const LineFanProblem& fan, const OrientationMap& whole,
                   const std::vector<double>& sums, Context& context) {
  Context::Settings settings = settings_of_device(context.device());
  settings.memory = gpu::least_line_fan_bytes(fan);
  Context small(settings);
  gpu::poison_pool(context.device(), kPoisonBytes);
  const OrientationMap map = gpu::orientation_by_tiles(fan, small);
  const std::vector<double> again = gpu::angular_spectrum_by_tiles(fan, small);
  return std::ranges::equal(whole.strongest.bytes(), map.strongest.bytes()) &&
         std::ranges::equal(whole.first.bytes(), map.first.bytes()) &&
         std::ranges::equal(std::as_bytes(std::span(sums)), std::as_bytes(std::span(again)));
}

/// Compares the paper's sums of all directions at once, in both forms; true if it does not support
/// the type.
bool paper_agrees(const LineFanProblem& fan, const std::vector<double>& sums, Context& context) {
  if (fan.image.type() == VoxelType::F32) return true;
  for (std::int64_t k = 0; k < std::ssize(fan.directions); ++k) {
    if (!gpu::why_no_line_scans(one_direction(fan, k)).empty()) return true;
  }
  return std::ranges::all_of(std::array{gpu::LineScanForm::Basic, gpu::LineScanForm::Optimised},
                             [&](gpu::LineScanForm form) {
                               gpu::poison_pool(context.device(), kPoisonBytes);
                               return gpu::angular_spectrum_by_queues(fan, {.form = form},
                                                                      context) == sums;
                             });
}

void compare_fan(const LineCase& c, std::uint64_t number, Context& on_cpu, Context& on_device,
                 std::int64_t& different, Report& report) {
  const LineFanProblem fan = random_fan(c, number);
  const FanAnswer expected = answer_of(fan, on_cpu);
  gpu::poison_pool(on_device.device(), kPoisonBytes);
  const OrientationMap got = gpu::orientation_by_tiles(fan, on_device);
  bool equal = std::ranges::equal(expected.strongest.bytes(), got.strongest.bytes()) &&
               std::ranges::equal(expected.first, got.first.voxels<std::uint16_t>());
  // Compared as bits: the sum of infinities of both signs is NaN.
  const std::vector<double> sums =
      fan.image.type() == VoxelType::F32 ? angular_spectrum(fan, on_cpu) : expected.sums;
  const std::vector<double> got_sums = gpu::angular_spectrum_by_tiles(fan, on_device);
  equal = equal &&
          std::ranges::equal(std::as_bytes(std::span(sums)), std::as_bytes(std::span(got_sums)));
  equal = equal && same_in_slabs(fan, got, got_sums, on_device);
  equal = equal && paper_agrees(fan, sums, on_device);
  if (equal) return;
  ++different;
  if (report.failures.size() < kMostFailures) {
    report.failures.push_back("many directions, " + std::to_string(fan.directions.size()) + ", " +
                              c.name + ": " + first_difference(expected.strongest, got.strongest));
  }
}

}  // namespace

LineCase random_line_case(std::uint64_t number) {
  Random random(number * 7919 + 17);
  const bool picture = below(random, 4) != 0;
  const Index3 size{random_side(random, picture), random_side(random, picture),
                    picture ? 1 : random_side(random, false)};
  const auto type = static_cast<VoxelType>(below(random, 5));
  Volume image = random_image(random, size, type);
  std::ostringstream name;
  name << number << ": " << size[0] << "x" << size[1] << "x" << size[2] << ", " << name_of(type);
  const auto lines = [&] {
    if (picture && below(random, 8) != 0) {
      const double degrees = below(random, 3) == 0
                                 ? 45.0 * static_cast<double>(below(random, 4))
                                 : static_cast<double>(below(random, 18000)) / 100.0;
      name << ", " << degrees << " degrees";
      return LineFamily::at_angle(degrees, size);
    }
    Vec3 direction{};
    while (direction == Vec3{}) {
      for (double& component : direction)
        component = static_cast<double>(below(random, 9) - 4);
    }
    name << ", along " << direction[0] << " " << direction[1] << " " << direction[2];
    return LineFamily::along(direction, size);
  }();
  const std::int64_t length = random_length(random, std::max({size[0], size[1], size[2]}));
  const auto border = static_cast<LineBorder>(below(random, 3));
  const auto filter = static_cast<LineFilter>(below(random, 2));
  name << ", length " << length << ", border " << static_cast<int>(border) << ", filter "
       << static_cast<int>(filter);
  return {name.str(), {std::move(image), lines, length, border, filter}};
}

Report check_lines(const LineOptions& options) {
  Report report;
  const std::vector<NamedSolver> all = solvers();
  std::vector<std::int64_t> cases(all.size());
  std::vector<std::int64_t> different(all.size());
  std::int64_t fans = 0;
  std::int64_t different_fans = 0;
  Context on_cpu;
  Context on_device(settings_of_device(options.device));
  for (int k = 0; k < options.random_cases; ++k) {
    const LineCase c = random_line_case(options.first_case + static_cast<std::uint64_t>(k));
    if (c.problem.image.geometry().voxel_count() <= kLargestFan) {
      ++fans;
      compare_fan(c, options.first_case + static_cast<std::uint64_t>(k), on_cpu, on_device,
                  different_fans, report);
    }
    const Volume expected = linear_opening_by(LineAlgorithm::Hgw, c.problem, on_cpu);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (c.problem.length > all[i].longest) continue;
      if (is_paper(all[i]) && !gpu::why_no_line_scans(c.problem).empty()) continue;
      gpu::poison_pool(options.device, kPoisonBytes);
      const Volume got = all[i].solver(c.problem, on_device);
      const Volume again = all[i].solver(c.problem, on_device);
      ++cases[i];
      if (std::ranges::equal(expected.bytes(), got.bytes()) &&
          std::ranges::equal(expected.bytes(), again.bytes())) {
        continue;
      }
      ++different[i];
      if (report.failures.size() < kMostFailures) {
        report.failures.push_back(std::string(all[i].name) + ", " + c.name + ": " +
                                  first_difference(expected, got));
      }
    }
  }
  report.rows.push_back(
      {{"algorithm", "many directions"}, {"cases", fans}, {"different", different_fans}});
  for (std::size_t i = 0; i < all.size(); ++i) {
    report.rows.push_back(
        {{"algorithm", all[i].name}, {"cases", cases[i]}, {"different", different[i]}});
  }
  return report;
}

}  // namespace seedwave::gpu_check
