// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/labels.h"
#include "core/ops/operation_table.h"
#include "tests/ui/window/phantom.h"
#include "ui/views/vtk_widget.h"
#include "ui/window/main_window.h"
#include "ui/window/view_grid.h"

#include <QApplication>
#include <QCursor>
#include <QScreen>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave::test {

inline constexpr std::int64_t kSide = 32;
inline constexpr int kLimitMs = 30'000;

/// A window with the open ball phantom, and simulated painting in it. Its settings are none of the
/// user's, and begin empty.
class WindowFixture {
 public:
  explicit WindowFixture(OperationTable table = make_operation_table()) : table_(std::move(table)) {
    QCoreApplication::setApplicationName(QStringLiteral("seedwave-test"));
    QCoreApplication::setOrganizationName(QStringLiteral("seedwave-test"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path());
    QStandardPaths::setTestModeEnabled(true);
    // A test continues after it has closed a window.
    QGuiApplication::setQuitOnLastWindowClosed(false);
    io::save_volume(image().toStdString(), ball_phantom(kSide));
    io::save_labels(reference().toStdString(), ball_labels(kSide));
  }

  [[nodiscard]] QString path(const char* name) const {
    return folder_.filePath(QString::fromLatin1(name));
  }
  [[nodiscard]] QString image() const { return path("ball.nii.gz"); }
  [[nodiscard]] QString reference() const { return path("reference.nii.gz"); }
  [[nodiscard]] ui::MainWindow& window() { return *window_; }
  [[nodiscard]] ui::RunController& runs() { return window_->runs(); }
  [[nodiscard]] ui::Workbench& workbench() { return window_->workbench(); }

  /// Shows an empty window.
  void show_window(std::shared_ptr<Autosave> autosave = nullptr) {
    close_window();
    park_pointer();
    window_ = std::make_unique<ui::MainWindow>(table_, std::move(autosave));
    // Most tests are about parameters, maps and times of connectedness alone.
    window_->workbench().steps().set_operation("irfc", QStringLiteral("irfc"));
    window_->workbench().steps().undo_stack().clear();
    window_->resize(1200, 800);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    // A test display has no window manager; shortcuts work only in the active window.
    QApplication::setActiveWindow(window_.get());
  }

  /// Opens a file in the displayed window.
  void open(const QString& file) {
    QSignalSpy opened(&window_->opener(), &ui::FileOpener::image_opened);
    window_->opener().open({file});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
  }

  void open_ball() {
    show_window();
    open(image());
  }

  /// Opens an image of 32 x 24 in the displayed window, all grey except for one bright pixel.
  void open_page() {
    Geometry grid;
    grid.size = {32, 24, 1};
    grid.unit = LengthUnit::Pixel;
    std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()), 90);
    voxels[200] = 255;
    io::save_volume(path("page.png").toStdString(), Volume(grid, std::move(voxels)));
    open(path("page.png"));
  }

  void close_window() {
    if (window_ != nullptr) window_->workbench().steps().undo_stack().setClean();
    window_.reset();
  }

  ui::SliceView& axial() { return window_->views().slice_view(ui::PlaneKind::Axial); }

  static void paint(ui::SliceView& view, const Vec3& from, const Vec3& to,
                    Qt::KeyboardModifiers modifiers = {}) {
    const QPoint start = view.position_of(from).toPoint();
    const QPoint end = view.position_of(to).toPoint();
    QTest::mousePress(&view, Qt::LeftButton, modifiers, start);
    for (int step = 1; step <= 4; ++step) {
      QTest::mouseMove(&view, start + (end - start) * step / 4);
    }
    QTest::mouseRelease(&view, Qt::LeftButton, modifiers, end);
  }

  void paint_ball_and_background() {
    paint(axial(), {-3, 0, 0}, {3, 0, 0});
    QTest::keyClick(window_.get(), Qt::Key_2);
    paint(axial(), {-13, -13, 0}, {-13, 13, 0});
  }

  [[nodiscard]] bool has_fresh_result() {
    const ui::DisplayedResult::Result& shown = runs().displayed().result();
    return shown.run != 0 && !shown.stale && !shown.labels.empty() && !runs().busy();
  }

  void segment() {
    open_ball();
    paint_ball_and_background();
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_result(), kLimitMs);
  }

 private:
  /// Moves the pointer outside the window. Otherwise it might be over a plane of a new window, and
  /// the server could report that at any later time.
  static void park_pointer() {
    const QPoint corner = QGuiApplication::primaryScreen()->geometry().bottomRight();
    QCursor::setPos(corner);
    QTRY_COMPARE_WITH_TIMEOUT(QCursor::pos(), corner, kLimitMs);
    QCoreApplication::processEvents();
  }

  QTemporaryDir folder_;
  QTemporaryDir settings_;
  OperationTable table_;
  std::unique_ptr<ui::MainWindow> window_;
};

}  // namespace seedwave::test

/// Defines main() of a window test. OpenGL is requested as in the program.
#define SEEDWAVE_WINDOW_TEST_MAIN(TestClass)    \
  int main(int argc, char** argv) {             \
    seedwave::ui::set_default_surface_format(); \
    QApplication application(argc, argv);       \
    TestClass test;                             \
    return QTest::qExec(&test, argc, argv);     \
  }
