// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/command_palette.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QPixmap>
#include <QSignalSpy>
#include <QTest>

namespace seedwave::ui {

class TestCommandPalette : public QObject {
  Q_OBJECT

 private slots:
  void says_when_no_command_has_that_name() {
    QAction save(QStringLiteral("Save session"));
    CommandPalette palette({&save});
    palette.open();
    auto* text = palette.findChild<QLineEdit*>();
    const auto* list = palette.findChild<QListWidget*>();
    text->setText(QStringLiteral("zzz"));
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QStringLiteral("No command of that name"));
    QVERIFY(!list->item(0)->flags().testFlag(Qt::ItemIsEnabled));
    // Enter leaves the palette open: there is nothing to do.
    QSignalSpy done(&palette, &QDialog::finished);
    QTest::keyClick(text, Qt::Key_Return);
    QCOMPARE(done.count(), 0);
    text->setText(QStringLiteral("session save"));
    QCOMPARE(list->count(), 1);
    QSignalSpy triggered(&save, &QAction::triggered);
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_COMPARE(triggered.count(), 1);
    QCOMPARE(done.count(), 1);
  }

  void titles_begin_at_one_line_with_and_without_an_icon() {
    QPixmap square(16, 16);
    square.fill(Qt::red);
    QAction with(QIcon(square), QStringLiteral("with"));
    QAction without(QStringLiteral("without"));
    const CommandPalette palette({&with, &without});
    const auto* list = palette.findChild<QListWidget*>();
    QCOMPARE(list->count(), 2);
    const auto width = [list](int row) {
      return list->item(row)->icon().actualSize(list->iconSize()).width();
    };
    QCOMPARE(width(1), width(0));
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestCommandPalette)
#include "test_command_palette.moc"
