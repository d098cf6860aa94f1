// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_map.h"
#include "ui/models/workbench.h"
#include "ui/panels/label_list.h"

#include <QComboBox>
#include <QTest>

namespace seedwave::ui {

namespace {

/// Counts the colour squares that are created.
class CountedList : public LabelList {
 public:
  using LabelList::LabelList;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
    if (role == Qt::DecorationRole) ++squares_;
    return LabelList::data(index, role);
  }
  [[nodiscard]] int squares() const { return squares_; }

 private:
  mutable int squares_ = 0;
};

std::vector<LabelEntry> all_labels() {
  std::vector<LabelEntry> labels;
  for (Label id = 1; id <= kLargestLabel; ++id)
    labels.push_back(make_label(id, "label of a long name"));
  return labels;
}

}  // namespace

class TestLabelList : public QObject {
  Q_OBJECT

 private slots:
  void all_labels_make_no_square_before_the_list_is_opened() {
    CountedList list(LabelList::Numbers::Shown);
    QComboBox box;
    show_label_list(list, 14, box);
    list.set_rows(all_labels());
    QCOMPARE(box.count(), static_cast<int>(kLargestLabel));
    box.setCurrentIndex(list.row_of(60'000));
    QVERIFY(box.currentText().startsWith(QStringLiteral("60000  label")));
    QCOMPARE(box.currentData().toInt(), 60'000);
    box.show();
    QVERIFY(QTest::qWaitForWindowExposed(&box));
    QVERIFY2(list.squares() < 50, qPrintable(QString::number(list.squares())));
  }

  void other_rows_follow_the_labels() {
    LabelList list(LabelList::Numbers::Hidden);
    QComboBox box;
    show_label_list(list, 8, box);
    list.set_rows(default_labels(), {{.text = QStringLiteral("label 9 (removed)"), .data = 9},
                                     {},
                                     {.text = QStringLiteral("all"), .data = {}}});
    QCOMPARE(box.count(), 5);
    QCOMPARE(box.itemText(0), QStringLiteral("object"));
    QVERIFY(!box.itemIcon(0).isNull());
    QCOMPARE(box.itemData(2).toInt(), 9);
    // A separator cannot be chosen; the entry for all labels has no number.
    QVERIFY(!(list.flags(list.index(3)) & Qt::ItemIsEnabled));
    QVERIFY(list.flags(list.index(4)) & Qt::ItemIsEnabled);
    QVERIFY(!box.itemData(4).isValid());
    QCOMPARE(list.row_of(2), 1);
    QCOMPARE(list.row_of(7), -1);
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestLabelList)
#include "test_label_list.moc"
