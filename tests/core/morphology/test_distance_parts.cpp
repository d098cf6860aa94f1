// SPDX-License-Identifier: Apache-2.0
// Distances and zones of which a device solves parts. The device here is a class that solves its
// parts by the definition, from no more than a device gets.
#include "core/base/error.h"
#include "core/morphology/distance.h"
#include "core/morphology/distance/kernel.h"
#include "core/morphology/distance/part_solver.h"
#include "tests/support/random_numbers.h"
#include "tests/support/ranks_in_process.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

using namespace seedwave;
using test::RandomNumbers;

namespace {

/// A square and the name of its source; without one infinite.
struct Source {
  double square = std::numeric_limits<double>::infinity();
  std::uint32_t name = 0;

  void take(const Source& other, double step) {
    const Source here{other.square + step, other.name};
    if (here.square < square || (here.square == square && here.name < name)) *this = here;
  }
};

/// A problem as a device knows it.
struct Known {
  Index3 size;
  DistanceScale scale;
  DistanceForm form = DistanceForm::Length;
  std::vector<std::uint8_t> objects;
  /// The offset or the label of each voxel.
  std::vector<std::uint32_t> names;
};

class DeviceByDefinition : public distance::PartSolver {
 public:
  /// `pieces`: the largest number of the least pieces at once. `fails_at`: the number of the part
  /// at which the device fails; -1: never. It is out of memory at an even one, and has a fault at
  /// an odd one.
  DeviceByDefinition(Known known, std::int64_t pieces, int fails_at = -1)
      : known_(std::move(known)), pieces_(pieces), fails_at_(fails_at) {}

  [[nodiscard]] int parts() const { return parts_; }
  [[nodiscard]] std::int64_t most_rows() const override {
    return pieces_ * distance::least_rows_of_piece(known_.size);
  }
  [[nodiscard]] std::int64_t most_rows_along_z() const override { return pieces_; }
  void solve_rows(const distance::RowsPiece& piece, const distance::Answer& to,
                  Context& context) override {
    for_rows(piece, [&](std::int64_t at, const Source& source) { write(source, at, to); });
    context.checkpoint(1.0);
  }
  void solve_rows(const distance::RowsPiece& piece, const distance::Planes& to,
                  Context& context) override {
    for_rows(piece, [&](std::int64_t at, const Source& source) { keep(source, at, to); });
    context.checkpoint(1.0);
  }
  void solve_along_z(const LayerRange& rows, const distance::Planes& from,
                     const distance::Answer& to, Context& context) override {
    count_part();
    context.checkpoint(1.0);
    const auto [nx, ny, nz] = known_.size;
    std::vector<Source> line(static_cast<std::size_t>(nz));
    for (std::int64_t i = rows.begin * nx; i < rows.end * nx; ++i) {
      for (std::int64_t z = 0; z < nz; ++z)
        line[z] = kept(i + z * nx * ny, from);
      for (std::int64_t z = 0; z < nz; ++z)
        write(nearest(line, z, known_.scale.weights[2]), i + z * nx * ny, to);
    }
  }

 private:
  void count_part() {
    if (parts_++ != fails_at_) return;
    if (fails_at_ % 2 == 0) throw UnavailableError("the device is full");
    throw DeviceFault("fell off the bus");
  }
  static Source nearest(const std::vector<Source>& line, std::int64_t at, double weight) {
    Source best;
    for (std::int64_t i = 0; i < std::ssize(line); ++i) {
      const auto apart = static_cast<double>(i - at);
      best.take(line[i], apart * apart * weight);
    }
    return best;
  }
  template <typename Body>
  void for_rows(const distance::RowsPiece& piece, Body&& body) {
    count_part();
    QVERIFY(piece.slices == 1 || piece.rows == known_.size[1]);
    QVERIFY(piece.rows * piece.slices <= std::max(most_rows(), known_.size[1]));
    for (std::int64_t row = 0; row < piece.rows * piece.slices; ++row) {
      if (!piece.wanted.holds(piece.first + row)) continue;
      const std::vector<Source> line = along_columns(piece, row);
      for (std::int64_t x = 0; x < known_.size[0]; ++x)
        body((piece.first + row) * known_.size[0] + x, nearest(line, x, known_.scale.weights[0]));
    }
  }
  [[nodiscard]] std::vector<Source> along_columns(const distance::RowsPiece& piece,
                                                  std::int64_t row) const {
    const std::int64_t nx = known_.size[0];
    const double weight = known_.scale.weights[1];
    std::vector<Source> line(static_cast<std::size_t>(nx));
    const std::int64_t y = row % piece.rows;
    for (std::int64_t x = 0; x < nx; ++x) {
      const auto take = [&](std::int64_t other, std::uint32_t name) {
        const auto apart = static_cast<double>(y - other);
        line[x].take({0.0, name}, apart * apart * weight);
      };
      for (std::int64_t other = 0; other < piece.rows; ++other) {
        const std::int64_t at = (piece.first + row - y + other) * nx + x;
        if (known_.objects[at] == 0) take(other, known_.names[at]);
      }
      const auto name_of = [&](const std::vector<std::uint32_t>& names) {
        return names.empty() ? 0 : names[x];
      };
      if (piece.above[x] != -distance::kNoRow) take(piece.above[x], name_of(piece.names_above));
      if (piece.below[x] != distance::kNoRow) take(piece.below[x], name_of(piece.names_below));
    }
    return line;
  }

  static bool is_none(const Source& source) { return std::isinf(source.square); }
  template <typename T>
  static void put(void* array, std::int64_t at, T value) {
    static_cast<T*>(array)[at] = value;
  }
  void keep(const Source& source, std::int64_t at, const distance::Planes& to) const {
    const bool none = is_none(source);
    switch (to.cell) {
      case distance::Planes::Cell::Whole:
        return put(to.first, at, none ? 1 << 30 : static_cast<std::int32_t>(source.square));
      case distance::Planes::Cell::Named:
        return put(to.first, at,
                   none ? std::int64_t{1} << 62
                        : static_cast<std::int64_t>(source.square) << 32 | source.name);
      case distance::Planes::Cell::Weighted:
        return put(to.first, at, source.square);
    }
  }
  template <typename T>
  static T get(const void* array, std::int64_t at) {
    return static_cast<const T*>(array)[at];
  }
  [[nodiscard]] Source kept(std::int64_t at, const distance::Planes& from) const {
    switch (from.cell) {
      case distance::Planes::Cell::Whole: {
        const auto cell = get<std::int32_t>(from.first, at);
        return cell < 1 << 30 ? Source{static_cast<double>(cell), 0} : Source{};
      }
      case distance::Planes::Cell::Named: {
        const auto cell = get<std::int64_t>(from.first, at);
        return cell < std::int64_t{1} << 62
                   ? Source{static_cast<double>(cell >> 32), static_cast<std::uint32_t>(cell)}
                   : Source{};
      }
      case distance::Planes::Cell::Weighted:
        break;
    }
    return {get<double>(from.first, at), 0};
  }
  void write(const Source& source, std::int64_t at, const distance::Answer& to) const {
    const bool none = is_none(source);
    const double unit = known_.scale.unit;
    if (to.wholes != nullptr) to.wholes[at] = none ? -1 : static_cast<std::int32_t>(source.square);
    if (to.reals != nullptr) {
      to.reals[at] =
          static_cast<float>(known_.form == DistanceForm::Length ? unit * std::sqrt(source.square)
                                                                 : unit * unit * source.square);
    }
    if (to.nearest != nullptr) to.nearest[at] = none ? -1 : static_cast<std::int32_t>(source.name);
    if (to.labels != nullptr) put(to.labels, at, static_cast<std::uint16_t>(source.name));
  }

  Known known_;
  std::int64_t pieces_;
  int fails_at_;
  std::atomic<int> parts_ = 0;
};

/// Returns a size of at most 2500 cells, or that of a volume whose slices have several bands. Some
/// columns of images have several bands.
Index3 random_size(RandomNumbers& random) {
  if (random.below(16) == 0) return {1, 4200, 2};
  constexpr std::array<std::int64_t, 11> kSides{1, 2, 3, 5, 8, 33, 64, 65, 129, 200, 300};
  for (;;) {
    const Index3 size{random.of(kSides), random.of(kSides), random.of(kSides)};
    if (size[0] * size[1] * size[2] <= 2500) return size;
  }
}

/// Returns a problem that min-plus divides.
DistanceProblem random_problem(RandomNumbers& random) {
  const Index3 size = random_size(random);
  const std::int64_t one_in = random.of(std::array{2, 10, 100, 1000});
  std::vector<std::uint8_t> objects(static_cast<std::size_t>(size[0] * size[1] * size[2]));
  for (std::uint8_t& object : objects)
    object = random.below(one_in) == 0 ? 0 : 1;
  DistanceProblem problem;
  problem.objects = Volume(Geometry{.size = size}, std::move(objects));
  problem.form = random.of(
      std::array{DistanceForm::Length, DistanceForm::Square, DistanceForm::SquareInVoxels});
  if (problem.form != DistanceForm::SquareInVoxels && random.below(3) == 0) {
    problem.scale = spacing_scale(size, {0.3, 0.1, 0.2});
  } else if (random.below(2) == 0) {
    problem.nearest = NearestCells::Find;
  }
  return problem;
}

Known known(const DistanceProblem& problem) {
  const auto objects = problem.objects.voxels<std::uint8_t>();
  Known known{.size = problem.objects.geometry().size,
              .scale = problem.scale,
              .form = problem.form,
              .objects = {objects.begin(), objects.end()},
              .names = {}};
  for (std::size_t i = 0; i < objects.size(); ++i)
    known.names.push_back(static_cast<std::uint32_t>(i));
  return known;
}

bool same_bytes(const Volume& a, const Volume& b) {
  return a.empty() == b.empty() && (a.empty() || std::ranges::equal(a.bytes(), b.bytes()));
}
bool same_bits(const DistanceMap& a, const DistanceMap& b) {
  return same_bytes(a.distance, b.distance) && same_bytes(a.nearest, b.nearest);
}

constexpr Worker kDevice{.device = 0};
constexpr Worker kGroup{.device = kCpu, .threads = 2};

/// Nobody; a device alone is the context's.
std::vector<std::vector<Worker>> crews() {
  return {{}, {kDevice, kDevice}, {kDevice, kGroup}, {kGroup, kDevice, kGroup}};
}

}  // namespace

class TestDistanceParts : public QObject {
  Q_OBJECT
 private slots:
  void give_the_bits_of_the_cpu();
  void are_shared_by_processes();
  void give_the_zones_of_the_cpu();
  void are_taken_over_if_the_device_fails();
  void report_progress_that_never_decreases();
  void are_divided_as_min_plus_says();
};

void TestDistanceParts::give_the_bits_of_the_cpu() {
  int solved = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    RandomNumbers random(number);
    const DistanceProblem problem = random_problem(random);
    Context alone({.threads = 1});
    const DistanceMap expected = distance_by_min_plus(problem, alone);
    for (const std::vector<Worker>& workers : crews()) {
      DeviceByDefinition device(known(problem), 1 + random.below(5));
      Context context({.threads = 2, .workers = workers, .layers = random.below(4)});
      const DistanceMap got = distance_by_min_plus(problem, device, context);
      QVERIFY2(same_bits(got, expected),
               qPrintable(QString("case %1, %2 workers").arg(number).arg(workers.size())));
      solved += device.parts();
      QVERIFY(!workers.empty() || device.parts() > 0);
    }
  }
  QVERIFY(solved > 2000);
}

void TestDistanceParts::are_shared_by_processes() {
  for (std::uint64_t number = 0; number < 100; ++number) {
    RandomNumbers random(number);
    const DistanceProblem problem = random_problem(random);
    Context alone({.threads = 1});
    const DistanceMap expected = distance_by_min_plus(problem, alone);
    const auto count = random.of(std::array{2, 3, 7});
    DeviceByDefinition device(known(problem), 1 + random.below(5));
    test::RanksInProcess all(count, std::chrono::microseconds(20), number);
    const auto without_device = random.below(2 * count);  // nobody, if it is not a rank
    bool equal = false;
    all.run([&](const std::shared_ptr<Ranks>& ranks) {
      Context context({.threads = 1,
                       .workers = crews()[static_cast<std::size_t>(ranks->rank()) % crews().size()],
                       .ranks = ranks});
      const DistanceMap got = ranks->rank() == without_device
                                  ? distance_by_min_plus(problem, context)
                                  : distance_by_min_plus(problem, device, context);
      if (ranks->rank() == 0) equal = same_bits(got, expected);
    });
    QVERIFY2(equal, qPrintable(QString("case %1, %2 ranks").arg(number).arg(count)));
  }
}

void TestDistanceParts::give_the_zones_of_the_cpu() {
  for (std::uint64_t number = 0; number < 100; ++number) {
    RandomNumbers random(number);
    const Index3 size = random_size(random);
    const std::int64_t one_in = random.of(std::array{2, 10, 100, 1000});
    std::vector<std::uint16_t> labels(static_cast<std::size_t>(size[0] * size[1] * size[2]));
    Known of_labels{.size = size, .scale = voxel_scale(), .objects = {}, .names = {}};
    for (std::uint16_t& label : labels) {
      if (random.below(one_in) == 0) label = static_cast<std::uint16_t>(1 + random.below(9));
      of_labels.objects.push_back(label == 0 ? 1 : 0);
      of_labels.names.push_back(label);
    }
    const InfluenceZonesProblem problem{.labels = LabelMap(Geometry{.size = size}, labels),
                                        .scale = voxel_scale()};
    Context alone({.threads = 1});
    const LabelMap expected = influence_zones_by_min_plus(problem, alone);
    for (const std::vector<Worker>& workers : crews()) {
      DeviceByDefinition device(of_labels, 1 + random.below(5));
      Context context({.threads = 2, .workers = workers});
      const LabelMap got = influence_zones_by_min_plus(problem, device, context);
      QVERIFY2(std::ranges::equal(got.labels().as<std::uint16_t>(),
                                  expected.labels().as<std::uint16_t>()),
               qPrintable(QString("case %1, %2 workers").arg(number).arg(workers.size())));
    }
  }
}

/// At each of its parts.
void TestDistanceParts::are_taken_over_if_the_device_fails() {
  int full = 0;
  int faults = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    RandomNumbers random(number);
    const DistanceProblem problem = random_problem(random);
    Context alone({.threads = 1});
    const DistanceMap expected = distance_by_min_plus(problem, alone);
    for (int part = 0; part < 6; ++part) {
      DeviceByDefinition device(known(problem), 1, part);
      Context context({.workers = {kGroup, kDevice}});
      QVERIFY2(same_bits(distance_by_min_plus(problem, device, context), expected),
               qPrintable(QString("case %1, part %2").arg(number).arg(part)));
      const std::string failure = context.work_done()[1].failure;
      if (!failure.empty()) QCOMPARE(device.parts(), part + 1);  // nor is it asked in a later pass
      full += failure == "the device is full" ? 1 : 0;
      faults += failure == "fell off the bus" ? 1 : 0;
    }
  }
  QVERIFY(full > 10);
  QVERIFY(faults > 10);
}

void TestDistanceParts::report_progress_that_never_decreases() {
  for (std::uint64_t number = 0; number < 60; ++number) {
    RandomNumbers random(number);
    const DistanceProblem problem = random_problem(random);
    for (const std::vector<Worker>& workers : crews()) {
      DeviceByDefinition device(known(problem), 1);
      std::mutex mutex;
      std::vector<double> reported;
      Context context({.progress =
                           [&](const std::string&, double fraction) {
                             const std::lock_guard lock(mutex);
                             reported.push_back(fraction);
                           },
                       .threads = 2,
                       .workers = workers});
      static_cast<void>(distance_by_min_plus(problem, device, context));
      QVERIFY2(std::ranges::is_sorted(reported), qPrintable(QString("case %1").arg(number)));
      QVERIFY(!reported.empty() && reported.back() <= 1.0);
      if (workers.empty()) QCOMPARE(reported.back(), 1.0);
    }
  }
}

void TestDistanceParts::are_divided_as_min_plus_says() {
  const Geometry image{.size = {4096, 4096, 1}};
  const DistanceScale unequal = spacing_scale(image.size, {0.3, 0.1, 0.2});
  QVERIFY(is_divided_by_min_plus(image, voxel_scale(), NearestCells::Find));
  QVERIFY(is_divided_by_min_plus(image, unequal, NearestCells::Skip));
  QVERIFY(!is_divided_by_min_plus(image, unequal, NearestCells::Find));
}

QTEST_GUILESS_MAIN(TestDistanceParts)
#include "test_distance_parts.moc"
