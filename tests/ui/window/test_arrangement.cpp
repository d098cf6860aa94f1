// SPDX-License-Identifier: Apache-2.0
//
// Size and panels of the window: the image has most of it, and nothing moves under the pointer.
#include "tests/ui/window/window_fixture.h"
#include "ui/models/run_model.h"

#include <QDockWidget>
#include <QLabel>
#include <QScrollArea>
#include <QSettings>
#include <QTreeView>

namespace seedwave::ui {

using test::kLimitMs;

class TestArrangement : public QObject {
  Q_OBJECT

 private slots:
  void init() { QSettings().clear(); }
  void cleanup() { fixture_.close_window(); }

  void a_size_that_is_asked_for_holds_over_a_saved_one() {
    const OperationTable table = make_operation_table();
    {
      MainWindow before(table, nullptr);
      before.restore_arrangement();
      before.showMaximized();
      QVERIFY(before.close() || QTest::qWaitFor([&] { return !before.isVisible(); }, kLimitMs));
      QTRY_VERIFY_WITH_TIMEOUT(!before.isVisible(), kLimitMs);
    }
    {
      MainWindow as_left(table, nullptr);
      as_left.restore_arrangement();
      QVERIFY(as_left.isMaximized());
    }
    MainWindow sized(table, nullptr);
    sized.restore_arrangement(QSize(1280, 800));
    sized.show();
    QVERIFY(QTest::qWaitForWindowExposed(&sized));
    QVERIFY(!sized.isMaximized());
    QCOMPARE(sized.size(), QSize(1280, 800));
  }

  void a_small_window_gives_the_picture_three_fifths() {
    const OperationTable table = make_operation_table();
    MainWindow window(table, nullptr);
    window.restore_arrangement(QSize(1280, 800));
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    open(window, fixture_.image());
    window.runs().set_live(false);
    for (const Operation& operation : table.operations()) {
      window.workbench().steps().set_operation(operation.id, {});
      QCoreApplication::processEvents();
      QVERIFY2(window.views().width() >= 768,
               qPrintable(QStringLiteral("%1: %2")
                              .arg(QString::fromStdString(operation.id))
                              .arg(window.views().width())));
      for (const QScrollArea* area : window.findChildren<QScrollArea*>()) {
        const int hidden = area->widget()->minimumSizeHint().width() - area->viewport()->width();
        QVERIFY2(!area->isVisible() || hidden <= 0,
                 qPrintable(QStringLiteral("%1: %2 pixels of a panel are cut off")
                                .arg(QString::fromStdString(operation.id))
                                .arg(hidden)));
      }
    }
    window.workbench().steps().undo_stack().setClean();
  }

  void a_score_does_not_move_the_operation() {
    fixture_.open_ball();
    MainWindow& window = fixture_.window();
    window.opener().import_reference(fixture_.reference());
    const auto* detail = window.findChild<QLabel*>(QStringLiteral("score_detail"));
    QTRY_VERIFY_WITH_TIMEOUT(detail->text().startsWith(QStringLiteral("Reference loaded")),
                             kLimitMs);
    auto* labels = window.findChild<QDockWidget*>(QStringLiteral("dock_labels"));
    auto* operation = window.findChild<QDockWidget*>(QStringLiteral("dock_operation"));
    window.resizeDocks({labels, operation}, {1, 700}, Qt::Vertical);  // no room to spare
    QTRY_VERIFY_WITH_TIMEOUT(labels->height() <= labels->minimumSizeHint().height() + 1, kLimitMs);
    const int y = operation->y();
    fixture_.paint_ball_and_background();
    const auto* score = window.findChild<QLabel*>(QStringLiteral("dice"));
    QTRY_VERIFY_WITH_TIMEOUT(score->isVisible() && fixture_.has_fresh_result(), kLimitMs);
    QTest::qWait(100);  // layouts are updated later
    QCOMPARE(operation->y(), y);
  }

  void what_changed_between_runs_is_read_without_being_cut() {
    fixture_.segment();
    Workbench& workbench = fixture_.workbench();
    workbench.steps().undo_stack().beginMacro(QStringLiteral("both"));
    workbench.steps().set_value("sigma_o", 123.0, {});
    workbench.steps().set_value("sigma_h", 234.0, {});
    workbench.steps().undo_stack().endMacro();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() &&
                                 fixture_.runs().displayed().run()->recipe.values.has("sigma_h"),
                             kLimitMs);
    const auto* list = fixture_.window().findChild<QTreeView*>(QStringLiteral("runs"));
    const QModelIndex changed = list->model()->index(0, RunModel::Changes);
    const QString text = changed.data().toString();
    QVERIFY2(text.contains(QStringLiteral("sigma_o 123")) &&
                 text.contains(QStringLiteral("sigma_h 234")),
             qPrintable(text));
    QFont bold = list->font();  // as for the displayed run
    bold.setBold(true);
    constexpr int kMargins = 8;
    const auto cell = [&] { return list->visualRect(changed); };
    const auto needed = [&] {
      return QFontMetrics(bold).boundingRect(QRect(0, 0, cell().width() - kMargins, 1 << 16),
                                             Qt::TextWordWrap, text);
    };
    QTRY_VERIFY2_WITH_TIMEOUT(
        needed().height() <= cell().height() && needed().width() <= cell().width(),
        qPrintable(QStringLiteral("%1 x %2, needed %3 x %4: %5")
                       .arg(cell().width())
                       .arg(cell().height())
                       .arg(needed().width())
                       .arg(needed().height())
                       .arg(text)),
        kLimitMs);
    // The full text and the time are in the tooltip too.
    QVERIFY(changed.data(Qt::ToolTipRole).toString().contains(text));
  }

 private:
  static void open(MainWindow& window, const QString& file) {
    QSignalSpy opened(&window.opener(), &FileOpener::image_opened);
    window.opener().open({file});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
  }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestArrangement)
#include "test_arrangement.moc"
