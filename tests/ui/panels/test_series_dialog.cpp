// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/english_plurals.h"
#include "ui/panels/item_text.h"
#include "ui/panels/series_dialog.h"

#include <QLabel>
#include <QTest>
#include <QTreeWidget>

namespace seedwave::ui {

namespace {

io::Item item_of(std::int64_t slices, const std::string& warning = {}) {
  io::Item item;
  item.format = "nifti";
  item.files = {"/no/such/file.nii"};
  item.geometry.size = {64, 64, slices};
  item.geometry.spacing = {0.5, 0.5, 4.0};
  if (!warning.empty()) item.warnings = {warning};
  return item;
}

}  // namespace

class TestSeriesDialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QCoreApplication::installTranslator(new EnglishPlurals(this)); }

  void a_series_and_its_repaired_forms_are_counted_apart() {
    io::Scan scan;
    scan.items = {item_of(12, "it cannot be opened as it is"), item_of(6, "repaired: a block"),
                  item_of(30, "repaired: resampled")};
    scan.items[0].usable = false;
    const SeriesDialog dialog(QStringLiteral("CT"), scan);
    QCOMPARE(dialog.findChild<QLabel*>(QStringLiteral("head"))->text(),
             QStringLiteral("CT contains 1 series and 2 repaired versions:"));
    // The whole head rather than half of it; items that cannot be opened come last.
    QCOMPARE(dialog.chosen(), std::size_t{2});
    const auto* list = dialog.findChild<QTreeWidget*>(QStringLiteral("series"));
    QCOMPARE(list->topLevelItem(2)->data(0, Qt::UserRole).toULongLong(), 0ULL);
  }

  void the_longest_series_is_chosen_at_first() {
    io::Scan scan;
    scan.items = {item_of(1), item_of(6), item_of(6)};
    const SeriesDialog dialog(QStringLiteral("mixed"), scan);
    QCOMPARE(dialog.chosen(), std::size_t{1});
    QCOMPARE(dialog.findChild<QLabel*>(QStringLiteral("head"))->text(),
             QStringLiteral("mixed contains 3 images:"));
  }

  void a_single_slice_has_two_spacings() {
    QCOMPARE(size_text(item_of(1).geometry), QStringLiteral("64 × 64\n0.50 × 0.50 mm"));
    QCOMPARE(size_text(item_of(2).geometry), QStringLiteral("64 × 64 × 2\n0.50 × 0.50 × 4.00 mm"));
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestSeriesDialog)
#include "test_series_dialog.moc"
