// SPDX-License-Identifier: Apache-2.0
// The layers of others that ranks know after an exchange.
#include "tests/support/random_numbers.h"
#include "tests/support/ranks_in_process.h"

#include <QTest>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

using namespace seedwave;

namespace {

using Cells = std::vector<std::int32_t>;
constexpr std::int64_t kLayerCells = 3;

/// Ranks that know the cells of their own layers, and -1 of all others.
struct Scene {
  std::int64_t layers = 1;
  int ranks = 1;

  [[nodiscard]] Cells known(const LayerRange& range) const {
    Cells cells(static_cast<std::size_t>(layers * kLayerCells), -1);
    for (std::int64_t i = range.begin * kLayerCells; i < range.end * kLayerCells; ++i)
      cells[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i);
    return cells;
  }
  using Exchange = std::function<void(Ranks&, std::span<std::byte>)>;
  /// Returns the number of ranks that know just the layers of wanted(ranks) after the exchange.
  [[nodiscard]] int count_knowing(const std::function<LayerRange(const Ranks&)>& wanted,
                                  const Exchange& exchange) const {
    test::RanksInProcess all(ranks, std::chrono::microseconds(20), 1);
    std::atomic<int> good = 0;
    all.run([&](const std::shared_ptr<Ranks>& rank) {
      Cells cells = known(own_layers(*rank, layers));
      exchange(*rank, std::as_writable_bytes(std::span(cells)));
      good += cells == known(wanted(*rank)) ? 1 : 0;
    });
    return good;
  }
};

}  // namespace

class TestSharedLayers : public QObject {
  Q_OBJECT
 private slots:
  void are_known_where_they_are_needed();
  void of_neighbours_are_clipped_to_the_grid();
};

/// Also more ranks than layers, and more layers beside than a rank owns.
void TestSharedLayers::are_known_where_they_are_needed() {
  for (std::uint64_t number = 0; number < 200; ++number) {
    test::RandomNumbers random(number);
    const Scene scene{.layers = 1 + random.below(30),
                      .ranks = random.of(std::array{1, 2, 3, 5, 9})};
    const std::int64_t beside = random.below(5);
    const auto own_and_beside = [&](const Ranks& ranks) {
      return own_layers_and(ranks, beside, scene.layers);
    };
    QCOMPARE(scene.count_knowing(own_and_beside,
                                 [&](Ranks& ranks, auto bytes) {
                                   share_layers_beside(ranks, bytes, scene.layers, beside);
                                 }),
             scene.ranks);
    const auto all = [&](const Ranks&) { return LayerRange{0, scene.layers}; };
    QCOMPARE(scene.count_knowing(
                 all, [&](Ranks& ranks, auto bytes) { share_layers(ranks, bytes, scene.layers); }),
             scene.ranks);
    const auto all_in_first = [&](const Ranks& ranks) {
      return ranks.rank() == 0 ? LayerRange{0, scene.layers} : own_layers(ranks, scene.layers);
    };
    QCOMPARE(scene.count_knowing(
                 all_in_first,
                 [&](Ranks& ranks, auto bytes) { collect_layers(ranks, bytes, scene.layers); }),
             scene.ranks);
  }
}

void TestSharedLayers::of_neighbours_are_clipped_to_the_grid() {
  test::RanksInProcess all(2, std::chrono::microseconds(0), 1);
  all.run([&](const std::shared_ptr<Ranks>& ranks) {
    const LayerRange known = own_layers_and(*ranks, 2, 10);
    QCOMPARE(known.begin, std::int64_t{ranks->rank() == 0 ? 0 : 3});
    QCOMPARE(known.end, std::int64_t{ranks->rank() == 0 ? 7 : 10});
  });
}

QTEST_GUILESS_MAIN(TestSharedLayers)
#include "test_shared_layers.moc"
