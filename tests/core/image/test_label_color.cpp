// SPDX-License-Identifier: Apache-2.0
// Colours of labels: a label keeps its colour in every version.
#include "core/base/digest.h"
#include "core/image/label_color.h"

#include <QTest>

#include <set>
#include <span>
#include <string>
#include <vector>

using namespace seedwave;

class TestLabelColor : public QObject {
  Q_OBJECT
 private slots:
  void the_first_are_those_of_okabe_and_ito();
  void none_is_given_twice_before_they_repeat();
  void none_changes();
};

void TestLabelColor::the_first_are_those_of_okabe_and_ito() {
  QCOMPARE(to_hex(label_color(0)), std::string("#000000"));
  std::vector<std::string> first;
  for (std::uint16_t label = 1; label <= 8; ++label)
    first.push_back(to_hex(label_color(label)));
  QCOMPARE(first, (std::vector<std::string>{"#e69f00", "#56b4e9", "#009e73", "#f0e442", "#cc79a7",
                                            "#d55e00", "#0072b2", "#ffffff"}));
}

void TestLabelColor::none_is_given_twice_before_they_repeat() {
  std::set<Rgb> seen;
  std::uint16_t label = 1;
  while (seen.insert(label_color(label)).second)
    ++label;
  QCOMPARE(int{label}, 181);
  for (std::uint16_t i = 0; i < 300; ++i)
    QCOMPARE(label_color(static_cast<std::uint16_t>(label + i)),
             label_color(static_cast<std::uint16_t>(1 + i)));
}

void TestLabelColor::none_changes() {
  std::vector<std::uint8_t> all;
  for (std::uint16_t label = 0; label < 300; ++label) {
    for (const std::uint8_t channel : label_color(label))
      all.push_back(channel);
  }
  QCOMPARE(xxh64_digest_of(std::span<const std::uint8_t>(all)),
           std::string("xxh64:4b0394dbe7546a49"));
}

QTEST_GUILESS_MAIN(TestLabelColor)
#include "test_label_color.moc"
