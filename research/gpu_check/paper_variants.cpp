// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/paper_variants.h"

#include "core/ops/morphology.h"
#include "research/bench/mazes.h"
#include "tests/support/random_numbers.h"

#include <string>
#include <utility>

namespace seedwave::gpu_check {
namespace {

using gpu::QueueDesign;
using gpu::WaveSettings;

constexpr int kFewBlocks = 3;
/// Room of three blocks together: much too small for the largest image, which still takes only a
/// few runs.
constexpr std::int64_t kSmallRoom = 600;
constexpr std::int64_t kMazeSide = 67;
constexpr std::int64_t kLargeSide = 515;

struct Variant {
  const char* algorithm;
  WaveSettings settings;
};

std::vector<Variant> variants() {
  std::vector<Variant> all{
      {"fh-gpu, naive", {.queue = {.design = QueueDesign::Naive}}},
      {"fh-gpu, prefix-sum", {.queue = {.design = QueueDesign::PrefixSum}}},
      {"fh-gpu, no scans", {.scans = 0}},
      {"fh-gpu, one block", {.scans = 0, .queue = {.room = 1 << 20, .blocks = 1}}},
      {"fh-gpu, prefix-sum, one block",
       {.scans = 0, .queue = {.design = QueueDesign::PrefixSum, .room = 1 << 20, .blocks = 1}}}};
  return all;
}

std::vector<Variant> small_variants() {
  const auto small = [](QueueDesign design) {
    return WaveSettings{.scans = 0,
                        .queue = {.design = design, .room = kSmallRoom, .blocks = kFewBlocks}};
  };
  return {{"fh-gpu, small queue", small(QueueDesign::PerThread)},
          {"fh-gpu, naive, small queue", small(QueueDesign::Naive)},
          {"fh-gpu, prefix-sum, small queue", small(QueueDesign::PrefixSum)}};
}

/// Returns a voxel value from a byte. It increases with the byte, and is negative for signed types
/// if the byte is.
template <typename Voxel>
Voxel voxel_from(std::uint8_t byte) {
  if constexpr (std::is_same_v<Voxel, std::uint8_t>) return byte;
  if constexpr (std::is_same_v<Voxel, std::uint16_t>) return static_cast<Voxel>(257 * byte);
  return static_cast<Voxel>(static_cast<Voxel>(byte) * static_cast<Voxel>(100) -
                            static_cast<Voxel>(12000));
}
template <typename Voxel>
Volume volume_as(const Volume& bytes) {
  std::vector<Voxel> voxels;
  voxels.reserve(static_cast<std::size_t>(bytes.value_count()));
  for (const std::uint8_t byte : bytes.voxels<std::uint8_t>())
    voxels.push_back(voxel_from<Voxel>(byte));
  return Volume(bytes.geometry(), std::move(voxels));
}

/// Adds one scene in every type, with both neighbourhoods, for dilation and erosion.
void add_scene(const std::string& name, const Volume& image, const Volume& marker,
               std::vector<CheckCase>& cases) {
  const auto add = [&](const Volume& typed_image, const Volume& typed_marker) {
    for (const char* connectivity : {"4", "8"}) {
      CheckCase c;
      c.operation = "reconstruct";
      c.name = name + ", " + std::string(name_of(typed_image.type())) + ", " + connectivity +
               "-connected";
      c.inputs.image = typed_image;
      c.inputs.marker = typed_marker;
      c.values.set("connectivity", connectivity);
      cases.push_back(c);
      c.name += ", by erosion";
      c.inputs.image = typed_marker;
      c.inputs.marker = typed_image;
      c.values.set("direction", "erosion");
      cases.push_back(std::move(c));
    }
  };
  add(image, marker);
  add(volume_as<std::uint16_t>(image), volume_as<std::uint16_t>(marker));
  add(volume_as<std::int16_t>(image), volume_as<std::int16_t>(marker));
  add(volume_as<std::int32_t>(image), volume_as<std::int32_t>(marker));
  add(volume_as<float>(image), volume_as<float>(marker));
}

Volume made(const Index3& size, const std::function<int(std::int64_t)>& value) {
  Geometry geometry;
  geometry.size = size;
  geometry.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < voxels.size(); ++i)
    voxels[i] = static_cast<std::uint8_t>(value(static_cast<std::int64_t>(i)));
  return Volume(geometry, std::move(voxels));
}

/// Noise from 100 on, with a marker below it in all but one pixel of 97.
void add_noise(const Index3& size, std::vector<CheckCase>& cases) {
  test::RandomNumbers random(static_cast<std::uint64_t>(size[0] * 1000 + size[1]));
  const Volume image =
      made(size, [&](std::int64_t) { return static_cast<int>(100 + random.below(156)); });
  const auto grey = image.voxels<std::uint8_t>();
  const Volume marker = made(size, [&](std::int64_t i) {
    return random.below(97) == 0 ? grey[static_cast<std::size_t>(i)] : 0;
  });
  add_scene("noise " + std::to_string(size[0]) + "x" + std::to_string(size[1]), image, marker,
            cases);
}

}  // namespace

Implementation waves_implementation(std::string algorithm, const WaveSettings& settings,
                                    std::function<void(const gpu::WaveRun&)> seen) {
  Implementation made = reconstruction_implementation(
      ReconstructionOperation::Reconstruct, std::move(algorithm), Backend::Cuda,
      [settings, seen = std::move(seen)](const ReconstructionProblem& problem, Context& context) {
        gpu::WaveRun run = run_reconstruction_waves(problem, settings, context);
        seen(run);
        return std::move(run.reconstruction);
      });
  made.why_not = [](const Inputs& inputs, const Values&) {
    return gpu::why_no_paper_reconstruction(inputs.image.geometry());
  };
  return made;
}

void PaperVariants::add_to(OperationTable& table) {
  const std::string id = id_of(ReconstructionOperation::Reconstruct);
  for (const Variant& variant : variants()) {
    table.add(
        id, waves_implementation(variant.algorithm, variant.settings, [](const gpu::WaveRun&) {}));
  }
  for (const Variant& variant : small_variants()) {
    auto count = std::make_shared<Count>(Count{.algorithm = variant.algorithm});
    small_queues_.push_back(count);
    table.add(id, waves_implementation(
                      variant.algorithm, variant.settings, [count](const gpu::WaveRun& run) {
                        ++count->runs;
                        // The result must carry a note of the drops.
                        count->too_small += run.reconstruction.notes.empty() ? 0 : 1;
                      }));
  }
}

void PaperVariants::add_to(Report& report) const {
  for (const auto& count : small_queues_) {
    report.rows.push_back({{"operation", "reconstruct"},
                           {"algorithm", count->algorithm},
                           {"inputs", "... in which cells were dropped"},
                           {"cases", count->too_small},
                           {"different", 0}});
    if (count->runs > 0 && count->too_small == 0) {
      report.failures.push_back(count->algorithm + ": its queue was never too small");
    }
  }
}

std::vector<CheckCase> picture_cases() {
  std::vector<CheckCase> cases;
  const auto add_maze = [&](const char* name, const Volume& image) {
    add_scene(name, image, bench::corner_marker(image), cases);
  };
  add_maze("snake", bench::snake(kMazeSide));
  add_maze("spiral", bench::spiral(kMazeSide));
  add_maze("grey maze", bench::maze(kMazeSide, bench::Corridors::Grey));
  const Index3 size{65, 33, 1};
  const auto constant = [&](int value) { return made(size, [=](std::int64_t) { return value; }); };
  add_scene("constant", constant(7), constant(7), cases);
  add_scene("constant, one pixel marked", constant(255),
            made(size, [](std::int64_t i) { return i == 1000 ? 255 : 0; }), cases);
  for (const Index3& narrow :
       {Index3{1, 1, 1}, Index3{1, 300, 1}, Index3{300, 1, 1}, Index3{2, 97, 1}, Index3{33, 65, 1},
        Index3{31, 257, 1}, Index3{kLargeSide, kLargeSide, 1}}) {
    add_noise(narrow, cases);
  }
  return cases;
}

}  // namespace seedwave::gpu_check
