// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/command_palette.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPixmap>
#include <QSignalSpy>
#include <QTest>

namespace seedwave::ui {

class TestCommandPalette : public QObject {
  Q_OBJECT

 private slots:
  void says_when_no_command_has_that_name() {
    QAction save(QStringLiteral("Save session"));
    CommandPalette palette({{save.text(), &save}});
    palette.open();
    auto* text = palette.findChild<QLineEdit*>();
    const auto* list = palette.findChild<QListWidget*>();
    text->setText(QStringLiteral("zzz"));
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QStringLiteral("No matching command"));
    QVERIFY(!list->item(0)->flags().testFlag(Qt::ItemIsEnabled));
    // Enter leaves the palette open if there is no match.
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

  void what_has_it_in_the_title_comes_first() {
    QAction explained(QStringLiteral("Run"));
    explained.setStatusTip(QStringLiteral("Segment the tissue"));
    QAction titled(QStringLiteral("Tissue"));
    const CommandPalette palette({{explained.text(), &explained}, {titled.text(), &titled}});
    palette.findChild<QLineEdit*>()->setText(QStringLiteral("tissue"));
    const auto* list = palette.findChild<QListWidget*>();
    QCOMPARE(list->count(), 2);
    QCOMPARE(list->item(0)->text(), QStringLiteral("Tissue"));
    QCOMPARE(list->item(1)->text(), QStringLiteral("Run"));
  }

  void a_menu_is_filled_and_names_what_it_holds() {
    QMenu presets(QStringLiteral("Presets"));
    QObject::connect(&presets, &QMenu::aboutToShow, &presets, [&presets] {
      presets.clear();
      presets.addAction(QStringLiteral("&Brain\tAlt+1"));
      presets.addSeparator();
      presets.addAction(QStringLiteral("None"))->setEnabled(false);
    });
    const std::vector<Command> commands = commands_in(presets);
    QCOMPARE(commands.size(), std::size_t{1});
    QCOMPARE(commands[0].title, QStringLiteral("Presets: Brain"));
    QCOMPARE(commands[0].action.data(), presets.actions().front());
    // After it is refilled, the menu has other actions; the old ones are no longer found.
    CommandPalette palette(commands);
    (void)commands_in(presets);
    palette.findChild<QLineEdit*>()->setText(QStringLiteral("brain"));
    QCOMPARE(palette.findChild<QListWidget*>()->item(0)->text(),
             QStringLiteral("No matching command"));
  }

  void titles_begin_at_one_line_with_and_without_an_icon() {
    QPixmap square(16, 16);
    square.fill(Qt::red);
    QAction with(QIcon(square), QStringLiteral("with"));
    QAction without(QStringLiteral("without"));
    const CommandPalette palette({{with.text(), &with}, {without.text(), &without}});
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
