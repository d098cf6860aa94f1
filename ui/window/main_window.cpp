// SPDX-License-Identifier: Apache-2.0
#include "ui/window/main_window.h"

#include "ui/panels/label_panel.h"
#include "ui/panels/operation_panel.h"
#include "ui/panels/run_panel.h"
#include "ui/panels/score_strip.h"
#include "ui/panels/status_line.h"
#include "ui/panels/stroke_panel.h"
#include "ui/window/file_commands.h"
#include "ui/window/view_grid.h"
#include "ui/window/window_commands.h"

#include <QAction>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLocale>
#include <QMenuBar>
#include <QMimeData>
#include <QScrollArea>
#include <QToolBar>
#include <QUrl>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

QScrollArea* scrolled(QWidget* content, QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setWidget(content);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return area;
}

QString spacing_text(const Geometry& geometry) {
  if (geometry.unit == LengthUnit::Pixel) {
    return QStringLiteral("%1 × %2 px").arg(geometry.size[0]).arg(geometry.size[1]);
  }
  const QLocale locale;
  return QStringLiteral("%1 × %2 × %3 mm")
      .arg(locale.toString(geometry.spacing[0], 'f', 2),
           locale.toString(geometry.spacing[1], 'f', 2),
           locale.toString(geometry.spacing[2], 'f', 2));
}

}  // namespace

MainWindow::MainWindow(const OperationTable& table, std::shared_ptr<Autosave> autosave)
    : actions_(this),
      runs_(workbench_, table),
      opener_(workbench_, runs_),
      saver_(workbench_, runs_, std::move(autosave)),
      labels_(workbench_, runs_),
      strokes_(workbench_),
      run_model_(runs_) {
  setObjectName(QStringLiteral("seedwave"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  actions_.fill(*menuBar());
  views_ = new ViewGrid(workbench_, runs_, this);
  setCentralWidget(views_);
  status_ = new StatusLine(this);
  setStatusBar(status_);
  files_ = new FileCommands(actions_, workbench_, opener_, saver_, this);
  commands_ = new WindowCommands(actions_, workbench_, runs_, *views_, labels_, this);
  build_tool_bar();
  build_docks();
  connect_status();
  actions_.on("quit", [this] { close(); });
  actions_.at("tool_brush")->trigger();
  connect(&workbench_.undo_stack(), &QUndoStack::cleanChanged, this, &MainWindow::update_title);
  connect(&workbench_, &Workbench::image_changed, this, &MainWindow::update_title);
  connect(&saver_, &FileSaver::session_path_changed, this, &MainWindow::update_title);
  update_title();
  resize(1440, 900);
}

MainWindow::~MainWindow() {
  // Views and panels read the models, which are members: they go first.
  delete takeCentralWidget();
}

void MainWindow::build_tool_bar() {
  QToolBar* bar = addToolBar(tr("Tools"));
  bar->setObjectName(QStringLiteral("tools"));
  bar->setMovable(false);
  bar->setIconSize({22, 22});
  const auto add = [&](std::initializer_list<const char*> ids) {
    for (const char* id : ids)
      bar->addAction(actions_.at(id));
    bar->addSeparator();
  };
  add({"open", "open_folder", "save_session"});
  add({"undo", "redo"});
  add({"tool_navigate", "tool_brush", "tool_eraser", "tool_window"});
  add({"run", "live", "cancel"});
  add({"show_result", "show_seeds", "outline", "strength"});
  add({"fit", "layout_four"});
  bar->addAction(actions_.at("keys"));
}

QDockWidget* MainWindow::add_dock(const QString& title, const char* name, QWidget* content,
                                  Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(QString::fromLatin1(name));
  dock->setWidget(content);
  addDockWidget(area, dock);
  actions_.menu(ActionGroup::View)->addAction(dock->toggleViewAction());
  return dock;
}

void MainWindow::build_docks() {
  actions_.menu(ActionGroup::View)->addSeparator();
  auto* labels = new QWidget(this);
  auto* column = new QVBoxLayout(labels);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(new LabelPanel(workbench_, labels_, labels), 1);
  column->addWidget(new ScoreStrip(workbench_, runs_, labels));

  auto* strokes = new StrokePanel(workbench_, strokes_, this);
  connect(strokes, &StrokePanel::stroke_chosen, this, [this](const Vec3& place) {
    DisplayState display = views_->display();
    display.cursor = place;
    views_->set_display(display);
  });
  auto* operation = new OperationPanel(workbench_, runs_, actions_.at("run"), actions_.at("live"),
                                       actions_.at("re_estimate"), this);
  add_dock(tr("Operation"), "dock_operation", scrolled(operation, this), Qt::RightDockWidgetArea);
  add_dock(tr("Labels"), "dock_labels", labels, Qt::RightDockWidgetArea);
  add_dock(tr("Strokes"), "dock_strokes", strokes, Qt::LeftDockWidgetArea);
  add_dock(tr("Runs"), "dock_runs", new RunPanel(runs_, run_model_, this), Qt::LeftDockWidgetArea);
}

void MainWindow::connect_status() {
  connect(views_, &ViewGrid::readout_changed, status_, &StatusLine::show_readout);
  connect(views_, &ViewGrid::readout_ended, status_, &StatusLine::clear_readout);
  connect(views_, &ViewGrid::slice_changed, this, [this](const QString& slice) {
    status_->show_slice(slice, spacing_text(workbench_.image().geometry()));
  });
  connect(&runs_, &RunController::started, status_,
          [this] { status_->start_job(tr("Segmenting")); });
  connect(&runs_, &RunController::progressed, status_, &StatusLine::show_progress);
  connect(&runs_, &RunController::ended, this, [this](const QString& message) {
    status_->end_job();
    if (!message.isEmpty()) status_->showMessage(message, 10'000);
  });
  connect(&runs_, &RunController::shown_changed, this, &MainWindow::show_run);
  connect(&opener_, &FileOpener::started, status_, &StatusLine::start_job);
  connect(&opener_, &FileOpener::progressed, status_, &StatusLine::show_progress);
  connect(&opener_, &FileOpener::ended, status_, &StatusLine::end_job);
  connect(files_, &FileCommands::said, this,
          [this](const QString& text) { status_->showMessage(text, 10'000); });
  connect(status_, &StatusLine::cancel_requested, this, [this] {
    opener_.cancel();
    runs_.cancel();
  });
}

void MainWindow::show_run() {
  const Run* run = runs_.shown_run();
  if (run == nullptr) {
    status_->show_backend({}, {});
    return;
  }
  QStringList stages{QString::fromStdString(run->why)};
  for (const StageTime& stage : run->stages) {
    stages << tr("%1: %2 ms").arg(QString::fromStdString(stage.stage)).arg(stage.ms, 0, 'f', 1);
  }
  const QString where = run->device.empty() ? QString::fromStdString(run->backend).toUpper()
                                            : QString::fromStdString(run->device);
  status_->show_backend(tr("%1, %2: %3 ms")
                            .arg(where, QString::fromStdString(run->algorithm))
                            .arg(run->total_ms, 0, 'f', run->total_ms < 10.0 ? 1 : 0),
                        stages.join('\n'));
}

void MainWindow::update_title() {
  QString what = saver_.session_path().isEmpty()
                     ? QString::fromStdString(workbench_.document().image.path.filename().string())
                     : QFileInfo(saver_.session_path()).fileName();
  setWindowTitle(what.isEmpty() ? tr("Seedwave") : tr("%1[*] – Seedwave").arg(what));
  setWindowModified(workbench_.has_image() && !workbench_.undo_stack().isClean());
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!files_->may_discard()) {
    event->ignore();
    return;
  }
  runs_.cancel();
  opener_.cancel();
  saver_.discard_autosave();
  event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) actions_.refresh_icons();
  QMainWindow::changeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  event->acceptProposedAction();
  files_->open(paths);
}

}  // namespace seedwave::ui
