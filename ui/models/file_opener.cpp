// SPDX-License-Identifier: Apache-2.0
#include "ui/models/file_opener.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/engine/item_name.h"
#include "core/engine/resolve.h"
#include "core/image/label_counts.h"
#include "core/image/label_map.h"
#include "core/io/label_table.h"
#include "core/io/labels.h"
#include "core/io/region_file.h"
#include "core/io/slides/slide_item.h"
#include "core/session/session_labels.h"
#include "ui/models/path_text.h"

#include <QFileInfo>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <utility>

namespace seedwave::ui {

namespace fs = std::filesystem;

namespace {

/// Returns the item that a session names, or the first usable one.
std::size_t find_item(const io::Scan& scan, const std::string& series, const fs::path& path) {
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    const bool named = scan.items[i].series == series || std::to_string(i + 1) == series;
    if (!series.empty() && named && scan.items[i].usable) return i;
  }
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    if (scan.items[i].usable) return i;
  }
  throw InputError(path.string() + " contains no image that can be opened");
}

std::string why_nothing(const io::Scan& scan, const std::string& path) {
  for (const io::Item& item : scan.items) {
    if (!item.usable && !item.warnings.empty()) return path + ": " + item.warnings.back();
  }
  if (scan.skipped.size() == 1) {
    return scan.skipped.front().file.string() + ": " + scan.skipped.front().reason;
  }
  if (scan.skipped.empty()) return path + " contains no files";
  std::string text = path + " contains no image among its " + std::to_string(scan.skipped.size()) +
                     " files; the first: ";
  return text + scan.skipped.front().file.filename().string() + ": " + scan.skipped.front().reason;
}

std::vector<LabelEntry> with_names(std::vector<LabelEntry> labels,
                                   const std::vector<io::LabelName>& names, const SeedSet& seeds) {
  const auto entry = [&](Label id) -> LabelEntry& {
    const auto found = std::find_if(labels.begin(), labels.end(),
                                    [&](const LabelEntry& each) { return each.id == id; });
    if (found != labels.end()) return *found;
    labels.push_back(make_label(id, "label " + std::to_string(id)));
    return labels.back();
  };
  for (const io::LabelName& name : names) {
    if (name.id == 0) continue;  // erased voxels: nothing to show
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

struct NameTable {
  std::vector<io::LabelName> names;
  std::size_t left_out = 0;
};

NameTable read_name_table(const QString& path) {
  NameTable table{.names = io::load_label_table(to_path(path))};
  table.left_out =
      std::erase_if(table.names, [](const io::LabelName& name) { return name.id > kLargestLabel; });
  return table;
}

/// Returns why labels of an image did not become labels of the document; empty if all did.
QStringList left_out_of(const LabelCounts& counts) {
  if (counts.largest() <= kLargestLabel) return {};
  return {FileOpener::tr("label %1 was skipped: the largest supported label is %2")
              .arg(counts.largest())
              .arg(kLargestLabel)};
}

QStringList to_list(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts)
    list << QString::fromStdString(text);
  return list;
}

struct ReadSeeds {
  SeedSet seeds;
  std::vector<io::LabelName> names;
  QStringList warnings;
};

/// `level0`: LoadedImage::level0().
ReadSeeds read_seeds(const fs::path& path, const Geometry& grid, const Geometry& level0,
                     Context& context) {
  if (io::is_seed_file(path)) {
    io::SeedFile file = io::load_seeds(path, grid, level0);
    return {std::move(file.seeds), std::move(file.labels), {}};
  }
  const LabelMap labels = mask_as_label_1(io::load_labels(path, grid, context, level0));
  io::StoredNames stored = io::stored_names(path);
  std::erase_if(stored.names, [](const io::LabelName& name) { return name.id > kLargestLabel; });
  return {strokes_from(labels), stored.names,
          to_list(stored.warnings) + left_out_of(count_labels(labels))};
}

/// Returns what a session works on of an item.
io::Item viewed(const io::Item& item, const Source& image) {
  if (!item.slide || image.view.is_whole()) return item;
  try {
    return io::with_view(item, image.view);
  } catch (const UsageError&) {
    throw InputError(image.path.string() + " has no longer the part that the session works on");
  }
}

/// Turns a mask into label 1, unless label 255 is painted: scores compare equal labels. 65535
/// cannot be painted.
LabelMap as_reference(const LabelMap& labels, const SeedSet& painted) {
  const LabelMap mask = mask_as_label_1(labels);
  const bool same = mask.owner() == labels.owner();
  const bool is_painted =
      !same && std::any_of(painted.strokes.begin(), painted.strokes.end(),
                           [](const Stroke& each) { return each.label == 255; });
  return is_painted ? labels : mask;
}

/// Returns regions whose classes are labels of the same name, and adds labels for other classes.
Regions with_classes(const io::ReadRegions& read, std::vector<LabelEntry>& labels) {
  std::map<Label, Label> label_of;
  for (const io::LabelName& name : read.names) {
    const auto same = std::ranges::find(labels, name.name, &LabelEntry::name);
    if (same != labels.end()) {
      label_of[name.id] = same->id;
      continue;
    }
    std::set<Label> taken;
    for (const LabelEntry& label : labels)
      taken.insert(label.id);
    const Label id = free_label_id(1, taken);
    if (id == 0) continue;  // its regions have no class
    labels.push_back(make_label(id, name.name));
    if (!name.color.empty()) labels.back().color = name.color;
    label_of[name.id] = id;
  }
  Regions regions;
  for (const auto& region : read.regions)
    regions.push_back(relabelled(*region, region->label == 0 ? Label{0} : label_of[region->label]));
  return regions;
}

/// Returns the names of labels in a file; none if there are so many that they number objects, which
/// nobody has named.
std::vector<io::LabelName> names_in(const QString& labels) {
  constexpr std::size_t kMostNamed = 32;
  if (labels.isEmpty()) return {};
  std::vector<io::LabelName> names = io::stored_names(to_path(labels)).names;
  if (names.size() > kMostNamed) names.clear();
  std::erase_if(names, [](const io::LabelName& name) { return name.id > kLargestLabel; });
  return names;
}

struct ReadReference {
  LabelMap labels;
  LabelCounts counts;
  std::string failure;
};

/// Reads the reference of a document, and removes it there if that fails.
ReadReference read_reference(Document& document, const io::LoadedImage& image, Context& context) {
  ReadReference read;
  if (document.reference.path.empty()) return read;
  try {
    read.labels = as_reference(
        io::load_labels(document.reference.path, image.volume.geometry(), context, image.level0()),
        document.seeds);
    read.counts = count_labels(read.labels);
  } catch (const Error& error) {
    read.failure = std::string("the reference was not loaded: ") + error.what();
    document.reference = {};
  }
  return read;
}

}  // namespace

FileOpener::FileOpener(Workbench& workbench, RunController& runs, QObject* parent)
    : QObject(parent), workbench_(workbench), runs_(runs) {}

void FileOpener::start_image(const QString& what, const ReadImage& read) {
  const auto through_gate = [this](const Delivery& replace) -> Delivery {
    return [this, replace] {
      if (const auto gate = gate_) {  // a copy: it may set another one
        gate(replace);
      } else {
        replace();
      }
    };
  };
  const auto ask = [this, what, read, through_gate](const QString& message) {
    read_damaged_ = [this, what, read, through_gate] {
      task_.start(what, [read, through_gate](Context& context) {
        return through_gate(read(io::Damaged::Read, context));
      });
    };
    emit damage_found(message);
  };
  task_.start(what, [ask, read, through_gate](Context& context) -> Delivery {
    try {
      return through_gate(read(io::Damaged::Refuse, context));
    } catch (const io::DamagedError& error) {
      return [ask, message = QString::fromUtf8(error.what())] { ask(message); };
    }
  });
}

void FileOpener::open_damaged() {
  if (const auto read = std::exchange(read_damaged_, nullptr)) read();
}

void FileOpener::open(const QStringList& paths) {
  if (paths.isEmpty()) return;
  const QString what = tr("Opening %1").arg(QFileInfo(paths.front()).fileName());
  start_image(what, [this, paths, held = held_lock_](io::Damaged damaged, Context& context) {
    return read_paths(paths, held, damaged, context);
  });
}

FileOpener::Delivery FileOpener::read_paths(const QStringList& paths,
                                            const std::shared_ptr<SessionLock>& held,
                                            io::Damaged damaged, Context& context) {
  const OpenedTogether opened = sort_paths(paths, context);
  if (!opened.session.isEmpty() || opened.study.isEmpty()) {
    const Delivery delivery =
        opened.session.isEmpty()
            ? read_additions(opened)
            : read_session(to_path(opened.session), {}, session_use_, held, damaged, context);
    return [this, delivery, opened] {
      delivery();
      if (opened.several) tell_what_became(opened);
    };
  }
  if (const int item = opened.only_item(); item >= 0) {
    return read_study(opened, static_cast<std::size_t>(item), damaged, context);
  }
  if (std::any_of(opened.scan.items.begin(), opened.scan.items.end(),
                  [](const io::Item& each) { return each.usable; })) {
    return [this, opened] { emit choice_needed(opened); };
  }
  throw InputError(why_nothing(opened.scan, opened.study.toStdString()));
}

FileOpener::Delivery FileOpener::read_study(const OpenedTogether& opened, std::size_t item,
                                            io::Damaged damaged, Context& context) {
  const Delivery delivery =
      read_item(opened.scan, item, opened.study, opened.seeds, damaged, context);
  if (!opened.several) return delivery;
  // Read here because a separate job would be replaced by the next one.
  std::vector<io::LabelName> names;
  if (!opened.label_table.isEmpty()) names = read_name_table(opened.label_table).names;
  return [this, delivery, opened, names] {
    delivery();
    if (!names.empty()) take_label_names(names);
    tell_what_became(opened);
  };
}

FileOpener::Delivery FileOpener::read_additions(const OpenedTogether& opened) {
  if (opened.seeds.isEmpty())
    return [this, path = opened.label_table] { import_label_table(path); };
  const NameTable table =
      opened.label_table.isEmpty() ? NameTable{} : read_name_table(opened.label_table);
  return [this, seeds = opened.seeds, names = table.names] {
    if (!names.empty()) take_label_names(names);
    import_seeds(seeds);
  };
}

void FileOpener::tell_what_became(const OpenedTogether& opened) {
  const auto name = [](const QString& path) { return QFileInfo(path).fileName(); };
  QStringList lines;
  if (!opened.session.isEmpty()) lines << tr("Opened the session %1").arg(name(opened.session));
  if (!opened.study.isEmpty()) lines << tr("Opened %1").arg(name(opened.study));
  if (!opened.seeds.isEmpty()) lines << tr("strokes from %1").arg(name(opened.seeds));
  if (!opened.label_table.isEmpty()) lines << tr("labels from %1").arg(name(opened.label_table));
  lines << opened.left_out;
  emit told(lines);
  if (!opened.reference.isEmpty()) emit reference_offered(opened.reference);
}

void FileOpener::open_chosen(const OpenedTogether& opened, std::size_t item) {
  start_image(tr("Opening %1").arg(QFileInfo(opened.study).fileName()),
              [this, opened, item](io::Damaged damaged, Context& context) {
                return read_study(opened, item, damaged, context);
              });
}

void FileOpener::open_item(const io::Scan& scan, std::size_t item, const QString& path) {
  start_image(tr("Opening %1").arg(QFileInfo(path).fileName()),
              [this, scan, item, path](io::Damaged damaged, Context& context) {
                return read_item(scan, item, path, {}, damaged, context);
              });
}

void FileOpener::open_case(const CaseFiles& files) {
  start_image(tr("Opening %1").arg(QFileInfo(to_text(files.image.path)).fileName()),
              [this, files](io::Damaged damaged, Context& context) {
                return read_case(files, damaged, context);
              });
}

FileOpener::Delivery FileOpener::read_case(const CaseFiles& files, io::Damaged damaged,
                                           Context& context) {
  const io::Scan scan = io::scan(files.image.path, context);
  const std::size_t item = find_item(scan, files.image.series, files.image.path);
  const Delivery delivery = read_item(scan, item, to_text(files.image.path), {}, damaged, context);
  const std::vector<io::LabelName> names = names_in(files.labels);
  return [this, delivery, files, names] {
    delivery();
    if (!files.labels.isEmpty()) {
      start_from(files.labels, names);
      runs_.run();
    }
    if (!files.reference.isEmpty()) import_reference(files.reference);
  };
}

void FileOpener::start_from(const QString& labels, const std::vector<io::LabelName>& names) {
  if (!names.empty()) take_label_names(names);
  workbench_.steps().set_operation("segment", tr("Segment"));
  workbench_.steps().set_input("start", InputChoice{.file = {.path = to_path(labels)}});
  workbench_.steps().undo_stack().clear();  // as it opens
}

void FileOpener::open_work(const CaseToWorkOn& one) {
  start_image(tr("Opening %1").arg(one.name),
              [this, one, held = held_lock_, channel = workbench_.document().channel](
                  io::Damaged damaged, Context& context) -> Delivery {
                QString message;
                try {
                  return read_work(one, channel, held, damaged, context);
                } catch (const io::DamagedError& error) {
                  if (one.asks_about_damage) throw;
                  message = QString::fromUtf8(error.what());
                } catch (const Error& error) {
                  message = QString::fromUtf8(error.what());
                } catch (const std::bad_alloc&) {
                  message = tr("There is not enough memory.");
                }
                return [this, name = one.name, message] { emit case_failed(name, message); };
              });
}

FileOpener::Delivery FileOpener::read_work(const CaseToWorkOn& one, const std::string& channel,
                                           const std::shared_ptr<SessionLock>& held,
                                           io::Damaged damaged, Context& context) {
  std::error_code unreadable;
  if (!fs::exists(one.session, unreadable) && !unreadable)
    return read_new_work(one, channel, held, damaged, context);
  OpenSession::Read read = OpenSession::open(one.session, held);
  read.session.document.image.path = fs::absolute(one.files.image.path);
  fs::path& reference = read.session.document.reference.path;
  if (!one.files.reference.isEmpty() && !fs::exists(reference, unreadable))
    reference = fs::absolute(to_path(one.files.reference));
  return read_image_of(one.session, std::move(read), SessionUse::Own, damaged, context);
}

FileOpener::Delivery FileOpener::read_new_work(const CaseToWorkOn& one, const std::string& channel,
                                               const std::shared_ptr<SessionLock>& held,
                                               io::Damaged damaged, Context& context) {
  const std::shared_ptr<OpenSession> file = OpenSession::create(one.session, held);
  const Source& image = one.files.image;
  const io::Scan scan = io::scan(image.path, context);
  const std::size_t item = find_item(scan, image.series, image.path);
  const io::LoadedImage loaded = io::load(scan.items[item], context, damaged);
  const PreparedImage prepared = prepare(loaded, scan.items[item].kind, channel);
  const Source source{.path = fs::absolute(image.path),
                      .series = name_of_item(scan, item),
                      .digest = xxh64_digest(loaded.volume.bytes())};
  ReadSeeds with;
  if (!one.seeds.isEmpty())
    with = read_seeds(to_path(one.seeds), loaded.volume.geometry(), loaded.level0(), context);
  Document document;
  document.seeds = with.seeds;
  if (!one.files.reference.isEmpty())
    document.reference.path = fs::absolute(to_path(one.files.reference));
  const ReadReference reference = read_reference(document, loaded, context);
  std::vector<io::LabelName> names;
  if (!reference.labels.empty()) names = io::stored_names(document.reference.path).names;
  const std::vector<io::LabelName> start_names = names_in(one.files.labels);
  QStringList warnings = to_list(loaded.warnings) + with.warnings;
  if (!reference.failure.empty()) warnings << QString::fromStdString(reference.failure);
  return [this, one, file, scan, item, prepared, source, with, document, reference, names,
          start_names, warnings] {
    left_.clear();
    item_ = scan.items[item];
    std::vector<LabelEntry> labels = workbench_.document().labels;
    if (!workbench_.has_image())
      labels = prepared.loaded.slide != nullptr ? default_labels_of_slide() : default_labels();
    workbench_.set_next_case(prepared, source, with.seeds,
                             with_names(labels, with.names, with.seeds));
    if (!one.files.labels.isEmpty()) start_from(one.files.labels, start_names);
    if (!reference.labels.empty())
      workbench_.set_reference(reference.labels, document.reference, reference.counts, names);
    workbench_.steps().undo_stack().clear();  // as it opens
    emit item_opened(to_text(source.path), scan, item);
    emit session_opened(to_text(one.session), file, SessionUse::Own);
    if (!warnings.empty()) emit warned(warnings);
  };
}

FileOpener::Delivery FileOpener::read_item(const io::Scan& scan, std::size_t item,
                                           const QString& path, const QString& seeds,
                                           io::Damaged damaged, Context& context) {
  const io::LoadedImage loaded = io::load(scan.items[item], context, damaged);
  const PreparedImage prepared = prepare(loaded, scan.items[item].kind);
  const Source source{.path = fs::absolute(to_path(path)),
                      .series = name_of_item(scan, item),
                      .digest = xxh64_digest(loaded.volume.bytes())};
  // Seeds that were opened with the study are part of it: they are not an undo step, and no run
  // starts before the user asks for one.
  ReadSeeds with;
  if (!seeds.isEmpty()) {
    with = read_seeds(to_path(seeds), loaded.volume.geometry(), loaded.level0(), context);
  }
  return [this, prepared, source, path, with, scan, item] {
    left_.clear();
    item_ = scan.items[item];
    const auto labels =
        prepared.loaded.slide != nullptr ? default_labels_of_slide() : default_labels();
    workbench_.set_image(prepared, source, with.seeds, with_names(labels, with.names, with.seeds));
    emit item_opened(path, scan, item);
    emit image_opened(path);
    const QStringList warnings = to_list(prepared.loaded.warnings) + with.warnings;
    if (!warnings.empty()) emit warned(warnings);
  };
}

void FileOpener::import_seeds(const QString& path) {
  if (!workbench_.has_image()) {
    emit task_.failed(tr("Importing seeds"),
                      tr("%1 contains strokes. Open their study first.").arg(path));
    return;
  }
  task_.start(tr("Importing seeds"),
              [this, path = to_path(path), grid = workbench_.image().geometry(),
               level0 = workbench_.opened().loaded.level0()](Context& context) {
                const ReadSeeds read = read_seeds(path, grid, level0, context);
                return [this, read] {
                  workbench_.steps().import_seeds(
                      read.seeds, with_names(workbench_.document().labels, read.names, read.seeds));
                  if (!read.warnings.empty()) emit warned(read.warnings);
                };
              });
}

void FileOpener::take_label_names(const std::vector<io::LabelName>& names) {
  workbench_.steps().set_labels(with_names(workbench_.document().labels, names, {}),
                                tr("label table"));
}

void FileOpener::import_label_table(const QString& path) {
  task_.start(tr("Reading the label table"), [this, path](Context&) {
    return [this, path, table = read_name_table(path)] {
      take_label_names(table.names);
      QStringList lines{
          tr("%1: names and colours of %n label(s)", nullptr, static_cast<int>(table.names.size()))
              .arg(QFileInfo(path).fileName())};
      if (table.left_out > 0) {
        lines << tr("%n label(s) above %1 skipped", nullptr, static_cast<int>(table.left_out))
                     .arg(kLargestLabel);
      }
      emit told(lines);
    };
  });
}

void FileOpener::import_reference(const QString& path, LabelFit fit) {
  if (!workbench_.has_image()) {
    emit task_.failed(tr("Importing a reference"), tr("Open its study first."));
    return;
  }
  task_.start(tr("Importing a reference"),
              [this, path, fit, grid = workbench_.image().geometry(),
               level0 = workbench_.opened().loaded.level0(),
               painted = workbench_.document().seeds](Context& context) -> Delivery {
                const fs::path file = to_path(path);
                const Source source{.path = fs::absolute(file), .series = {}, .digest = {}};
                const LabelMap theirs = io::is_region_file(file)
                                            ? io::load_labels(file, grid, context, level0)
                                            : io::read_labels(file, context, grid);
                std::optional<LabelMap> labels;
                if (fit == LabelFit::Exact) labels = io::fit_labels(theirs, grid);
                if (fit == LabelFit::UseImageGeometry) labels = io::use_grid_of_image(theirs, grid);
                if (fit == LabelFit::ResampleNearest) {
                  labels = io::resample_labels_nearest(theirs, grid, context);
                }
                if (labels) {
                  labels = as_reference(*labels, painted);
                  const LabelCounts counts = count_labels(*labels);
                  return [this, labels = *labels, source, counts, beside = io::stored_names(file)] {
                    workbench_.set_reference(labels, source, counts, beside.names);
                    const QStringList warnings = to_list(beside.warnings) + left_out_of(counts);
                    if (!warnings.empty()) emit warned(warnings);
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

void FileOpener::import_regions(const QString& path) {
  if (!workbench_.has_image()) {
    emit task_.failed(tr("Importing regions"), tr("Open their image first."));
    return;
  }
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  task_.start(
      tr("Importing regions"),
      [this, path = to_path(path),
       grid = loaded.slide ? loaded.level0() : loaded.volume.geometry()](Context& context) {
        const io::ReadRegions read = io::read_regions(path, grid, context);
        return [this, read] {
          std::vector<LabelEntry> labels = workbench_.document().labels;
          Regions regions = workbench_.document().regions;
          const Regions added = with_classes(read, labels);
          regions.insert(regions.end(), added.begin(), added.end());
          workbench_.steps().set_regions(std::move(regions), labels, tr("import of regions"));
          emit told(QStringList(tr("%n region(s) added", nullptr, static_cast<int>(added.size()))) +
                    to_list(read.warnings));
        };
      });
}

void FileOpener::import_input(const QString& input, const QString& path) {
  if (!workbench_.has_image()) {
    emit task_.failed(tr("Importing a %1").arg(input), tr("Open its study first."));
    return;
  }
  task_.start(tr("Importing a %1").arg(input),
              [this, input, path, of = runs_.next().case_for({})](Context& context) {
                const Source file{.path = fs::absolute(to_path(path)), .series = {}, .digest = {}};
                // Read now, so that an unsuitable file is reported with its reason here and not by
                // the next run.
                (void)read_input(input.toStdString(), file, of, of.channel, context);
                return [this, input = input.toStdString(), file] {
                  workbench_.steps().set_input(input, InputChoice{.file = file});
                };
              });
}

void FileOpener::open_part(const io::SlideView& view) {
  if (workbench_.opened().loaded.slide == nullptr) return;
  Document document = workbench_.document();
  document.image.view = view;
  document.image.digest.clear();
  document.view.zoom = 1.0;
  task_.start(tr("Opening the part"),
              [this, document, slide = workbench_.opened().loaded.slide, item = item_](
                  Context& context) { return read_part(document, slide, item, context); });
}

int FileOpener::other_edited_parts() const {
  const io::SlideView& open = workbench_.document().image.view;
  return static_cast<int>(std::ranges::count_if(left_, [&open](const LeftPart& part) {
    return part.view != open && !part.edits.drawn.empty();
  }));
}

void FileOpener::leave_part() {
  const Document& document = workbench_.document();
  std::erase_if(left_, [&](const LeftPart& part) { return part.view == document.image.view; });
  left_.push_back({.view = document.image.view,
                   .edits = document.edits,
                   .inputs = document.inputs,
                   .reference = document.reference.path,
                   .runs = runs_.history().runs()});
}

FileOpener::Delivery FileOpener::read_part(Document document,
                                           const std::shared_ptr<const io::Slide>& slide,
                                           const io::Item& item, Context& context) {
  const io::LoadedImage loaded =
      io::load_part(slide, viewed(item, document.image), context, io::Damaged::Read);
  document.image.digest = xxh64_digest(loaded.volume.bytes());
  document.view.cursor = loaded.volume.geometry().centre();
  const ReadReference reference = read_reference(document, loaded, context);
  PreparedImage prepared = prepare(loaded, io::ItemKind::Slide, document.channel);
  prepared.surroundings = io::read_surroundings(loaded, context);
  return [this, document, prepared, reference]() mutable {
    leave_part();
    const auto known = std::ranges::find(left_, document.image.view, &LeftPart::view);
    const bool is_known = known != left_.end();
    document.edits = is_known ? known->edits : Edits();
    document.inputs = is_known ? known->inputs : std::map<std::string, InputChoices>();
    // Strokes, regions and labels as they are now, after the reading.
    const Document& now = workbench_.document();
    document.seeds = now.seeds;
    document.regions = now.regions;
    document.labels = now.labels;
    document.current_label = now.current_label;
    workbench_.set_part(prepared, document);
    if (is_known) runs_.restore_history(known->runs);
    if (!reference.labels.empty())
      workbench_.set_reference(reference.labels, document.reference, reference.counts);
    emit part_opened();
    // One that did not lie on the part that is left now.
    const bool is_missed = is_known && document.reference.path.empty() && !known->reference.empty();
    if (is_missed) import_reference(to_text(known->reference));
    QStringList warnings = to_list(prepared.loaded.warnings);
    if (!reference.failure.empty()) warnings << QString::fromStdString(reference.failure);
    if (!warnings.empty()) emit warned(warnings);
  };
}

void FileOpener::open_session(const fs::path& path, const QString& image, SessionUse use) {
  const QString what = use == SessionUse::Recovered
                           ? tr("Recovering the session")
                           : tr("Opening %1").arg(QFileInfo(to_text(path)).fileName());
  start_image(what,
              [this, path, image, use, held = held_lock_](io::Damaged damaged, Context& context) {
                return read_session(path, image, use, held, damaged, context);
              });
}

FileOpener::Delivery FileOpener::read_session(const fs::path& path, const QString& image,
                                              SessionUse use,
                                              const std::shared_ptr<SessionLock>& held,
                                              io::Damaged damaged, Context& context) {
  OpenSession::Read read;
  try {
    read = use == SessionUse::Own ? OpenSession::open(path, held)
                                  : OpenSession::Read{.session = load_session(path), .file = {}};
  } catch (const SessionInUse& in_use) {
    return [this, path, image, holder = QString::fromStdString(in_use.holder())] {
      emit session_in_use(to_text(path), image, holder);
    };
  }
  fs::path& path_of_image = read.session.document.image.path;
  if (!image.isEmpty()) path_of_image = fs::absolute(to_path(image));
  if (!fs::exists(path_of_image)) {
    return [this, path, missing = to_text(path_of_image), use] {
      emit image_missing(to_text(path), missing, use);
    };
  }
  return read_image_of(path, std::move(read), use, damaged, context);
}

FileOpener::Delivery FileOpener::read_image_of(const fs::path& path, OpenSession::Read read,
                                               SessionUse use, io::Damaged damaged,
                                               Context& context) {
  SessionFile& session = read.session;
  Document& document = session.document;
  const io::Scan scan = io::scan(document.image.path, context);
  const std::size_t item = find_item(scan, document.image.series, document.image.path);
  const io::LoadedImage loaded =
      io::load(viewed(scan.items[item], document.image), context, damaged);
  const std::string digest = xxh64_digest(loaded.volume.bytes());
  if (!document.image.digest.empty() && document.image.digest != digest) {
    session.warnings.push_back(document.image.path.string() +
                               " is not the image of the session: strokes and results may not fit");
  }
  document.image.digest = digest;
  if (!document.edits.empty() && document.edits.size != loaded.volume.geometry().size) {
    document.edits = {};
    session.warnings.emplace_back(
        "the edits by hand were left out: the image has another size than when they were made");
  }
  drop_labels_on_other_grids(session.runs, loaded.volume.geometry(), session.warnings);
  const ReadReference reference = read_reference(document, loaded, context);
  if (!reference.failure.empty()) session.warnings.push_back(reference.failure);
  PreparedImage prepared = prepare(loaded, scan.items[item].kind, document.channel);
  prepared.surroundings = io::read_surroundings(loaded, context);
  return [this, path, use, session, file = read.file, prepared, reference, scan, item] {
    left_.clear();
    item_ = scan.items[item];
    workbench_.set_image(prepared, session.document);
    if (!reference.labels.empty()) {
      workbench_.set_reference(reference.labels, session.document.reference, reference.counts);
    }
    runs_.restore_history(session.runs);
    emit item_opened(to_text(session.document.image.path), scan, item);
    emit session_opened(to_text(path), file, use);
    QStringList warnings = to_list(session.warnings);
    if (const std::string unknown = runs_.next().unknown_operation(); !unknown.empty()) {
      warnings << tr("this version has no operation '%1': %2 was chosen instead")
                      .arg(QString::fromStdString(unknown),
                           QString::fromStdString(runs_.next().operation().title));
    }
    if (!warnings.empty()) emit warned(warnings);
  };
}

NamedTask::NamedTask(QObject* parent) : QObject(parent) {
  connect(&task_, &BackgroundTask::progressed, this, &NamedTask::progressed);
  connect(&task_, &BackgroundTask::ended, this, &NamedTask::ended);
  connect(&task_, &BackgroundTask::failed, this,
          [this](const QString& message) { emit failed(what_, message); });
}

void NamedTask::start(const QString& what, BackgroundTask::Work work) {
  const bool was_busy = busy();
  task_.start(std::move(work));
  what_ = what;
  if (was_busy) emit ended();
  emit started(what);
}

void NamedTask::cancel() {
  if (!busy()) return;
  task_.cancel();
  emit ended();
  emit cancelled();
}

}  // namespace seedwave::ui
