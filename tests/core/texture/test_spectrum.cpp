// SPDX-License-Identifier: Apache-2.0
#include "core/texture/spectrum.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

using seedwave::texture::CorrelationBySpectrum;

class TestSpectrum : public QObject {
  Q_OBJECT
 private slots:
  void sizes_have_small_factors();
  void is_off_by_less_than_it_says();
};

void TestSpectrum::sizes_have_small_factors() {
  QCOMPARE(CorrelationBySpectrum(1).side(), std::int64_t{1});
  QCOMPARE(CorrelationBySpectrum(32).side(), std::int64_t{64});
  QCOMPARE(CorrelationBySpectrum(34).side(), std::int64_t{72});
  QCOMPARE(CorrelationBySpectrum(256).side(), std::int64_t{512});
}

/// The largest possible numbers: full windows, beside a chessboard.
void TestSpectrum::is_off_by_less_than_it_says() {
  for (const std::int64_t window : {1, 2, 5, 17, 64, 130, 256}) {
    CorrelationBySpectrum correlation(window);
    const std::vector<std::uint8_t> full(static_cast<std::size_t>(window), 1);
    // Twice: nothing may remain from the first round.
    for (int round = 0; round < 2; ++round) {
      for (std::int64_t y = 0; y < window; ++y) {
        std::vector<std::uint8_t> board;
        for (std::int64_t x = 0; x < window; ++x)
          board.push_back((x + y) % 2 == 0 ? 1 : 0);
        correlation.set_row(y, full.data(), board.data());
      }
      correlation.correlate();
    }
    double most = 0.0;
    for (std::int64_t dy = 0; dy <= window / 2; ++dy) {
      for (std::int64_t dx = -window / 2; dx <= window / 2; ++dx) {
        const std::int64_t pairs = (window - std::abs(dx)) * (window - dy);
        const auto value = correlation.value(dx, dy);
        most = std::max(most, std::abs(value.real() - static_cast<double>(pairs)));
        most = std::max(most, std::abs(value.imag() - std::round(value.imag())));
        const auto [of_full, of_board] = correlation.counts(dx, dy);
        QCOMPARE(std::int64_t{of_full}, pairs);
        // The chessboard has half the cells of every box, rounded up or down for an odd one.
        const std::int64_t even = (dx + dy) % 2 == 0 ? pairs : 0;
        QVERIFY(std::abs(2 * of_board - even) <= 1);
      }
    }
    QVERIFY2(most < CorrelationBySpectrum::kMostError, qPrintable(QString::number(most)));
  }
}

QTEST_GUILESS_MAIN(TestSpectrum)
#include "test_spectrum.moc"
