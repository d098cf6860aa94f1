// SPDX-License-Identifier: Apache-2.0
//
// The real window, driven by mouse and keys as a user does.
#include "core/io/labels.h"
#include "core/ops/operation_table.h"
#include "tests/ui/window/phantom.h"
#include "ui/panels/status_line.h"
#include "ui/views/vtk_widget.h"
#include "ui/window/main_window.h"
#include "ui/window/view_grid.h"

#include <QAction>
#include <QLabel>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <memory>

namespace seedwave::ui {

namespace {

constexpr std::int64_t kSide = 32;
constexpr int kLimitMs = 30'000;

}  // namespace

class TestSegmenting : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QCoreApplication::setApplicationName(QStringLiteral("seedwave-test"));
    QStandardPaths::setTestModeEnabled(true);
    QVERIFY(folder_.isValid());
    image_ = folder_.filePath(QStringLiteral("ball.nii.gz"));
    reference_ = folder_.filePath(QStringLiteral("reference.nii.gz"));
    io::save_volume(image_.toStdString(), test::ball_phantom(kSide));
    io::save_labels(reference_.toStdString(), test::ball_labels(kSide));
  }

  void init() {
    window_ = std::make_unique<MainWindow>(table_, nullptr);
    window_->resize(1200, 800);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    // There is no window manager on a test display; shortcuts hold in the active window.
    QApplication::setActiveWindow(window_.get());
    QSignalSpy opened(&window_->opener(), &FileOpener::image_opened);
    window_->opener().open({image_});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
  }

  void cleanup() {
    window_->workbench().undo_stack().setClean();
    window_.reset();
  }

  void two_strokes_segment_the_ball_and_the_reference_says_how_well() {
    paint_ball_and_background();
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_result(), kLimitMs);
    const LabelMap& labels = window_->runs().shown().labels;
    QCOMPARE(labels.at({kSide / 2, kSide / 2, kSide / 2}), 1);
    QVERIFY(labels.at({1, 1, 1}) != 1);

    window_->opener().import_reference(reference_);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().reference().empty(), kLimitMs);
    window_->runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(window_->labels().dice(1).has_value(), kLimitMs);
    QVERIFY(*window_->labels().dice(1) > 0.99);
  }

  void says_what_is_missing_until_two_labels_are_painted() {
    const auto* message = window_->findChild<QLabel*>(QStringLiteral("missing"));
    QVERIFY(message != nullptr);
    QVERIFY(message->text().contains(QStringLiteral("object")));
    paint(axial(), {0, 0, 0}, {3, 0, 0});
    QVERIFY(message->text().contains(QStringLiteral("background")));
    QTest::keyClick(window_.get(), Qt::Key_2);
    paint(axial(), {-13, -13, 0}, {-13, 0, 0});
    QVERIFY(!message->text().contains(QStringLiteral("Paint")));
  }

  void undo_takes_the_stroke_and_its_result_back_and_redo_brings_them() {
    paint_ball_and_background();
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_result(), kLimitMs);
    QCOMPARE(window_->workbench().undo_stack().undoText(), QStringLiteral("stroke of background"));
    window_->actions().at("undo")->trigger();
    QCOMPARE(window_->workbench().document().seeds.strokes.size(), std::size_t{1});
    QCOMPARE(window_->runs().shown().run, std::uint64_t{0});
    window_->actions().at("redo")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_result(), kLimitMs);
    QCOMPARE(window_->workbench().document().seeds.strokes.size(), std::size_t{2});
  }

  void strokes_can_be_painted_in_any_plane() {
    const Vec3 a{0, 0, 0};
    paint(axial(), a, {3, 0, 0});
    paint(window_->views().slice_view(PlaneKind::Coronal), a, {0, 0, 3});
    paint(window_->views().slice_view(PlaneKind::Sagittal), a, {0, 3, 0});
    const auto& strokes = window_->workbench().document().seeds.strokes;
    QCOMPARE(strokes.size(), std::size_t{3});
    const Vec3 ends[] = {{3, 0, 0}, {0, 0, 3}, {0, 3, 0}};
    for (std::size_t i = 0; i < strokes.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        // A logical pixel of these views is a good deal less than a millimetre.
        QVERIFY(std::abs(strokes[i].points.back()[axis] - ends[i][axis]) < 0.6);
      }
    }
  }

 private:
  SliceView& axial() { return window_->views().slice_view(PlaneKind::Axial); }

  static void paint(SliceView& view, const Vec3& from, const Vec3& to) {
    const QPoint start = view.position_of(from).toPoint();
    const QPoint end = view.position_of(to).toPoint();
    QTest::mousePress(&view, Qt::LeftButton, {}, start);
    for (int step = 1; step <= 4; ++step) {
      QTest::mouseMove(&view, start + (end - start) * step / 4);
    }
    QTest::mouseRelease(&view, Qt::LeftButton, {}, end);
  }

  void paint_ball_and_background() {
    paint(axial(), {-3, 0, 0}, {3, 0, 0});
    QTest::keyClick(window_.get(), Qt::Key_2);
    paint(axial(), {-13, -13, 0}, {-13, 13, 0});
  }

  bool has_fresh_result() const {
    const Shown& shown = window_->runs().shown();
    return shown.run != 0 && !shown.stale && !shown.labels.empty();
  }

  QTemporaryDir folder_;
  QString image_;
  QString reference_;
  OperationTable table_ = make_operation_table();
  std::unique_ptr<MainWindow> window_;
};

}  // namespace seedwave::ui

int main(int argc, char** argv) {
  seedwave::ui::set_default_surface_format();
  QApplication application(argc, argv);
  seedwave::ui::TestSegmenting test;
  return QTest::qExec(&test, argc, argv);
}

#include "test_segmenting.moc"
