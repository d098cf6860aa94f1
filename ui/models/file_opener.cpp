// SPDX-License-Identifier: Apache-2.0
#include "ui/models/file_opener.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/io/labels.h"

#include <QFileInfo>
#include <QMetaObject>

#include <algorithm>
#include <set>
#include <utility>

namespace seedwave::ui {

namespace fs = std::filesystem;

namespace {

/// Paths of the file system are UTF-8 bytes; QString is UTF-16.
fs::path to_path(const QString& text) {
  return {text.toStdString()};
}
QString to_text(const fs::path& path) {
  return QString::fromStdString(path.string());
}

/// How a session names an item: its series UID where that is enough, else its place in the scan.
std::string name_of_item(const io::Scan& scan, std::size_t item) {
  if (scan.items.size() == 1) return {};
  const std::string& series = scan.items[item].series;
  const auto same = std::count_if(scan.items.begin(), scan.items.end(),
                                  [&](const io::Item& each) { return each.series == series; });
  return series.empty() || same > 1 ? std::to_string(item + 1) : series;
}

/// The item that a session named, or the only usable one.
std::size_t find_item(const io::Scan& scan, const std::string& series, const fs::path& path) {
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    const bool named = scan.items[i].series == series || std::to_string(i + 1) == series;
    if (!series.empty() && named && scan.items[i].usable) return i;
  }
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    if (scan.items[i].usable) return i;
  }
  throw InputError(path.string() + " holds no image that can be opened");
}

std::string why_nothing(const io::Scan& scan, const std::string& path) {
  for (const io::Item& item : scan.items) {
    if (!item.usable && !item.warnings.empty()) return path + ": " + item.warnings.back();
  }
  if (scan.skipped.size() == 1) {
    return scan.skipped.front().file.string() + ": " + scan.skipped.front().reason;
  }
  if (scan.skipped.empty()) return path + " holds no files";
  std::string text = path + " holds no image among its " + std::to_string(scan.skipped.size()) +
                     " files; the first: ";
  return text + scan.skipped.front().file.filename().string() + ": " + scan.skipped.front().reason;
}

std::vector<LabelEntry> with_names(std::vector<LabelEntry> labels,
                                   const std::vector<io::LabelName>& names, const SeedSet& seeds) {
  const auto entry = [&](std::uint16_t id) -> LabelEntry& {
    const auto found = std::find_if(labels.begin(), labels.end(),
                                    [&](const LabelEntry& each) { return each.id == id; });
    if (found != labels.end()) return *found;
    labels.push_back(make_label(id, "label " + std::to_string(id)));
    return labels.back();
  };
  for (const io::LabelName& name : names) {
    LabelEntry& label = entry(name.id);
    if (!name.name.empty()) label.name = name.name;
    if (!name.color.empty()) label.color = name.color;
    label.opacity = name.opacity;
  }
  for (const Stroke& stroke : seeds.strokes) {
    if (stroke.label != 0) entry(stroke.label);
  }
  return labels;
}

std::set<std::uint16_t> ids_of(const LabelMap& labels) {
  std::set<std::uint16_t> ids;
  if (labels.empty()) return ids;
  for (const auto& [id, count] : count_labels(labels))
    ids.insert(id);
  return ids;
}

struct ReadSeeds {
  SeedSet seeds;
  std::vector<io::LabelName> names;
};

ReadSeeds read_seeds(const fs::path& path, const Geometry& grid, Context& context) {
  if (io::is_seed_file(path)) {
    io::SeedFile file = io::load_seeds(path, grid);
    return {std::move(file.seeds), std::move(file.labels)};
  }
  return {strokes_from(io::load_labels(path, grid, context)), {}};
}

QStringList to_list(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts)
    list << QString::fromStdString(text);
  return list;
}

}  // namespace

FileOpener::FileOpener(Workbench& workbench, RunController& runs, QObject* parent)
    : QObject(parent),
      workbench_(workbench),
      runs_(runs),
      jobs_(
          [this](std::uint64_t job, const std::string& stage, double fraction) {
            QMetaObject::invokeMethod(
                this,
                [this, job, name = QString::fromStdString(stage), fraction] {
                  if (job_ && job_->number == job) emit progressed(name, fraction);
                },
                Qt::QueuedConnection);
          },
          [this](std::uint64_t job, const JobOutcome& outcome) {
            QMetaObject::invokeMethod(
                this, [this, job, outcome] { finish(job, outcome); }, Qt::QueuedConnection);
          }) {}

FileOpener::~FileOpener() {
  jobs_.cancel();
}

void FileOpener::start(const QString& what, std::function<Delivery(Context&)> read) {
  const bool was_busy = busy();
  auto delivery = std::make_shared<Delivery>();
  const std::uint64_t number = jobs_.submit(
      [delivery, read = std::move(read)](Context& context) { *delivery = read(context); });
  job_ = Job{number, what, delivery};
  if (was_busy) emit ended();
  emit started(what);
}

void FileOpener::finish(std::uint64_t job, const JobOutcome& outcome) {
  if (!job_ || job_->number != job) return;  // replaced by a newer one
  const Job done = *job_;
  job_.reset();
  emit ended();
  if (outcome.end == JobEnd::Failed) {
    emit failed(done.what, QString::fromStdString(outcome.message));
  } else if (outcome.end == JobEnd::Done && *done.delivery) {
    (*done.delivery)();
  }
}

void FileOpener::cancel() {
  jobs_.cancel();
  // What comes in from now on is late: the window is free at once.
  if (!job_) return;
  job_.reset();
  emit ended();
}

void FileOpener::open(const QStringList& paths) {
  if (paths.isEmpty()) return;
  const QString what = tr("Opening %1").arg(QFileInfo(paths.front()).fileName());
  start(what, [this, paths](Context& context) { return read_paths(paths, context); });
}

FileOpener::Delivery FileOpener::read_paths(const QStringList& paths, Context& context) {
  io::Scan scan;
  QString image_path;
  QString seeds;
  for (const QString& text : paths) {
    const fs::path path = to_path(text);
    if (fs::is_regular_file(path) && is_session_file(path)) {
      return read_session(path, {}, false, context);
    }
    if (fs::is_regular_file(path) && io::is_seed_file(path)) {
      seeds = text;
      continue;
    }
    if (image_path.isEmpty()) image_path = text;
    io::Scan part = io::scan(path, context);
    std::move(part.items.begin(), part.items.end(), std::back_inserter(scan.items));
    std::move(part.skipped.begin(), part.skipped.end(), std::back_inserter(scan.skipped));
  }
  if (image_path.isEmpty()) {
    return [this, seeds] { import_seeds(seeds); };
  }
  const auto usable = std::count_if(scan.items.begin(), scan.items.end(),
                                    [](const io::Item& item) { return item.usable; });
  if (usable == 0) throw InputError(why_nothing(scan, image_path.toStdString()));
  if (usable == 1) {
    const std::size_t item = find_item(scan, {}, to_path(image_path));
    return read_item(scan, item, image_path, seeds, context);
  }
  return [this, image_path, scan, seeds] {
    seeds_to_follow_ = seeds;
    emit choice_needed(image_path, scan);
  };
}

void FileOpener::open_item(const io::Scan& scan, std::size_t item, const QString& path) {
  start(tr("Opening %1").arg(QFileInfo(path).fileName()),
        [this, scan, item, path, seeds = std::exchange(seeds_to_follow_, {})](Context& context) {
          return read_item(scan, item, path, seeds, context);
        });
}

FileOpener::Delivery FileOpener::read_item(const io::Scan& scan, std::size_t item,
                                           const QString& path, const QString& seeds,
                                           Context& context) {
  const io::LoadedImage loaded = io::load(scan.items[item], context);
  const PreparedImage prepared = prepare(loaded, scan.items[item].kind);
  const Source source{.path = fs::absolute(to_path(path)),
                      .series = name_of_item(scan, item),
                      .digest = xxh64_digest(loaded.volume.bytes())};
  // Seeds that were opened with the study belong to what was opened: no step that undo takes back,
  // and no run before the user asks for one.
  ReadSeeds with;
  if (!seeds.isEmpty()) {
    with = read_seeds(to_path(seeds), loaded.volume.geometry(), context);
  }
  return [this, prepared, source, path, with, scan, item] {
    workbench_.set_image(prepared, source, with.seeds,
                         with_names(default_labels(), with.names, with.seeds));
    emit item_opened(path, scan, item);
    emit image_opened(path);
    const std::vector<std::string>& warnings = prepared.loaded.warnings;
    if (!warnings.empty()) emit warned(to_list(warnings));
  };
}

void FileOpener::import_seeds(const QString& path) {
  if (!workbench_.has_image()) {
    emit failed(tr("Importing seeds"),
                tr("%1 holds strokes: open the study that they belong to first.").arg(path));
    return;
  }
  start(tr("Importing seeds"),
        [this, path = to_path(path), grid = workbench_.image().geometry()](Context& context) {
          const ReadSeeds read = read_seeds(path, grid, context);
          return [this, read] {
            workbench_.import_seeds(
                read.seeds, with_names(workbench_.document().labels, read.names, read.seeds));
          };
        });
}

void FileOpener::import_reference(const QString& path, LabelFit fit) {
  if (!workbench_.has_image()) {
    emit failed(tr("Importing a reference"), tr("Open the study that it belongs to first."));
    return;
  }
  start(tr("Importing a reference"),
        [this, path, fit, grid = workbench_.image().geometry()](Context& context) -> Delivery {
          const fs::path file = to_path(path);
          const Source source{.path = fs::absolute(file), .series = {}, .digest = {}};
          const LabelMap theirs = io::read_labels(file, context);
          std::optional<LabelMap> labels;
          if (fit == LabelFit::Exact) labels = io::fit_labels(theirs, grid);
          if (fit == LabelFit::UseImageGeometry) labels = io::use_grid_of_image(theirs, grid);
          if (fit == LabelFit::ResampleNearest) {
            labels = io::resample_labels_nearest(theirs, grid, context);
          }
          if (labels) {
            const std::set<std::uint16_t> ids = ids_of(*labels);
            return [this, labels = *labels, source, ids] {
              workbench_.set_reference(labels, source, ids);
            };
          }
          const QString message =
              tr("The image: %1.\nThe labels: %2.")
                  .arg(QString::fromStdString(io::describe_placement(grid)),
                       QString::fromStdString(io::describe_placement(theirs.geometry())));
          return [this, path, message, same_size = theirs.geometry().size == grid.size] {
            emit grids_differ(path, message, same_size);
          };
        });
}

void FileOpener::recover(const fs::path& session) {
  start(tr("Recovering the session"),
        [this, session](Context& context) { return read_session(session, {}, true, context); });
}

void FileOpener::open_session_with_image(const QString& session, const QString& image) {
  start(tr("Opening %1").arg(QFileInfo(session).fileName()),
        [this, session, image](Context& context) {
          return read_session(to_path(session), image, false, context);
        });
}

FileOpener::Delivery FileOpener::read_session(const fs::path& path, const QString& image,
                                              bool recovered, Context& context) {
  SessionFile session = load_session(path);
  Document& document = session.document;
  if (!image.isEmpty()) document.image.path = fs::absolute(to_path(image));
  if (!fs::exists(document.image.path)) {
    return [this, session_path = to_text(path), missing = to_text(document.image.path)] {
      emit image_missing(session_path, missing);
    };
  }
  const io::Scan scan = io::scan(document.image.path, context);
  const std::size_t item = find_item(scan, document.image.series, document.image.path);
  const io::LoadedImage loaded = io::load(scan.items[item], context);
  const std::string digest = xxh64_digest(loaded.volume.bytes());
  if (!document.image.digest.empty() && document.image.digest != digest) {
    session.warnings.push_back(document.image.path.string() +
                               " is not the image that the session was made with: strokes and "
                               "results may not fit");
  }
  document.image.digest = digest;
  LabelMap reference;
  if (!document.reference.path.empty()) {
    try {
      reference = io::load_labels(document.reference.path, loaded.volume.geometry(), context);
    } catch (const Error& error) {
      session.warnings.push_back(std::string("the reference was left out: ") + error.what());
      document.reference = {};
    }
  }
  const PreparedImage prepared = prepare(loaded, scan.items[item].kind, document.channel);
  return [this, session, prepared, reference, scan, item, ids = ids_of(reference),
          own = recovered ? QString() : to_text(path)] {
    workbench_.set_image(prepared, session.document);
    if (!reference.empty()) {
      workbench_.set_reference(reference, session.document.reference, ids);
    }
    runs_.restore_history(session.runs);
    emit item_opened(to_text(session.document.image.path), scan, item);
    emit session_opened(own);
    if (!session.warnings.empty()) emit warned(to_list(session.warnings));
  };
}

}  // namespace seedwave::ui
