// SPDX-License-Identifier: Apache-2.0
#include "ui/window/main_window.h"

#include "core/image/label_map.h"
#include "ui/panels/case_panel.h"
#include "ui/panels/channel_panel.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/edit_bar.h"
#include "ui/panels/hint_card.h"
#include "ui/panels/label_panel.h"
#include "ui/panels/map_bar.h"
#include "ui/panels/object_panel.h"
#include "ui/panels/operation_panel.h"
#include "ui/panels/paint_bar.h"
#include "ui/panels/plot_panel.h"
#include "ui/panels/region_panel.h"
#include "ui/panels/result_legend.h"
#include "ui/panels/run_panel.h"
#include "ui/panels/score_strip.h"
#include "ui/panels/status_line.h"
#include "ui/panels/stroke_panel.h"
#include "ui/panels/study_panel.h"
#include "ui/panels/sweep_dialog.h"
#include "ui/views/slice_annotations.h"
#include "ui/window/apply_commands.h"
#include "ui/window/case_commands.h"
#include "ui/window/edit_tools.h"
#include "ui/window/export_commands.h"
#include "ui/window/file_commands.h"
#include "ui/window/line_tool.h"
#include "ui/window/map_display.h"
#include "ui/window/object_commands.h"
#include "ui/window/place_tool.h"
#include "ui/window/pointer_readout.h"
#include "ui/window/region_commands.h"
#include "ui/window/shown_channels.h"
#include "ui/window/shown_comparison.h"
#include "ui/window/slide_parts.h"
#include "ui/window/stain_commands.h"
#include "ui/window/view_grid.h"
#include "ui/window/view_settings.h"
#include "ui/window/whole_slide.h"
#include "ui/window/window_commands.h"
#include "ui/window/window_menus.h"

#include <QAction>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QToolBar>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace seedwave::ui {

namespace {

QScrollArea* scrolled(QWidget* content, QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setWidget(content);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // Wide enough for its content beside the scroll bar, so that nothing is cut off.
  area->setMinimumWidth(content->minimumSizeHint().width() +
                        area->verticalScrollBar()->sizeHint().width());
  return area;
}

}  // namespace

MainWindow::MainWindow(const OperationTable& table, std::shared_ptr<Autosave> autosave)
    : actions_(this),
      runs_(workbench_, table),
      opener_(workbench_, runs_),
      saver_(workbench_, runs_, std::move(autosave)),
      unsaved_(workbench_, runs_),
      labels_(workbench_, runs_),
      strokes_(workbench_),
      region_model_(workbench_),
      object_model_(workbench_, runs_.displayed()),
      run_model_(workbench_, runs_),
      comparison_(runs_),
      plot_model_(workbench_, runs_),
      pointer_curve_(workbench_, runs_, plot_model_),
      sweep_(workbench_, runs_) {
  setObjectName(QStringLiteral("seedwave"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  actions_.fill(*menuBar());
  build_centre();
  status_ = new StatusLine(this);
  setStatusBar(status_);
  files_ = new FileCommands(actions_, workbench_, opener_, saver_, unsaved_, this);
  runs_.set_focus([this] { return views_->visible_box(); });
  saver_.set_picture([this] { return views_->active_view()->grab().toImage(); });
  channels_ = new ShownChannels(actions_, workbench_, *views_, this);
  connect(channels_, &ShownChannels::said, this, &MainWindow::say);
  auto* stains = new StainCommands(actions_, workbench_, *channels_, this);
  connect(stains, &StainCommands::said, this, &MainWindow::say);
  new WindowCommands(actions_, workbench_, runs_, *views_, labels_, *channels_, this);
  auto* exports = new ExportCommands(actions_, workbench_, runs_, *views_, *files_, this);
  connect(exports, &ExportCommands::said, this, &MainWindow::say);
  auto* apply = new ApplyCommands(actions_, workbench_, runs_, opener_, *files_, this);
  connect(apply, &ApplyCommands::said, this, &MainWindow::say);
  cases_ = new CaseCommands(actions_, workbench_, runs_, opener_, saver_, *files_, this);
  connect(cases_, &CaseCommands::said, this, &MainWindow::say);
  auto* line_tool = new LineTool(actions_, workbench_, runs_, *views_, this);
  connect(line_tool, &LineTool::said, this, &MainWindow::say);
  auto* place_tool = new PlaceTool(actions_, workbench_, runs_, pointer_curve_, *views_, this);
  connect(place_tool, &PlaceTool::said, this, &MainWindow::say);
  parts_ = new SlideParts(actions_, workbench_, runs_, opener_, *views_, this);
  connect(parts_, &SlideParts::said, this, &MainWindow::say);
  new WholeSlide(actions_, workbench_, runs_, opener_, views_->settings(), this);
  regions_ = new RegionCommands(actions_, workbench_, runs_, *views_, *parts_, this);
  connect(regions_, &RegionCommands::said, this, &MainWindow::say);
  menus_ = new WindowMenus(actions_, workbench_, runs_, *views_, *channels_, this);
  build_tool_bars();
  build_docks();
  connect_paint_bar();
  connect_map_bar();
  connect_status();
  connect_comparison();
  connect_plot();
  connect_command();
  actions_.on("sweep", [this] { show_sweep(); });
  actions_.on("quit", [this] { close(); });
  actions_.at("tool_brush")->trigger();
  connect(&unsaved_, &Unsaved::changed, this, &MainWindow::update_title);
  connect(&workbench_, &Workbench::image_changed, this, &MainWindow::update_title);
  connect(&saver_, &FileSaver::session_path_changed, this, &MainWindow::update_title);
  update_title();
  resize(1440, 900);
}

MainWindow::~MainWindow() {
  // Views, panels and bars use the models, which are members, so they are deleted first.
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

void MainWindow::build_centre() {
  auto* centre = new QWidget(this);
  centre_ = new QVBoxLayout(centre);
  centre_->setContentsMargins(0, 0, 0, 0);
  centre_->setSpacing(0);
  views_ = new ViewGrid(workbench_, runs_, centre);
  centre_->addWidget(views_, 1);
  setCentralWidget(centre);
}

void MainWindow::build_tool_bars() {
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
  for (const char* id :
       {"tool_navigate", "tool_brush", "tool_eraser", "tool_window", "tool_line", "tool_place"})
    bar->addAction(actions_.at(id));
  add_region_button(*bar);
  bar->addSeparator();
  add({"run", "live"});
  add({"show_result", "show_seeds", "outline", "show_map"});
  add({"fit", "layout_four"});
  bar->addAction(actions_.at("keys"));
  map_bar_ = new MapBar(this);
  addToolBar(map_bar_);
  paint_bar_ = new PaintBar(workbench_,
                            {.sphere = actions_.at("brush_sphere"),
                             .edit_tools = {actions_.at("tool_edit"), actions_.at("tool_outline"),
                                            actions_.at("tool_part")}},
                            this);
  addToolBarBreak();
  addToolBar(paint_bar_);
  auto* edit_bar = new EditBar({.range = actions_.at("edit_range"),
                                .invert = actions_.at("edit_range_invert"),
                                .grow = actions_.at("label_grow"),
                                .shrink = actions_.at("label_shrink"),
                                .lock = actions_.at("label_lock")},
                               this);
  addToolBarBreak();
  addToolBar(edit_bar);
  auto* edit_tools = new EditTools(actions_, workbench_, runs_, *views_, *edit_bar, this);
  connect(edit_tools, &EditTools::said, this, &MainWindow::say);
}

void MainWindow::add_region_button(QToolBar& bar) {
  auto* button = new QToolButton(&bar);
  button->setPopupMode(QToolButton::MenuButtonPopup);
  auto* shapes = new QMenu(button);
  for (const char* id : {"tool_region", "tool_rectangle", "tool_ellipse"})
    shapes->addAction(actions_.at(id));
  button->setMenu(shapes);
  button->setDefaultAction(actions_.at("tool_region"));
  // The shape that was drawn last is the next.
  connect(shapes, &QMenu::triggered, button, &QToolButton::setDefaultAction);
  QAction* in_bar = bar.addWidget(button);
  const auto follow = [this, in_bar] {
    in_bar->setVisible(workbench_.has_image() && workbench_.image().geometry().is_2d());
  };
  connect(&workbench_, &Workbench::image_changed, in_bar, follow);
  follow();
}

QDockWidget* MainWindow::add_dock(const QString& title, const char* name, QWidget* content,
                                  Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(QString::fromLatin1(name));
  dock->setWidget(content);
  addDockWidget(area, dock);
  menus_->panels().addAction(dock->toggleViewAction());
  return dock;
}

void MainWindow::build_docks() {
  study_ = new StudyPanel(workbench_, this);
  QDockWidget* study = add_dock(tr("Study"), "dock_study", study_, Qt::LeftDockWidgetArea);
  add_case_dock(*study);
  auto* stroke_panel = new StrokePanel(workbench_, strokes_, actions_.at("withdraw_chosen"), this);
  QDockWidget* strokes =
      add_dock(tr("Strokes"), "dock_strokes", stroke_panel, Qt::LeftDockWidgetArea);
  auto* region_panel = new RegionPanel(region_model_,
                                       {.draw = actions_.at("tool_region"),
                                        .keep = actions_.at("regions_keep"),
                                        .work_on = actions_.at("work_on_region"),
                                        .remove = actions_.at("regions_remove")},
                                       this);
  regions_->follow(*region_panel);
  QDockWidget* regions =
      add_dock(tr("Regions"), "dock_regions", region_panel, Qt::LeftDockWidgetArea);
  tabifyDockWidget(strokes, regions);
  auto* object_panel = new ObjectPanel(object_model_, actions_.at("objects_save"), this);
  new ObjectCommands(actions_, object_model_, *object_panel, *views_, *files_, this);
  QDockWidget* objects =
      add_dock(tr("Objects"), "dock_objects", object_panel, Qt::LeftDockWidgetArea);
  tabifyDockWidget(regions, objects);
  connect(objects, &QDockWidget::visibilityChanged, object_panel, &ObjectPanel::set_seen);
  auto* channel_panel = new ChannelPanel(channels_->model(), this);
  connect(channel_panel, &ChannelPanel::work_wanted, parts_, &SlideParts::work_on_channel);
  connect(channel_panel, &ChannelPanel::automatic_wanted, channels_,
          &ShownChannels::set_automatic_window);
  QDockWidget* channels =
      add_dock(tr("Channels"), "dock_channels", channel_panel, Qt::LeftDockWidgetArea);
  tabifyDockWidget(objects, channels);
  channels->hide();
  connect(channels_, &ShownChannels::followed, channels, [channels](bool several) {
    if (several == channels->toggleViewAction()->isChecked()) return;
    channels->setVisible(several);
    if (several) channels->raise();
  });
  strokes->raise();
  run_panel_ = new RunPanel(runs_, run_model_,
                            {.restore = actions_.at("run_restore"),
                             .pin = actions_.at("run_pin"),
                             .pin_curve = actions_.at("run_pin_curve"),
                             .compare = actions_.at("compare"),
                             .copy_command = actions_.at("copy_command")},
                            this);
  QDockWidget* runs = add_dock(tr("Runs"), "dock_runs", run_panel_, Qt::LeftDockWidgetArea);

  auto* label_box = new QWidget(this);
  auto* column = new QVBoxLayout(label_box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* label_panel = new LabelPanel(workbench_, labels_, label_box);
  actions_.on("label_colour", [label_panel] { label_panel->choose_colour(); });
  actions_.on("label_remove", [label_panel] { label_panel->remove_label(); });
  connect(label_panel, &LabelPanel::context_menu_requested, menus_, &WindowMenus::show_label_menu);
  column->addWidget(label_panel, 1);
  column->addWidget(new ScoreStrip(workbench_, runs_, actions_.at("compare_reference"), label_box));
  auto* legend = new ResultLegend(
      workbench_, runs_, [this](Label label) { return views_->color_of_result(label); }, label_box);
  connect(legend, &ResultLegend::menu_requested, menus_, &WindowMenus::show_merge_menu);
  column->addWidget(legend);
  QDockWidget* labels = add_dock(tr("Labels"), "dock_labels", label_box, Qt::RightDockWidgetArea);
  auto* operation = new OperationPanel(workbench_, runs_,
                                       {.run = actions_.at("run"),
                                        .live = actions_.at("live"),
                                        .re_estimate = actions_.at("re_estimate"),
                                        .correct_result = actions_.at("correct_result"),
                                        .pick_place = actions_.at("tool_place"),
                                        .follow_pointer = actions_.at("follow_pointer")},
                                       this);
  connect(operation, &OperationPanel::slide_channel_wanted, parts_, &SlideParts::work_on_channel);
  connect(operation, &OperationPanel::input_file_wanted, files_, &FileCommands::ask_input);
  connect(operation, &OperationPanel::sweep_wanted, this,
          [this](const std::string& parameter) { show_sweep().sweep_parameter(parameter); });
  QDockWidget* operations = add_dock(tr("Operation"), "dock_operation", scrolled(operation, this),
                                     Qt::RightDockWidgetArea);
  compare_ = new ComparePanel({.difference = actions_.at("compare_difference"),
                               .wipe = actions_.at("compare_wipe"),
                               .side_by_side = actions_.at("compare_sides"),
                               .one_place = actions_.at("compare_blink"),
                               .swap = actions_.at("compare_swap"),
                               .keep_a = actions_.at("compare_keep_a"),
                               .end = actions_.at("compare_end")},
                              this);
  compare_dock_ = add_dock(tr("Comparison"), "dock_comparison", compare_, Qt::RightDockWidgetArea);
  tabifyDockWidget(operations, compare_dock_);
  compare_dock_->hide();
  operations->raise();
  plot_ = new PlotPanel(plot_model_, runs_,
                        {.pin = actions_.at("plot_pin"),
                         .copy_csv = actions_.at("plot_copy_csv"),
                         .copy_picture = actions_.at("plot_copy_picture"),
                         .save = actions_.at("plot_save")},
                        this);
  // Only below the views: plots are wide, and lists and values keep their height.
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  plot_dock_ = add_dock(tr("Plot"), "dock_plot", plot_, Qt::BottomDockWidgetArea);
  plot_dock_->hide();
  resizeDocks({study, strokes, runs}, {170, 300, 260}, Qt::Vertical);
  resizeDocks({labels, operations}, {270, 520}, Qt::Vertical);

  connect(stroke_panel, &StrokePanel::stroke_chosen, this,
          [this](const Vec3& place) { views_->settings().set_cursor(place); });
  connect(stroke_panel, &StrokePanel::selection_changed, views_, &ViewGrid::show_chosen_strokes);
  connect(&opener_, &FileOpener::item_opened, study_, &StudyPanel::show_scan);
  connect(study_, &StudyPanel::item_chosen, this,
          [this](const QString& path, const io::Scan& scan, std::size_t item) {
            files_->when_safe([this, path, scan, item] { opener_.open_item(scan, item, path); });
          });
}

void MainWindow::add_case_dock(QDockWidget& other) {
  constexpr int kHeight = 400;
  auto* panel = new CasePanel(cases_->model(),
                              {.previous = actions_.at("case_previous"),
                               .next = actions_.at("case_next"),
                               .done_and_next = actions_.at("case_done_and_next")},
                              this);
  connect(panel, &CasePanel::activated, cases_, &CaseCommands::go_to);
  QDockWidget* dock = add_dock(tr("Cases"), "dock_cases", panel, Qt::LeftDockWidgetArea);
  tabifyDockWidget(&other, dock);
  dock->hide();
  connect(cases_, &CaseCommands::list_changed, dock, [this, dock](bool is_open) {
    dock->setVisible(is_open);
    if (!is_open) return;
    dock->raise();
    // Once the panel has its place.
    QMetaObject::invokeMethod(
        this, [this, dock] { resizeDocks({dock}, {kHeight}, Qt::Vertical); }, Qt::QueuedConnection);
  });
}

void MainWindow::connect_paint_bar() {
  ViewSettings& settings = views_->settings();
  connect(&settings, &ViewSettings::brush_changed, paint_bar_, &PaintBar::show_brush);
  connect(&settings, &ViewSettings::display_changed, paint_bar_,
          [this](const DisplayState& display) { paint_bar_->show_overlay(display.overlay); });
  connect(paint_bar_, &PaintBar::radius_chosen, this, [&settings](double radius) {
    Brush brush = settings.brush();
    brush.radius_mm = radius;
    settings.set_brush(brush);
  });
  connect(paint_bar_, &PaintBar::opacity_chosen, this, [&settings](double opacity) {
    DisplayState display = settings.display();
    display.overlay.opacity = opacity;
    settings.set_display(display);
  });
  paint_bar_->show_brush(settings.brush());
  paint_bar_->show_overlay(settings.display().overlay);
}

void MainWindow::connect_map_bar() {
  MapDisplay& maps = views_->maps();
  const auto show = [this, &maps] {
    QStringList ids;
    QStringList titles;
    const DisplayedResult::OnScreen shown = runs_.displayed().on_screen();
    if (!shown.labels.empty()) {
      ids << QString();
      titles << tr("Labels");
    }
    for (const ScalarMap& map : shown.maps) {
      ids << QString::fromStdString(map.name);
      titles << map_title(map);
    }
    const ScalarMap* map = maps.shown();
    // While two runs are compared, neither is displayed alone; the chosen output still has a name.
    const ScalarMap* named = map == nullptr && shown.labels.empty() ? maps.chosen() : map;
    map_bar_->show_outputs(ids, titles,
                           named == nullptr ? QString() : QString::fromStdString(named->name));
    map_bar_->show_map(map, maps.style(), maps.has_automatic_range());
  };
  connect(&maps, &MapDisplay::changed, this, show);
  connect(map_bar_, &MapBar::output_chosen, &maps, &MapDisplay::choose);
  connect(map_bar_, &MapBar::style_chosen, &maps, &MapDisplay::set_style);
  connect(map_bar_, &MapBar::automatic_range_chosen, &maps, &MapDisplay::set_automatic_range);
  actions_.on("export_map", [this, &maps] { files_->export_map(maps.chosen()); });
}

void MainWindow::connect_status() {
  connect(&views_->pointer(), &PointerReadout::changed, status_, &StatusLine::show_readout);
  connect(&views_->pointer(), &PointerReadout::ended, status_, &StatusLine::clear_readout);
  connect(views_, &ViewGrid::slice_changed, this, [this](const QString& slice) {
    status_->show_slice(slice, workbench_.image().geometry());
  });
  connect(&runs_, &RunController::started, status_, &StatusLine::start_job);
  connect(&runs_, &RunController::progressed, status_, &StatusLine::show_progress);
  connect(&runs_, &RunController::ended, this,
          [this, failure = QString()](const QString& message) mutable {
            status_->end_job();
            // The failure of the previous run is out of date once another run has ended.
            status_->unsay(std::exchange(failure, message));
            if (!message.isEmpty()) say(message);
          });
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &MainWindow::show_run);
  connect(&runs_, &RunController::said, this, &MainWindow::say);
  connect(&opener_.task(), &NamedTask::started, status_, &StatusLine::start_job);
  connect(&opener_.task(), &NamedTask::progressed, status_, &StatusLine::show_progress);
  connect(&opener_.task(), &NamedTask::ended, status_, &StatusLine::end_job);
  connect(files_, &FileCommands::said, this, &MainWindow::say);
  connect(status_, &StatusLine::cancel_requested, this, [this] {
    opener_.task().cancel();
    runs_.cancel();
  });
}

void MainWindow::connect_comparison() {
  connect(&comparison_, &Comparison::ready, this, [this](const Compared& compared) {
    compare_->show_comparison(compared);
    views_->comparison().begin(compared);
    compare_dock_->show();
    compare_dock_->raise();
  });
  connect(&runs_.history(), &KeptRuns::changed, this, [this] {
    const auto& compared = views_->comparison().compared();  // a Dice may arrive late or change
    if (!compared) return;
    if (const auto now = comparison_.differences_of(compared->a.id, compared->b.id))
      compare_->show_differences(*now);
  });
  connect(&comparison_, &Comparison::waits, this, &MainWindow::say);
  connect(&comparison_, &Comparison::failed, this, &MainWindow::say);
  actions_.on("compare_swap", [this] {
    if (const auto& compared = views_->comparison().compared())
      comparison_.start(compared->b.id, compared->a.id);
  });
  actions_.on("compare", [this] {
    if (const auto pair = comparison_.pair_of(run_panel_->chosen())) {
      comparison_.start(pair->first, pair->second);
    }
  });
  actions_.on("compare_reference", [this] {
    comparison_.start_with(workbench_.reference().labels, workbench_.document().scored);
  });
  const auto enable = [this] {
    actions_.at("compare")->setEnabled(comparison_.pair_of(run_panel_->chosen()).has_value());
    actions_.at("compare_reference")
        ->setEnabled(!workbench_.reference().labels.empty() &&
                     !runs_.displayed().result().labels.empty());
  };
  connect(&workbench_, &Workbench::reference_changed, this, enable);
  connect(run_panel_, &RunPanel::choice_changed, this, enable);
  connect(&runs_.history(), &KeptRuns::changed, this, enable);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, enable);
  enable();
  connect(&views_->comparison(), &ShownComparison::changed, this, [this] {
    if (!views_->comparison().compared()) compare_dock_->hide();
  });
  connect(compare_dock_, &QDockWidget::visibilityChanged, this, [this] {
    if (compare_dock_->isHidden()) views_->comparison().end();
  });
}

void MainWindow::connect_plot() {
  // Shown, but not raised: the user keeps the current panel.
  connect(&plot_model_, &PlotModel::curve_came, plot_dock_, &QWidget::show);
  connect(plot_, &PlotPanel::said, this, &MainWindow::say);
  actions_.on("plot_save", [this] { files_->export_plot(plot_->csv(), plot_->picture()); });
}

void MainWindow::connect_command() {
  const auto wanted = [this] {
    const std::vector<std::uint64_t> chosen = run_panel_->chosen();
    if (chosen.empty()) return runs_.displayed().result().run;
    return chosen.size() == 1 ? chosen.front() : std::uint64_t{0};
  };
  actions_.on("copy_command", [this, wanted] {
    if (const std::uint64_t run = wanted(); run != 0) saver_.prepare_command(run);
  });
  const auto enable = [this, wanted] { actions_.at("copy_command")->setEnabled(wanted() != 0); };
  connect(run_panel_, &RunPanel::choice_changed, this, enable);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, enable);
  enable();
  connect(
      &saver_, &FileSaver::command_ready, this,
      [this](std::uint64_t run, const QString& command, const QStringList& files) {
        QGuiApplication::clipboard()->setText(command);
        say(files.isEmpty()
                ? tr("Copied the command of run %1; append --out FILE to save the result").arg(run)
                : tr("Copied the command of run %1, which reads %2")
                      .arg(run)
                      .arg(QDir::toNativeSeparators(files.join(QStringLiteral(", ")))));
      });
}

void MainWindow::show_run() {
  status_->show_run(runs_.displayed().run());
}

SweepDialog& MainWindow::show_sweep() {
  if (sweep_dialog_ == nullptr) {
    sweep_dialog_ = new SweepDialog(workbench_, runs_, sweep_, this);
    connect(sweep_dialog_, &SweepDialog::save_wanted, files_, &FileCommands::export_sweep);
  }
  sweep_dialog_->show();
  sweep_dialog_->raise();
  sweep_dialog_->activateWindow();
  return *sweep_dialog_;
}

void MainWindow::say(const QString& text) {
  status_->say(text);
}

void MainWindow::show_hint() {
  if (hint_ != nullptr || !HintCard::is_wanted()) return;
  hint_ = new HintCard(workbench_, centralWidget());
  centre_->addWidget(hint_);
  connect(hint_, &HintCard::closed, hint_, &QObject::deleteLater);
  // The hint describes the sample: its steps would be wrong for another image.
  connect(&workbench_, &Workbench::image_changed, hint_, [this] {
    const QString image = QString::fromStdString(workbench_.document().image.path.string());
    if (QDir(sample_folder()).relativeFilePath(image).startsWith(QLatin1String(".."))) {
      emit hint_->closed();
    }
  });
  connect(hint_, &QObject::destroyed, this, [this] { hint_ = nullptr; });
}

void MainWindow::rescue(const QString& what) {
  const bool saved = saver_.emergency_save();
  if (std::exchange(is_rescued_, true)) return;  // one message at a time
  auto* box =
      new QMessageBox(QMessageBox::Critical, tr("Unexpected error"),
                      tr("Unexpected error in Seedwave: %1.").arg(what), QMessageBox::Ok, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setObjectName(QStringLiteral("rescued"));
  box->setInformativeText(
      saved ? tr("Your work was saved automatically. Save the session and restart Seedwave.")
            : tr("Save the session now and restart Seedwave."));
  box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  connect(box, &QObject::destroyed, this, [this] { is_rescued_ = false; });
  box->open();
}

void MainWindow::restore_arrangement(const std::optional<QSize>& size) {
  keeps_arrangement_ = true;
  const QSettings settings;
  if (size) {
    resize(*size);
  } else {
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
  }
  is_arranged_ = restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
  for (const char* name : {"dock_comparison", "dock_plot", "dock_cases"})
    findChild<QDockWidget*>(QString::fromLatin1(name))->hide();
}

void MainWindow::update_title() {
  const QString what =
      saver_.session_path().isEmpty()
          ? QString::fromStdString(workbench_.document().image.path.filename().string())
          : QFileInfo(saver_.session_path()).fileName();
  setWindowTitle(what.isEmpty() ? tr("Seedwave") : tr("%1[*] – Seedwave").arg(what));
  setWindowModified(unsaved_.any());
}

/// Lists at the left and values at the right take two fifths of a small window, and less of a large
/// one.
void MainWindow::arrange_docks() {
  constexpr int kMostForLists = 280;
  constexpr int kMostForValues = 330;
  const int lists = std::min(kMostForLists, width() * 155 / 1000);
  const int values = std::min(kMostForValues, width() * 235 / 1000);
  resizeDocks({findChild<QDockWidget*>(QStringLiteral("dock_study")),
               findChild<QDockWidget*>(QStringLiteral("dock_labels"))},
              {lists, values}, Qt::Horizontal);
}

void MainWindow::showEvent(QShowEvent* event) {
  if (!std::exchange(is_arranged_, true)) arrange_docks();
  QMainWindow::showEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!may_close_) {
    event->ignore();
    files_->when_safe([this] {
      may_close_ = true;
      QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
    });
    return;
  }
  runs_.cancel();
  opener_.task().cancel();
  saver_.discard_autosave();
  if (keeps_arrangement_) {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState());
  }
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
  // The program that is the source of the drop waits for this to return, so dialogs are opened
  // later.
  QMetaObject::invokeMethod(
      this, [this, paths] { files_->open_dropped(paths); }, Qt::QueuedConnection);
}

}  // namespace seedwave::ui
