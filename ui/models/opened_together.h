// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "core/parallel/context.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace seedwave::ui {

/// Files and folders that were opened in one go, told apart by their content: which is the study,
/// and what the others are to it.
struct OpenedTogether {
  /// A session brings its own image and strokes: with one, nothing else is taken.
  QString session;
  /// What lies in the files that hold images, and the path of the one that comes first.
  io::Scan scan;
  QString study;
  /// Strokes for the study.
  QString seeds;
  /// Names and colours of labels.
  QString label_table;
  /// A label image on the study's grid: a reference for it, if the user wants.
  QString reference;
  /// "b.json: strokes come from one file", one line a path that was left out.
  QStringList left_out;

  /// More than one path was given: it is told what became of each.
  bool several = false;

  /// The place of the one item that can be opened without a question, or -1.
  [[nodiscard]] int only_item() const;
};

/// Of several single-file images the first that is no label image is the study, and a label image
/// on its grid is offered as a reference; other images are left out. Folders and DICOM files are
/// looked through together, as one study with a choice of series.
/// Throws InputError (a path that cannot be read at all), Cancelled.
[[nodiscard]] OpenedTogether sort_paths(const QStringList& paths, Context& context);

/// Names and colours of labels, by the name of the file.
[[nodiscard]] bool is_label_table(const QString& path);

}  // namespace seedwave::ui
