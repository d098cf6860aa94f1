// SPDX-License-Identifier: Apache-2.0
#include "app/window/unattended.h"
#include "core/base/error.h"
#include "core/engine/object_bins.h"
#include "core/engine/object_filter.h"
#include "core/engine/object_list.h"
#include "core/image/label_map.h"
#include "core/metrics/overlap.h"
#include "ui/panels/memory_dialog.h"
#include "ui/views/slice_layers.h"
#include "ui/views/slice_view.h"
#include "ui/window/file_commands.h"
#include "ui/window/view_grid.h"
#include "ui/window/view_settings.h"

#include <QApplication>
#include <QEventLoop>
#include <QFile>
#include <QMouseEvent>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <span>
#include <thread>
#include <vector>

namespace seedwave::app {

namespace {

constexpr int kMeasureLimitMs = 120'000;
constexpr int kRepeats = 25;

double ms(const QElapsedTimer& timer) {
  return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

/// Handles events until `done`. Returns false if that takes too long. `longest_ms`, if given,
/// receives the longest time in which the window did not respond.
bool wait_until(const std::function<bool()>& done, double* longest_ms = nullptr) {
  QElapsedTimer timer;
  timer.start();
  QTimer wake;  // looks again even when nothing happens
  wake.start(1);
  while (!done()) {
    if (timer.elapsed() > kMeasureLimitMs) return false;
    QElapsedTimer busy;
    busy.start();
    QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    if (longest_ms != nullptr) *longest_ms = std::max(*longest_ms, ms(busy));
  }
  return true;
}

/// Runs `act`, handles events until `view` has painted, and returns the time between the two.
double until_painted(ui::SliceView& view, const std::function<void()>& act) {
  bool painted = false;
  const auto connection =
      QObject::connect(&view, &ui::SliceView::painted, &view, [&painted] { painted = true; });
  QElapsedTimer timer;
  timer.start();
  act();
  wait_until([&painted] { return painted; });
  const double elapsed = ms(timer);
  QObject::disconnect(connection);
  return elapsed;
}

void print(const char* what, double value, double goal) {
  std::printf("%-52s %8.1f ms   goal %6.0f ms\n", what, value, goal);
}

void print(const char* what, std::vector<double> values, double goal) {
  std::sort(values.begin(), values.end());
  std::printf("%-52s %8.1f ms   goal %6.0f ms   (%.1f to %.1f, %zu times)\n", what,
              values[values.size() / 2], goal, values.front(), values.back(), values.size());
}

QString processor() {
  QFile file(QStringLiteral("/proc/cpuinfo"));
  if (!file.open(QIODevice::ReadOnly)) return QStringLiteral("unknown processor");
  for (const QByteArray& line : file.readAll().split('\n')) {
    if (line.startsWith("model name")) {
      return QString::fromUtf8(line.mid(line.indexOf(':') + 1).trimmed());
    }
  }
  return QStringLiteral("unknown processor");
}

void send_mouse(ui::SliceView& view, QEvent::Type type, const QPointF& at) {
  const bool move = type == QEvent::MouseMove;
  const bool release = type == QEvent::MouseButtonRelease;
  QMouseEvent event(type, at, view.mapToGlobal(at), move ? Qt::NoButton : Qt::LeftButton,
                    release ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&view, &event);
}

void measure_wheel(ui::SliceView& view) {
  std::vector<double> times;
  for (int i = 0; i < kRepeats; ++i) {
    times.push_back(until_painted(view, [&view, i] {
      const QPointF at(view.width() / 2.0, view.height() / 2.0);
      QWheelEvent event(at, view.mapToGlobal(at), {}, {0, i % 2 == 0 ? -120 : 120}, Qt::NoButton,
                        Qt::NoModifier, Qt::NoScrollPhase, false);
      QApplication::sendEvent(&view, &event);
    }));
  }
  print("wheel, until the new slice is painted", times, 16);
}

/// Measures zooming out and in by a step, around the whole image.
void measure_zoom(ui::SliceView& view) {
  std::vector<double> times;
  const ui::SliceCamera fits = view.camera();
  for (int i = 0; i < kRepeats; ++i) {
    times.push_back(until_painted(view, [&view, &fits, i] {
      ui::SliceCamera camera = fits;
      camera.zoom *= 1.0 + 0.05 * (i % 5);
      camera.right_mm += 0.01 * (i + 1);
      view.set_camera(camera);
    }));
  }
  view.set_camera(fits);
  print("zoom and pan, until painted", times, 16);
}

/// Paints a stroke across the view at a height and measures its movements.
void measure_stroke(ui::MainWindow& window, ui::SliceView& view, double height) {
  std::vector<double> times;
  const QPointF from(view.width() * 0.45, view.height() * height);
  send_mouse(view, QEvent::MouseButtonPress, from);
  for (int i = 1; i <= kRepeats; ++i) {
    times.push_back(until_painted(view, [&view, from, i] {
      send_mouse(view, QEvent::MouseMove, from + QPointF(2.0 * i, 0.0));
    }));
  }
  QElapsedTimer timer;
  timer.start();
  const auto before = window.runs().displayed().result().run;
  const bool first = before == 0;  // its values are estimated from the strokes
  send_mouse(view, QEvent::MouseButtonRelease, from + QPointF(2.0 * kRepeats, 0.0));
  if (first) print("stroke, until a movement of the brush is painted", times, 16);
  double draft = 0.0;
  const auto shows_draft =
      QObject::connect(&window.runs().displayed(), &ui::DisplayedResult::part_changed, &view, [&] {
        if (draft == 0.0 && window.runs().displayed().part()) {
          view.repaint();
          draft = ms(timer);
        }
      });
  if (window.runs().next().missing().isEmpty() && wait_until([&] {
        return window.runs().displayed().result().run != before && !window.runs().busy();
      })) {
    const RunFacts& facts = window.runs().displayed().run()->facts;
    std::printf("%-52s %8.1f ms   (of which the run: %.1f ms;",
                first ? "first stroke released, until the result is shown"
                      : "further stroke released, until its result is shown",
                ms(timer), facts.total_ms);
    for (const StageTime& stage : facts.stages)
      std::printf(" %s %.0f", stage.stage.c_str(), stage.ms);
    std::printf(")\n");
    if (draft > 0.0)
      std::printf("%-52s %8.1f ms\n", "the same, until a first draft is painted", draft);
  }
  QObject::disconnect(shows_draft);
}

void measure_undo(ui::MainWindow& window, ui::SliceView& view) {
  window.runs().set_live(false);
  print("undo, until painted",
        until_painted(view, [&window] { window.workbench().steps().undo_stack().undo(); }), 100);
  window.runs().set_live(true);
}

/// Draws by hand across the view, and takes it back.
void measure_edit(ui::MainWindow& window, ui::SliceView& view) {
  const auto shown = [&window] {
    const ui::DisplayedResult& displayed = window.runs().displayed();
    return displayed.part() || displayed.patch() || !window.runs().is_coming();
  };
  const auto done = [&window] { return !window.runs().is_coming(); };
  window.views().settings().set_tool(ui::Tool::EditBrush);
  std::vector<double> moves;
  std::vector<double> undos;
  std::vector<double> redos;
  for (int stroke = 0; stroke < 5; ++stroke) {
    const QPointF from(view.width() * 0.4, view.height() * (0.4 + 0.05 * stroke));
    send_mouse(view, QEvent::MouseButtonPress, from);
    for (int i = 1; i <= 10; ++i) {
      moves.push_back(until_painted(view, [&view, from, i] {
        send_mouse(view, QEvent::MouseMove, from + QPointF(4.0 * i, 0.0));
      }));
    }
    send_mouse(view, QEvent::MouseButtonRelease, from + QPointF(40.0, 0.0));
    wait_until(done);
    if (window.runs().displayed().result().labels.empty()) return;  // the operation needs strokes
    QUndoStack& stack = window.workbench().steps().undo_stack();
    for (const bool undo : {true, false}) {
      bool painted = false;
      const auto connection = QObject::connect(&view, &ui::SliceView::painted, &view,
                                               [&] { painted = painted || shown(); });
      QElapsedTimer timer;
      timer.start();
      undo ? stack.undo() : stack.redo();
      wait_until([&painted] { return painted; });
      (undo ? undos : redos).push_back(ms(timer));
      QObject::disconnect(connection);
      wait_until(done);
    }
  }
  print("edit by hand, until a movement is painted", moves, 16);
  print("undo of an edit, until painted", undos, 50);
  print("redo of an edit, until painted", redos, 50);
}

void measure_cancel(ui::MainWindow& window) {
  if (!window.runs().next().missing().isEmpty()) return;
  window.runs().run();
  wait_until([&window] { return window.runs().busy(); });
  QElapsedTimer timer;
  timer.start();
  window.runs().cancel();
  wait_until([&window] { return !window.runs().busy(); });
  print("cancel, until the window is free", ms(timer), 100);
}

void measure_dice(ui::MainWindow& window) {
  const LabelMap& labels = window.runs().displayed().result().labels;
  if (labels.empty()) return;
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    Context context;
    QElapsedTimer timer;
    timer.start();
    const OverlapCounts counts(labels, labels, context);
    times.push_back(ms(timer));
    if (counts.dice().empty()) return;
  }
  print("Dice of a whole result and a reference", times, 5);
}

/// A movement through a slide, in frames of 16 ms: the camera at each.
std::vector<ui::SliceCamera> flight(const Geometry& grid) {
  constexpr int kFrames = 120;
  constexpr double kNearest = 200.0;
  std::vector<ui::SliceCamera> cameras;
  const double width = static_cast<double>(grid.size[0]) * grid.spacing[0];
  const double height = static_cast<double>(grid.size[1]) * grid.spacing[1];
  const auto add = [&](double zoom, double x, double y) {
    cameras.push_back({.zoom = zoom, .right_mm = x * width, .down_mm = y * height});
  };
  const auto share = [](int frame) { return static_cast<double>(frame) / (kFrames - 1); };
  // Into a place, across it at three scales, out again, and to the other end.
  for (int i = 0; i < kFrames; ++i)
    add(std::pow(kNearest, share(i)), -0.2 * share(i), 0.1 * share(i));
  for (const double zoom : {kNearest, kNearest / 4.0, kNearest / 16.0}) {
    for (int i = 0; i < kFrames; ++i)
      add(zoom, -0.2 + 4.0 / zoom * share(i), 0.1 - 2.0 / zoom * share(i));
  }
  for (int i = 0; i < kFrames; ++i)
    add(std::pow(kNearest, 1.0 - share(i)), -0.2 + 0.4 * share(i), 0.1 - 0.3 * share(i));
  return cameras;
}

/// Returns whether a colour image is dark at a pixel: finer levels may be black there.
bool is_dark(const Volume& image, const Index3& index) {
  constexpr std::uint8_t kDark = 64;
  const std::span<const std::uint8_t> colours = image.voxels<std::uint8_t>();
  const auto first = static_cast<std::size_t>(3 * image.geometry().offset(index));
  return std::ranges::all_of(colours.subspan(first, 3),
                             [](std::uint8_t value) { return value < kDark; });
}

/// Returns how many of some places inside the slide are blank in the view as it is: black, though
/// the image is not dark there.
int blank_places(ui::MainWindow& window, ui::SliceView& view) {
  constexpr int kColumns = 32;
  constexpr int kRows = 18;
  const QImage picture = view.picture({.annotations = false, .crosshair = false});
  const Geometry& grid = window.workbench().image().geometry();
  int blank = 0;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const QPoint at((2 * column + 1) * view.width() / (2 * kColumns),
                      (2 * row + 1) * view.height() / (2 * kRows));
      const Index3 index = view.hover_at(at).index;
      const Volume& image = window.workbench().image();
      if (!grid.contains(index) || is_dark(image, index)) continue;
      if (picture.pixel(at * view.devicePixelRatioF()) == qRgb(0, 0, 0)) ++blank;
    }
  }
  return blank;
}

/// Moves through a slide at 60 frames a second, and measures the frames and the time until the
/// finest pixels of the last place are there.
void measure_flight(ui::MainWindow& window, ui::SliceView& view) {
  const io::LoadedImage& loaded = window.workbench().opened().loaded;
  constexpr double kFrame = 16.0;
  std::vector<double> frames;
  for (const ui::SliceCamera& camera : flight(loaded.volume.geometry())) {
    if (camera == view.camera()) continue;  // nothing to paint
    QElapsedTimer timer;
    timer.start();
    frames.push_back(until_painted(view, [&] { view.move_camera(camera); }));
    wait_until([&] { return ms(timer) >= kFrame; });
  }
  std::sort(frames.begin(), frames.end());
  const auto at = [&](double share) {
    return frames[static_cast<std::size_t>(share * static_cast<double>(frames.size() - 1))];
  };
  std::printf("%-52s %8.1f ms   goal %6.0f ms   (median %.1f, p95 %.1f, worst %.1f, %zu frames)\n",
              "slide: pan and zoom, p99 of the frames", at(0.99), kFrame, at(0.5), at(0.95),
              frames.back(), frames.size());

  // Again, for what is seen: the pictures would lengthen the frames. Black is a value of grey ones.
  if (loaded.volume.components() == 3) {
    int blank = 0;
    for (const ui::SliceCamera& camera : flight(loaded.volume.geometry())) {
      view.move_camera(camera);
      blank += blank_places(window, view);
    }
    std::printf("%-52s %8d      goal %6d\n", "slide: blank places in all frames", blank, 0);
  }

  const Geometry& grid = loaded.volume.geometry();
  const double width = static_cast<double>(grid.size[0]) * grid.spacing[0];
  std::vector<double> sharp;
  constexpr int kJumps = 10;
  for (int i = 0; i < kJumps && loaded.slide_level > 0; ++i) {
    QElapsedTimer timer;
    timer.start();
    bool came = false;
    const auto connection = QObject::connect(&window.views(), &ui::ViewGrid::detail_shown, &window,
                                             [&came] { came = true; });
    view.move_camera({.zoom = 100.0, .right_mm = (0.07 * i - 0.35) * width, .down_mm = 0.0});
    if (!wait_until([&came, &timer] { return came || ms(timer) > 5000.0; })) break;
    if (came) sharp.push_back(ms(timer));
    QObject::disconnect(connection);
  }
  if (!sharp.empty()) print("slide: jump to a new place, until it is sharp", sharp, 500);
  view.fit();
  constexpr double kMegabyte = 1024.0 * 1024.0;
  ui::MemoryUse use;
  ui::measure_memory(use);
  std::printf("%-52s %8.0f MB\n", "slide: most memory so far",
              static_cast<double>(use.most_process_bytes) / kMegabyte);
}

/// Returns touching objects, like split nuclei: cells of a grid with ragged boundaries.
LabelMap many_objects(const Geometry& grid, std::int64_t cell) {
  const std::int64_t columns = grid.size[0] / cell + 1;
  std::vector<Label> labels;
  labels.reserve(static_cast<std::size_t>(grid.voxel_count()));
  for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
    const Index3 index = grid.index_of(i);
    const std::int64_t x = (index[0] + index[1] % 7) / cell;
    const std::int64_t y = (index[1] + index[0] % 5) / cell;
    labels.push_back((x + y) % 11 == 0 ? 0 : static_cast<Label>(1 + y * columns + x));
  }
  return {grid, std::move(labels)};
}

void measure_objects() {
  Geometry grid;
  grid.size = {2048, 2048, 1};
  grid.unit = LengthUnit::Pixel;
  ui::SliceView view(ui::PlaneKind::Axial);
  view.resize(1000, 900);
  view.set_image(Volume(grid, std::vector<std::uint8_t>(2048 * 2048, 128)));
  view.layers().set_result_styles(ui::ResultStyles());
  view.layers().set_result(many_objects(grid, 29));  // some 5,000
  until_painted(view, [&view] { view.show(); });
  std::vector<double> zooms;
  std::vector<double> looks;
  for (int i = 0; i < kRepeats; ++i) {
    zooms.push_back(until_painted(view, [&view, i] {
      view.set_camera({.zoom = 1.0 + 0.3 * (i % 8), .right_mm = 3.0 * (i + 1), .down_mm = 0.0});
    }));
    looks.push_back(until_painted(view, [&view, i] {
      ui::DisplayState display = view.display();
      display.overlay.outline_only = i % 2 == 0;
      display.overlay.opacity = 0.3 + 0.01 * i;
      view.set_display(display);
    }));
  }
  print("5,000 objects on 2048 x 2048: zoom and pan, painted", zooms, 16);
  print("the same: outline or filled, another opacity", looks, 16);
}

/// Measures the table of a million objects in an image of three channels and its stains: the work
/// that the window does in the background after a gesture.
void measure_object_table() {
  Geometry grid;
  grid.size = {8192, 8192, 1};
  grid.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> rgb(static_cast<std::size_t>(3 * grid.voxel_count()));
  for (std::size_t i = 0; i < rgb.size(); ++i)
    rgb[i] = static_cast<std::uint8_t>(i * i % 251);
  const Volume image(grid, std::move(rgb), 3);
  const LabelMap labels = many_objects(grid, 8);
  Context context;
  const auto timed = [](const auto& work) {
    QElapsedTimer timer;
    timer.start();
    work();
    return ms(timer);
  };
  const auto repeated = [&](const auto& work) {
    std::vector<double> times;
    for (int i = 0; i < kRepeats; ++i)
      times.push_back(timed(work));
    return times;
  };
  ObjectList list;
  const double found = timed([&] { list = ObjectList(labels, true, image, {}, context); });
  const std::string objects = std::to_string(list.objects().size()) + " objects: ";
  print((objects + "found, measured, 7 channels").c_str(), found, 5000);
  const std::size_t mean = *list.find_column("hematoxylin_mean");
  const std::size_t shape = *list.find_column("circularity");
  ObjectOrder order{.filter = parse_object_filter("area > 30 and circularity < 0.9", list)};
  std::vector<std::int32_t> listed;
  print((objects + "filter of two columns").c_str(),
        repeated([&] { listed = ordered_objects(list, order, context); }), 100);
  order = {.column = static_cast<int>(mean)};
  print((objects + "sort").c_str(),
        repeated([&] { listed = ordered_objects(list, order, context); }), 100);
  ObjectBins bins;
  print((objects + "histogram").c_str(),
        repeated([&] { bins = bin_objects(list, listed, mean, std::nullopt, {}, context); }), 100);
  print((objects + "scatter plot").c_str(),
        repeated([&] { bins = bin_objects(list, listed, mean, shape, {}, context); }), 100);
  const std::vector<ColumnRange> ranges{
      {.column = mean, .low = bins.x.low, .high = (bins.x.low + bins.x.high) / 2.0},
      {.column = shape, .low = bins.y->low, .high = (bins.y->low + bins.y->high) / 2.0}};
  print((objects + "selection in the plot").c_str(),
        repeated([&] { static_cast<void>(objects_within(list, listed, ranges, context)); }), 100);
  print((objects + "CSV").c_str(), timed([&] { static_cast<void>(list.csv(listed)); }), 10000);
}

}  // namespace

int measure(ui::MainWindow& window, const QStringList& paths, const QElapsedTimer& since_start,
            const GlInfo& gl) {
  std::printf("%s, %u threads; OpenGL %s, %s\n", qPrintable(processor()),
              std::thread::hardware_concurrency(), gl.renderer.c_str(), gl.version.c_str());
  std::printf("On two cores with software OpenGL each goal is doubled.\n\n");
  ui::SliceView& view = window.views().slice_view(ui::PlaneKind::Axial);
  until_painted(view, [&window] { window.show(); });
  print("program start, until the window is painted", ms(since_start), 1500);

  bool failed = false;
  QObject::connect(&window.opener().task(), &ui::NamedTask::failed, &window,
                   [&failed](const QString&, const QString& message) {
                     std::fprintf(stderr, "seedwave: %s\n", qPrintable(message));
                     failed = true;
                   });
  QObject::connect(&window.opener(), &ui::FileOpener::damage_found, &window,
                   [&failed](const QString& message) {
                     std::fprintf(stderr, "seedwave: %s\n", qPrintable(message));
                     failed = true;
                   });
  QElapsedTimer timer;
  timer.start();
  if (paths.isEmpty()) {
    window.files().open_sample();
  } else {
    window.opener().open(paths);
  }
  double longest_ms = 0.0;
  wait_until([&] { return failed || window.workbench().has_image(); }, &longest_ms);
  if (failed) return kExitInput;
  until_painted(view, [&view] { view.update(); });
  const Geometry& geometry = window.workbench().image().geometry();
  const bool is_slide = window.workbench().opened().loaded.slide != nullptr;
  const std::string what =
      (is_slide ? "slide, shown at " : "study of ") + describe(geometry) + ", until painted";
  print(what.c_str(), ms(timer), is_slide ? 500 : 1000);
  print("longest pause of the window while it opened", longest_ms, 50);
  if (is_slide) {
    measure_flight(window, view);
    return 0;
  }
  measure_zoom(view);
  if (!geometry.is_2d()) measure_wheel(view);
  for (const double height : {0.5, 0.45, 0.55})
    measure_stroke(window, view, height);
  measure_undo(window, view);
  wait_until([&window] { return !window.runs().is_coming(); });
  measure_edit(window, view);
  measure_cancel(window);
  measure_dice(window);
  measure_objects();
  measure_object_table();
  window.workbench().steps().undo_stack().setClean();
  return 0;
}

}  // namespace seedwave::app
