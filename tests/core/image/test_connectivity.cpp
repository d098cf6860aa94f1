// SPDX-License-Identifier: Apache-2.0
#include "core/image/connectivity.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace seedwave;

class TestConnectivity : public QObject {
  Q_OBJECT
 private slots:
  void steps_are_as_many_as_it_says();
  void has_corners_where_a_step_leads_to_one();
};

namespace {
constexpr std::array kAll{Connectivity::C4, Connectivity::C8, Connectivity::C6, Connectivity::C18,
                          Connectivity::C26};
}

void TestConnectivity::steps_are_as_many_as_it_says() {
  for (const Connectivity connectivity : kAll)
    QCOMPARE(std::ssize(neighbour_steps(connectivity)), static_cast<std::ptrdiff_t>(connectivity));
}

void TestConnectivity::has_corners_where_a_step_leads_to_one() {
  for (const Connectivity connectivity : kAll) {
    const auto steps = neighbour_steps(connectivity);
    const bool corner = std::ranges::any_of(steps, [](const NeighbourStep& step) {
      return step.dx == 1 && step.dy == 1 && step.dz == 0;
    });
    QCOMPARE(has_corners(connectivity), corner);
  }
}

QTEST_GUILESS_MAIN(TestConnectivity)
#include "test_connectivity.moc"
