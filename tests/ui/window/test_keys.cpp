// SPDX-License-Identifier: Apache-2.0
//
// The key editor, with real keys in the real window.
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/key_sheet.h"
#include "ui/panels/keys_dialog.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>

namespace seedwave::ui {

using test::kLimitMs;

class TestKeys : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    QSettings().clear();
    fixture_.show_window();
    fixture_.window().actions().at("edit_keys")->trigger();
    dialog_ = fixture_.window().findChild<KeysDialog*>();
    QVERIFY(dialog_ != nullptr);
    QVERIFY(QTest::qWaitForWindowExposed(dialog_));
  }
  void cleanup() { fixture_.close_window(); }

  void a_pressed_key_becomes_the_actions_key_and_is_kept() {
    press("Decrease overlay opacity", Qt::Key_J);
    const QAction* action = fixture_.window().actions().at("opacity_less");
    QCOMPARE(action->shortcut(), QKeySequence(Qt::Key_J));
    QVERIFY(action->toolTip().contains(QStringLiteral("(J)")));
    const QString sheet = key_sheet_html(fixture_.window().actions().keymap(),
                                         bindings_of(BindingPreset::Seedwave), Tool::Brush, {});
    QVERIFY(sheet.contains(QStringLiteral("<b>J</b></td><td>Decrease overlay opacity")));

    fixture_.show_window();  // a new start reads it
    QCOMPARE(fixture_.window().actions().at("opacity_less")->shortcut(), QKeySequence(Qt::Key_J));
  }

  void a_key_in_use_is_taken_over_only_when_told() {
    press("Decrease overlay opacity", Qt::Key_B);
    const Actions& actions = fixture_.window().actions();
    QCOMPARE(actions.at("opacity_less")->shortcut(), QKeySequence(Qt::Key_A));
    QCOMPARE(actions.at("tool_brush")->shortcut(), QKeySequence(Qt::Key_B));
    const auto* message = dialog_->findChild<QLabel*>(QStringLiteral("message"));
    QVERIFY2(message->text().contains(QStringLiteral("Brush")), qPrintable(message->text()));
    click("take_over");
    QCOMPARE(actions.at("opacity_less")->shortcut(), QKeySequence(Qt::Key_B));
    QVERIFY(actions.at("tool_brush")->shortcut().isEmpty());
    click("reset_all");
    QCOMPARE(actions.at("opacity_less")->shortcut(), QKeySequence(Qt::Key_A));
    QCOMPARE(actions.at("tool_brush")->shortcut(), QKeySequence(Qt::Key_B));
    QVERIFY(QSettings().allKeys().filter(QStringLiteral("keys/")).isEmpty());
  }

  void keys_that_the_planes_need_are_refused_with_the_reason() {
    press("Decrease overlay opacity", Qt::Key_3);
    const auto* message = dialog_->findChild<QLabel*>(QStringLiteral("message"));
    QVERIFY2(message->text().contains(QStringLiteral("labels")), qPrintable(message->text()));
    press("Decrease overlay opacity", Qt::Key_K);
    QVERIFY2(message->text().contains(QStringLiteral("comparison")), qPrintable(message->text()));
    QCOMPARE(fixture_.window().actions().at("opacity_less")->shortcut(), QKeySequence(Qt::Key_A));
  }

  void an_action_can_have_no_key_and_get_its_own_back() {
    press("Run", Qt::Key_F9);
    click("no_key");
    QAction* run = fixture_.window().actions().at("run");
    QVERIFY(run->shortcuts().isEmpty());
    QVERIFY(run->toolTip().startsWith(QStringLiteral("Run: ")));
    click("reset");
    QCOMPARE(run->shortcuts().size(), 2);
    QCOMPARE(run->shortcut(), QKeySequence(QStringLiteral("Ctrl+Return")));
  }

  void the_search_finds_actions_and_keys() {
    auto* search = dialog_->findChild<QLineEdit*>(QStringLiteral("search"));
    search->setText(QStringLiteral("ctrl+shift+e"));
    const auto* list = dialog_->findChild<QTreeWidget*>(QStringLiteral("actions"));
    QCOMPARE(list->currentItem()->text(0), QStringLiteral("Re-estimate automatic values"));
    search->setText(QStringLiteral("no such action"));
    for (int i = 0; i < list->topLevelItemCount(); ++i)
      QVERIFY(list->topLevelItem(i)->isHidden());
  }

  void the_mouse_follows_another_program() {
    auto* mouse = dialog_->findChild<QComboBox*>(QStringLiteral("mouse"));
    const int slicer = mouse->findText(QStringLiteral("Slicer"));
    mouse->setCurrentIndex(slicer);
    emit mouse->activated(slicer);
    QCOMPARE(fixture_.window().views().settings().bindings().name, QStringLiteral("Slicer"));
    fixture_.show_window();
    QCOMPARE(fixture_.window().views().settings().bindings().name, QStringLiteral("Slicer"));
  }

 private:
  void press(const char* action, Qt::Key key) {
    auto* list = dialog_->findChild<QTreeWidget*>(QStringLiteral("actions"));
    const auto found =
        list->findItems(QString::fromLatin1(action), Qt::MatchExactly | Qt::MatchRecursive);
    // A menu may have the name of its first action; the action is the row below.
    QVERIFY(!found.isEmpty());
    for (QTreeWidgetItem* item : found) {
      if (item->parent() != nullptr) list->setCurrentItem(item);
    }
    auto* capture = dialog_->findChild<QLineEdit*>(QStringLiteral("capture"));
    capture->setFocus();
    QTest::keyClick(capture, key);
  }
  void click(const char* button) {
    QTest::mouseClick(dialog_->findChild<QPushButton*>(QString::fromLatin1(button)),
                      Qt::LeftButton);
  }

  test::WindowFixture fixture_;
  KeysDialog* dialog_ = nullptr;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestKeys)
#include "test_keys.moc"
