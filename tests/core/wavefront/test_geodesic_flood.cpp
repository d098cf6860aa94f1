// SPDX-License-Identifier: Apache-2.0
// Cells that rise under limits, one by one: alone, and after tiles hand over to the flood.
#include "core/base/error.h"
#include "core/wavefront/geodesic/geodesic_flood.h"
#include "core/wavefront/geodesic/geodesic_tiles.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

using namespace seedwave;

namespace {

/// Limits, and cells within them, x fastest.
template <typename Cell>
struct Scene {
  Index3 size{};
  Connectivity connectivity = Connectivity::C4;
  std::vector<Cell> cells;
  std::vector<Cell> limits;
};

/// Returns the fixpoint by definition: one step at a time, until nothing rises.
template <typename Cell>
std::vector<Cell> risen(const Scene<Cell>& scene) {
  Geometry grid;
  grid.size = scene.size;
  const std::vector<NeighbourStep> steps = neighbour_steps(scene.connectivity);
  std::vector<Cell> cells = scene.cells;
  std::vector<std::int64_t> waiting;
  for (std::int64_t i = 0; i < grid.voxel_count(); ++i)
    waiting.push_back(i);
  while (!waiting.empty()) {
    const std::int64_t from = waiting.back();
    waiting.pop_back();
    const Index3 at = grid.index_of(from);
    for (const NeighbourStep& step : steps) {
      const Index3 there{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
      if (!grid.contains(there)) continue;
      const std::int64_t to = grid.offset(there);
      const Cell offer = std::min(cells[from], scene.limits[to]);
      if (offer <= cells[to]) continue;
      cells[to] = offer;
      waiting.push_back(to);
    }
  }
  return cells;
}

template <typename Cell>
Scene<Cell> random_scene(std::uint64_t number, Connectivity connectivity) {
  test::RandomNumbers random(number);
  const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
  Scene<Cell> scene;
  scene.connectivity = connectivity;
  scene.size = {1 + random.below(36), 1 + random.below(36), planar ? 1 : 1 + random.below(11)};
  const std::int64_t levels = random.of(std::array<std::int64_t, 3>{2, 9, 200});
  const std::int64_t count = scene.size[0] * scene.size[1] * scene.size[2];
  for (std::int64_t i = 0; i < count; ++i) {
    const auto limit = static_cast<Cell>(random.below(levels));
    scene.limits.push_back(limit);
    const bool seed = random.below(30) == 0;
    scene.cells.push_back(seed ? limit : std::numeric_limits<Cell>::lowest());
  }
  return scene;
}

/// Runs the flood alone, on small tiles; the last ones extend beyond the grid.
template <typename Cell>
std::vector<Cell> flooded(const Scene<Cell>& scene) {
  const bool planar =
      scene.connectivity == Connectivity::C4 || scene.connectivity == Connectivity::C8;
  const TileGrid grid(scene.size, 16, planar ? 1 : 8);
  const std::int64_t tile_cells = std::int64_t{16} * 16 * grid.depth();
  std::vector<Cell> cells(static_cast<std::size_t>(grid.tile_count() * tile_cells),
                          std::numeric_limits<Cell>::lowest());
  std::vector<Cell> limits = cells;
  const auto place = [&](std::size_t i) {
    const TileGrid::Place at = grid.locate(static_cast<std::int64_t>(i));
    return static_cast<std::size_t>(at.tile * tile_cells + at.cell);
  };
  for (std::size_t i = 0; i < scene.cells.size(); ++i) {
    cells[place(i)] = scene.cells[i];
    limits[place(i)] = scene.limits[i];
  }
  GeodesicFlood<Cell> flood(grid, scene.connectivity, cells.data(), limits.data());
  for (std::int64_t tile = 0; tile < grid.tile_count(); ++tile)
    flood.start_from(tile, GeodesicFlood<Cell>::From::Everywhere);
  Context context;
  flood.run(context);
  std::vector<Cell> result;
  for (std::size_t i = 0; i < scene.cells.size(); ++i)
    result.push_back(cells[place(i)]);
  return result;
}

/// Runs tiles, and records the progress that they reported: the flood's part is 0.97 and more.
template <typename Cell>
std::vector<Cell> by_tiles(const Scene<Cell>& scene, int threads, double& furthest) {
  Context context(Context::Settings{
      .progress = [&](const std::string&, double share) { furthest = std::max(furthest, share); },
      .threads = threads});
  GeodesicTiles<Cell> tiles(scene.size, scene.connectivity, threads);
  tiles.run(context, [&](std::int64_t offset, int count, Cell* cells, Cell* limits) {
    std::copy_n(scene.cells.begin() + offset, count, cells);
    std::copy_n(scene.limits.begin() + offset, count, limits);
  });
  std::vector<Cell> result(scene.cells.size());
  tiles.read(context, [&](std::int64_t offset, int count, const Cell* cells) {
    std::copy_n(cells, count, result.begin() + offset);
  });
  return result;
}

/// Returns one corridor through a plane or volume, back and forth along x, y and then z. `limit`
/// gives the limit for a distance along the corridor; walls have 0. The seed is at its end.
template <typename Cell, typename Limit>
Scene<Cell> corridor(const Index3& size, Connectivity connectivity, Limit limit) {
  Scene<Cell> scene;
  scene.size = size;
  scene.connectivity = connectivity;
  Geometry grid;
  grid.size = size;
  scene.limits.assign(static_cast<std::size_t>(grid.voxel_count()), 0);
  scene.cells = scene.limits;
  Index3 at{0, 0, 0};
  Index3 way{1, 1, 1};
  std::int64_t come = 0;
  const auto dig = [&] {
    scene.limits[static_cast<std::size_t>(grid.offset(at))] = static_cast<Cell>(limit(come++));
  };
  dig();
  // To the end of x; there two steps along y, then back; at the end of y two along z, and both
  // reversed.
  const auto step = [&](int axis, int cells) {
    for (int i = 0; i < cells; ++i) {
      at[axis] += way[axis];
      dig();
    }
  };
  const auto has_room = [&](int axis, std::int64_t cells) {
    const std::int64_t to = at[axis] + way[axis] * cells;
    return to >= 0 && to < size[axis];
  };
  for (;;) {
    if (has_room(0, 1)) {
      step(0, 1);
    } else if (has_room(1, 2)) {
      step(1, 2);
      way[0] = -way[0];
    } else if (has_room(2, 2)) {
      step(2, 2);
      way[0] = -way[0];
      way[1] = -way[1];
    } else {
      break;
    }
  }
  const auto end = static_cast<std::size_t>(grid.offset(at));
  scene.cells[end] = scene.limits[end];
  return scene;
}

constexpr std::array kAllConnectivities{Connectivity::C4, Connectivity::C8, Connectivity::C6,
                                        Connectivity::C18, Connectivity::C26};

}  // namespace

class TestGeodesicFlood : public QObject {
  Q_OBJECT
 private slots:
  void rises_as_the_definition_says();
  void tiles_hand_long_corridors_over_data();
  void tiles_hand_long_corridors_over();
  void ordinary_images_stay_with_the_tiles();
  void stops_when_asked();
};

void TestGeodesicFlood::rises_as_the_definition_says() {
  const auto check = [&]<typename Cell>(Cell) {
    for (const Connectivity connectivity : kAllConnectivities) {
      for (std::uint64_t number = 0; number < 25; ++number) {
        const auto scene = random_scene<Cell>(number, connectivity);
        QVERIFY2(flooded(scene) == risen(scene),
                 qPrintable(QStringLiteral("%1 bytes, %2 neighbours, scene %3")
                                .arg(sizeof(Cell))
                                .arg(static_cast<int>(connectivity))
                                .arg(number)));
      }
    }
  };
  check(std::uint8_t{});
  check(std::uint16_t{});
  check(std::int32_t{});
}

void TestGeodesicFlood::tiles_hand_long_corridors_over_data() {
  QTest::addColumn<int>("connectivity");
  QTest::addColumn<bool>("grey");
  QTest::addColumn<int>("threads");
  for (const Connectivity connectivity : kAllConnectivities) {
    for (const bool grey : {false, true}) {
      for (const int threads : {1, 3}) {
        QTest::addRow("%d neighbours, %s, %d threads", static_cast<int>(connectivity),
                      grey ? "grey" : "binary", threads)
            << static_cast<int>(connectivity) << grey << threads;
      }
    }
  }
}

void TestGeodesicFlood::tiles_hand_long_corridors_over() {
  QFETCH(int, connectivity);
  QFETCH(bool, grey);
  QFETCH(int, threads);
  const bool planar = connectivity == 4 || connectivity == 8;
  const Index3 size = planar ? Index3{230, 151, 1} : Index3{70, 41, 21};
  const auto limit = [&](std::int64_t come) { return grey ? 40 + come * 7919 % 200 : 255; };
  const auto check = [&]<typename Cell>(Cell) {
    auto scene = corridor<Cell>(size, static_cast<Connectivity>(connectivity), limit);
    // A second, lower seed half way: the cells that it raised rise again.
    scene.cells[scene.cells.size() / 2] = std::min<Cell>(30, scene.limits[scene.cells.size() / 2]);
    double furthest = 0.0;
    QVERIFY(by_tiles(scene, threads, furthest) == risen(scene));
    QVERIFY2(furthest > 0.96, "the tiles did it all");
  };
  check(std::uint8_t{});
  check(std::uint16_t{});
  check(std::int32_t{});
}

void TestGeodesicFlood::ordinary_images_stay_with_the_tiles() {
  test::RandomNumbers random(1);
  Scene<std::uint8_t> scene;
  scene.size = {500, 400, 1};
  for (std::int64_t i = 0; i < 500 * 400; ++i) {
    const auto limit = static_cast<std::uint8_t>(100 + random.below(100));
    scene.limits.push_back(limit);
    scene.cells.push_back(static_cast<std::uint8_t>(limit - 40));
  }
  double furthest = 0.0;
  QVERIFY(by_tiles(scene, 2, furthest) == risen(scene));
  QVERIFY(furthest < 0.96);
}

void TestGeodesicFlood::stops_when_asked() {
  const auto scene =
      corridor<std::uint8_t>({600, 600, 1}, Connectivity::C4, [](std::int64_t) { return 255; });
  // Stops as soon as the flood has begun.
  std::stop_source stop;
  Context context(Context::Settings{.stop = stop.get_token(),
                                    .progress =
                                        [&](const std::string&, double share) {
                                          if (share > 0.96) stop.request_stop();
                                        },
                                    .threads = 1});
  GeodesicTiles<std::uint8_t> tiles(scene.size, scene.connectivity, 1);
  const auto fill = [&](std::int64_t offset, int count, std::uint8_t* cells, std::uint8_t* limits) {
    std::copy_n(scene.cells.begin() + offset, count, cells);
    std::copy_n(scene.limits.begin() + offset, count, limits);
  };
  QVERIFY_EXCEPTION_THROWN(tiles.run(context, fill), Cancelled);
}

QTEST_GUILESS_MAIN(TestGeodesicFlood)
#include "test_geodesic_flood.moc"
