// SPDX-License-Identifier: Apache-2.0
// Compares every exact solver with the sets of the definitions, on thousands of small random
// inputs.
#include "core/fuzzy/answer.h"
#include "core/fuzzy/dijkstra.h"
#include "core/fuzzy/porfc.h"
#include "core/fuzzy/setup.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/fuzzy/tiles/tiles.h"
#include "tests/reference/fuzzy_connectedness.h"
#include "tests/support/random_segmentation.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace seedwave;
using fuzzy::Answer;
using fuzzy::Request;
using fuzzy::Setup;

namespace {

/// The parameters that a row varies; its trials vary the rest.
struct Case {
  Index3 size;
  Connectivity connectivity;
  int labels;
  test::WithMask mask;
};

constexpr int kTrials = 15;

void add_rows() {
  QTest::addColumn<Case>("c");
  const std::vector<Index3> planes = {{2, 2, 1}, {7, 1, 1}, {1, 9, 1}, {6, 5, 1}, {5, 11, 1}};
  const std::vector<Index3> volumes = {{1, 1, 7}, {3, 1, 4}, {1, 5, 3}, {4, 3, 3}, {2, 5, 5}};
  const auto add = [](const Index3& size, Connectivity connectivity) {
    for (const int labels : {2, 3, 4}) {
      for (const auto mask : {test::WithMask::No, test::WithMask::Yes}) {
        const std::string name = std::to_string(size[0]) + 'x' + std::to_string(size[1]) + 'x' +
                                 std::to_string(size[2]) + ", " +
                                 std::to_string(static_cast<int>(connectivity)) + "-connected, " +
                                 std::to_string(labels) + " labels" +
                                 (mask == test::WithMask::Yes ? ", mask" : "");
        QTest::newRow(name.c_str()) << Case{size, connectivity, labels, mask};
      }
    }
  };
  for (const Index3& size : planes) {
    for (const auto connectivity : {Connectivity::C4, Connectivity::C8})
      add(size, connectivity);
  }
  for (const Index3& size : volumes) {
    for (const auto connectivity : {Connectivity::C6, Connectivity::C18, Connectivity::C26}) {
      add(size, connectivity);
    }
  }
}

/// One trial's input, and the graph to which the definitions refer.
struct Trial {
  test::RandomSegmentation input;
  Request request;
  Setup setup;
  reference::Graph graph;
  reference::SeedsByLabel seeds;
};

Trial make_trial(const Case& c, int number) {
  Trial trial;
  trial.input = test::random_segmentation(
      {.size = c.size, .type = kVoxelTypes[number % 5], .labels = c.labels, .mask = c.mask},
      number);
  Request& request = trial.request;
  request.connectivity = c.connectivity;
  request.sigma_h = trial.input.sigma_h;
  if (number % 3 == 0) {
    request.object = std::nullopt;  // all: every label's statistics from its own seeds
  } else if (number % 3 == 1) {
    request.m.for_all = trial.input.m;
    request.sigma_o.for_all = trial.input.sigma_o;
  }
  Context context;
  trial.setup =
      fuzzy::set_up(trial.input.image, trial.input.seeds, trial.input.mask, request, context);
  std::vector<reference::Feature> features;
  for (const auto& [label, feature] : trial.setup.objects) {
    features.push_back({feature.m, feature.sigma_o});
  }
  trial.graph = reference::affinity_graph(trial.input.image, trial.input.mask, c.connectivity,
                                          features, trial.setup.sigma_h);
  trial.seeds = reference::by_label(trial.setup.problem.seeds);
  return trial;
}

/// Returns the label whose object contains each cell. Objects are disjoint except for seeds that
/// strongest paths join; those keep their painted label.
std::vector<std::uint16_t> labels_of(const Trial& trial,
                                     const std::function<std::vector<bool>(Label)>& object_of) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(trial.graph.cells), 0);
  for (const auto& [label, cells] : trial.seeds) {
    const std::vector<bool> object = object_of(label);
    for (std::size_t c = 0; c < labels.size(); ++c) {
      if (!object[c]) continue;
      if (labels[c] != 0) qFatal("two objects share a cell");
      labels[c] = static_cast<std::uint16_t>(label);
    }
  }
  for (const Seed& seed : trial.setup.problem.seeds)
    labels[seed.offset] = static_cast<std::uint16_t>(seed.label);
  return labels;
}

std::vector<std::uint16_t> strength_to_all_seeds(const Trial& trial) {
  std::vector<int> sources;
  for (const auto& [label, cells] : trial.seeds) {
    sources.insert(sources.end(), cells.begin(), cells.end());
  }
  const auto h = reference::strengths(trial.graph, sources,
                                      std::vector<bool>(std::size_t(trial.graph.cells), true));
  return {h.begin(), h.end()};
}

/// Returns both instruction sets alternately, if this processor has both.
const fuzzy::TileKernel& kernel_of(int number) {
  return number % 2 == 0 ? fuzzy::best_kernel() : fuzzy::plain_kernel();
}

std::string name_of(int number) {
  return "trial " + std::to_string(number);
}

}  // namespace

Q_DECLARE_METATYPE(Case)

class TestDefinitions : public QObject {
  Q_OBJECT
 private slots:
  void irfc_equals_the_definition_data() { add_rows(); }
  void irfc_equals_the_definition() {
    QFETCH(Case, c);
    for (int number = 0; number < kTrials; ++number) {
      const Trial trial = make_trial(c, number);
      Context context;
      const Answer answer = fuzzy::irfc_by_dijkstra(trial.setup.problem, context);
      Context threads({.threads = 1 + number % 4});
      const Answer tiles = fuzzy::irfc_on_bricks(trial.setup.problem, kernel_of(number), threads);
      QVERIFY2(tiles.strength == answer.strength, name_of(number).c_str());
      QVERIFY2(tiles.labels == answer.labels, name_of(number).c_str());
      const auto expected = labels_of(trial, [&](Label label) {
        return reference::irfc_object(trial.graph, trial.seeds, label);
      });
      QVERIFY2(answer.labels == expected, name_of(number).c_str());
      QVERIFY2(answer.strength == strength_to_all_seeds(trial), name_of(number).c_str());
    }
  }

  void rfc_equals_the_definition_data() { add_rows(); }
  void rfc_equals_the_definition() {
    QFETCH(Case, c);
    for (int number = 0; number < kTrials; ++number) {
      const Trial trial = make_trial(c, number);
      Context context;
      const Answer answer = fuzzy::rfc_by_dijkstra(trial.setup.problem, context);
      Context threads({.threads = 1 + number % 4});
      const Answer tiles = fuzzy::rfc_on_bricks(trial.setup.problem, kernel_of(number), threads);
      QVERIFY2(tiles.strength == answer.strength, name_of(number).c_str());
      QVERIFY2(tiles.labels == answer.labels, name_of(number).c_str());
      const Answer rounds = fuzzy::prfc_by_rounds(trial.setup.problem, context);
      QVERIFY2(rounds.strength == answer.strength, name_of(number).c_str());
      QVERIFY2(rounds.labels == answer.labels, name_of(number).c_str());
      const auto expected = labels_of(trial, [&](Label label) {
        return reference::rfc_object(trial.graph, trial.seeds, label);
      });
      QVERIFY2(answer.labels == expected, name_of(number).c_str());
      QVERIFY2(answer.strength == strength_to_all_seeds(trial), name_of(number).c_str());
    }
  }

  void afc_equals_the_definition_data() { add_rows(); }
  void afc_equals_the_definition() {
    QFETCH(Case, c);
    for (int number = 0; number < kTrials; ++number) {
      Trial trial = make_trial(c, number);
      const double theta = (number % 9) / 8.0;
      // One object, as if `object` named it: the other labels' seeds are ignored.
      trial.setup.problem.seeds = fuzzy::seeds_of(trial.setup.problem.seeds, 1);
      Context context;
      Answer answer = fuzzy::rfc_by_dijkstra(trial.setup.problem, context);
      const auto h = reference::strengths(trial.graph, trial.seeds[1],
                                          std::vector<bool>(answer.strength.size(), true));
      QVERIFY2(std::equal(h.begin(), h.end(), answer.strength.begin(), answer.strength.end()),
               name_of(number).c_str());
      fuzzy::cut_below(theta, trial.setup.problem.seeds, answer);
      trial.seeds = {{1, trial.seeds[1]}};
      const auto expected = labels_of(trial, [&](Label label) {
        return reference::afc_object(trial.graph, trial.seeds.at(label), theta);
      });
      QVERIFY2(answer.labels == expected, name_of(number).c_str());
    }
  }

  void porfc_equals_the_definition_data() { add_rows(); }
  void porfc_equals_the_definition() {
    QFETCH(Case, c);
    for (int number = 0; number < kTrials; ++number) {
      Trial trial = make_trial(c, number);
      trial.setup.problem.object = static_cast<std::uint16_t>(number % (c.labels + 1));
      Context context;
      const Answer answer = fuzzy::porfc_by_rounds(trial.setup.problem, context);
      const auto expected = labels_of(trial, [&](Label label) {
        if (trial.setup.problem.object != 0 && trial.setup.problem.object != label) {
          return std::vector<bool>(answer.labels.size(), false);
        }
        return reference::porfc_object(trial.graph, trial.seeds, label);
      });
      QVERIFY2(answer.labels == expected, name_of(number).c_str());
      QVERIFY2(answer.strength == strength_to_all_seeds(trial), name_of(number).c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestDefinitions)
#include "test_definitions.moc"
