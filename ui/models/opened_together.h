// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "core/parallel/context.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace seedwave::ui {

/// Files and folders that were opened together, sorted by their content into the study and its
/// additions.
struct OpenedTogether {
  /// A session has its own image and strokes: nothing else is opened with it.
  QString session;
  /// The scan of the files that contain images, and the path of the first.
  io::Scan scan;
  QString study;
  /// Strokes for the study.
  QString seeds;
  /// Names and colours of labels.
  QString label_table;
  /// A label map on the grid of the study, offered as its reference.
  QString reference;
  /// "b.json: only one file with strokes can be opened", one line for each path that was left out.
  QStringList left_out;

  /// More than one path was given, so the outcome of each is reported.
  bool several = false;

  /// Returns the place of the only item that can be opened without a question, or -1.
  [[nodiscard]] int only_item() const;
};

/// Sorts paths by content. Among several single-file images, the first that is not a label map is
/// the study. A label map on its grid is offered as a reference; other images are left out. Folders
/// and DICOM files are scanned together, as one study with a choice of series.
/// Throws InputError (a path that cannot be read at all), Cancelled.
[[nodiscard]] OpenedTogether sort_paths(const QStringList& paths, Context& context);

/// Returns whether the file name is that of a label table.
[[nodiscard]] bool is_label_table(const QString& path);

}  // namespace seedwave::ui
