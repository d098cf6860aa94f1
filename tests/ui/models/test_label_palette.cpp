// SPDX-License-Identifier: Apache-2.0
#include "ui/models/label_palette.h"
#include "ui/models/workbench.h"

#include <QTest>

#include <set>

namespace seedwave::ui {

class TestLabelPalette : public QObject {
  Q_OBJECT

 private slots:
  void no_palette_gives_two_of_the_first_eight_labels_one_colour() {
    for (const LabelPalette palette : kLabelPalettes) {
      std::set<std::string> colors;
      for (std::uint16_t label = 1; label <= 8; ++label)
        colors.insert(to_hex(color_of(palette, label)));
      QCOMPARE(colors.size(), std::size_t{8});
    }
  }

  void the_default_palette_is_what_labels_start_with() {
    QVERIFY(has_palette(default_labels(), LabelPalette::OkabeIto));
    QCOMPARE(to_hex(color_of(LabelPalette::OkabeIto, 1)), std::string("#e69f00"));
    QCOMPARE(to_hex(color_of(LabelPalette::ItkSnap, 6)), std::string("#ff00ff"));
    QCOMPARE(to_hex(color_of(LabelPalette::TolBright, 7)), std::string("#bbbbbb"));
    QCOMPARE(to_hex(color_of(LabelPalette::Slicer, 2)), std::string("#f1d691"));
  }

  void recolouring_changes_colours_alone_and_is_known_again() {
    std::vector<LabelEntry> labels = default_labels();
    labels[0].name = "liver";
    labels[1].visible = false;
    for (const LabelPalette palette : kLabelPalettes) {
      const std::vector<LabelEntry> now = recoloured(labels, palette);
      QVERIFY(has_palette(now, palette));
      QVERIFY(palette_of(now) == palette);
      QVERIFY(recoloured(now, LabelPalette::OkabeIto) == labels);
    }
  }

  void a_new_label_continues_the_palette_and_a_colour_by_hand_ends_it() {
    Workbench workbench;
    workbench.steps().set_labels(recoloured(workbench.document().labels, LabelPalette::TolBright),
                                 {});
    workbench.steps().add_label();
    QCOMPARE(workbench.document().labels.back().color,
             to_hex(color_of(LabelPalette::TolBright, 3)));
    LabelEntry by_hand = workbench.document().labels.front();
    by_hand.color = "#123456";
    workbench.steps().change_label(by_hand);
    workbench.steps().add_label();
    QCOMPARE(workbench.document().labels.back().color, to_hex(color_of(LabelPalette::OkabeIto, 4)));
  }
};

}  // namespace seedwave::ui

QTEST_GUILESS_MAIN(seedwave::ui::TestLabelPalette)
#include "test_label_palette.moc"
