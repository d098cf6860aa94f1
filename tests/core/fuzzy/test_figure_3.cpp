// SPDX-License-Identifier: Apache-2.0
// The paper's worked example (Zhuge et al. 2013, section II.B.4), in which the three objects
// differ.
#include "core/fuzzy/dijkstra.h"
#include "core/fuzzy/porfc.h"
#include "core/fuzzy/setup.h"
#include "core/fuzzy/tiles/tiles.h"
#include "tests/support/figure_3.h"

#include <QTest>

using namespace seedwave;

namespace {

fuzzy::Problem figure_3() {
  const test::Figure3 figure;
  fuzzy::Request request;
  request.connectivity = Connectivity::C4;
  request.m.for_all = test::Figure3::kM;
  request.sigma_o.for_all = test::Figure3::kSigmaO;
  request.sigma_h = test::Figure3::kSigmaH;
  Context context;
  return fuzzy::set_up(figure.image, figure.seeds, figure.mask, request, context).problem;
}

}  // namespace

class TestFigure3 : public QObject {
  Q_OBJECT
 private slots:
  void each_algorithm_gives_the_papers_set_data() {
    QTest::addColumn<fuzzy::Solver>("solver");
    QTest::addColumn<QString>("object");
    QTest::newRow("RFC, dijkstra") << fuzzy::Solver{fuzzy::rfc_by_dijkstra} << "sabc";
    QTest::newRow("P-ORFC, rounds") << fuzzy::Solver{fuzzy::porfc_by_rounds} << "sabcd";
    QTest::newRow("RFC, P-RFC") << fuzzy::Solver{fuzzy::prfc_by_rounds} << "sabc";
    QTest::newRow("RFC, tiles") << fuzzy::Solver{fuzzy::rfc_by_tiles} << "sabc";
    QTest::newRow("IRFC, tiles") << fuzzy::Solver{fuzzy::irfc_by_tiles} << "sabcde";
    QTest::newRow("IRFC, dijkstra") << fuzzy::Solver{fuzzy::irfc_by_dijkstra} << "sabcde";
  }
  void each_algorithm_gives_the_papers_set() {
    QFETCH(fuzzy::Solver, solver);
    QFETCH(QString, object);
    Context context;
    const fuzzy::Answer answer = solver(figure_3(), context);
    QCOMPARE(QString::fromStdString(test::Figure3::object(answer.labels)), object);
  }

  void strengths_are_full_along_the_object_and_half_beyond() {
    Context context;
    const fuzzy::Answer answer = fuzzy::irfc_by_dijkstra(figure_3(), context);
    const std::uint16_t half = answer.strength[6];
    QVERIFY(half == 2047 || half == 2048);
    const std::vector<std::uint16_t> expected{4096, 4096, 4096, 4096, 4096, 0, half, 0, half, 0};
    QCOMPARE(answer.strength, expected);
  }
};

QTEST_GUILESS_MAIN(TestFigure3)
#include "test_figure_3.moc"
