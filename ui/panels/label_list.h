// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/session/document.h"

#include <QAbstractListModel>
#include <QString>
#include <QVariant>

#include <cstdint>
#include <vector>

class QComboBox;

namespace seedwave::ui {

/// The rows of a combo box of labels: the labels, then other rows. Colour swatches are made on
/// request and not cached, so a list of 65,534 labels costs no more than its names.
class LabelList : public QAbstractListModel {
  Q_OBJECT

 public:
  enum class Numbers { Shown, Hidden };
  /// A row that is not a label; a separator if it has no text.
  struct OtherRow {
    QString text;
    QVariant data;
  };

  explicit LabelList(Numbers numbers, QObject* parent = nullptr)
      : QAbstractListModel(parent), numbers_(numbers) {}

  void set_rows(const std::vector<LabelEntry>& labels, const std::vector<OtherRow>& others = {});
  /// Returns the row of a label, or -1.
  [[nodiscard]] int row_of(Label label) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  /// Qt::UserRole: the label's number, or an OtherRow's data.
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  Numbers numbers_;
  std::vector<LabelEntry> labels_;
  std::vector<OtherRow> others_;
};

/// Shows a list in a combo box of the width of `characters`, whatever the names of the labels. The
/// box measures no rows before it is opened.
void show_label_list(LabelList& list, int characters, QComboBox& box);

}  // namespace seedwave::ui
