// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/actions.h"
#include "ui/tools/bindings.h"

#include <QDialog>
#include <QKeySequence>
#include <QLineEdit>

class QComboBox;
class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;
namespace seedwave::ui {

/// A field that takes the next key pressed in it, even if it is a shortcut elsewhere. Tab and
/// Shift+Tab leave the field as usual.
class KeyCapture : public QLineEdit {
  Q_OBJECT

 public:
  explicit KeyCapture(QWidget* parent = nullptr);

 signals:
  void pressed(const QKeySequence& key);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
};

/// An editor of keys: choose an action, press its new key. Changes apply immediately and are
/// stored. A key of another action is reassigned only after confirmation.
class KeysDialog : public QDialog {
  Q_OBJECT

 public:
  /// `actions` must outlive this. `mouse`: the current mouse bindings.
  KeysDialog(Actions& actions, BindingPreset mouse, QWidget* parent = nullptr);

 signals:
  void mouse_chosen(seedwave::ui::BindingPreset preset);

 private:
  void build();
  void build_editor();
  void fill();
  void show_keys();
  void show_current();
  void filter(const QString& text);
  void take(const QKeySequence& key);
  void assign(const QKeySequence& key);
  void set_keys(const ActionSpec& spec, const QList<QKeySequence>& keys);
  void say(const QString& text);
  [[nodiscard]] const ActionSpec* current() const;

  Actions& actions_;
  QTreeWidget* list_ = nullptr;
  QComboBox* mouse_ = nullptr;
  QLabel* title_ = nullptr;
  KeyCapture* capture_ = nullptr;
  QPushButton* none_ = nullptr;
  QPushButton* reset_ = nullptr;
  QPushButton* reset_all_ = nullptr;
  QLabel* message_ = nullptr;
  QPushButton* take_over_ = nullptr;
  /// The key of another action, until the user confirms that it is reassigned.
  QKeySequence wanted_;
};

}  // namespace seedwave::ui
