// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QObject>
#include <QPushButton>
#include <QString>
#include <QTimer>

#include <functional>

namespace seedwave::test {

/// Dialogs of the platform cannot be operated from tests.
inline void use_own_dialogs() {
  QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
}

/// Calls `act` with the dialog of that class once it is open.
template <typename Dialog>
void when_open(QObject* context, std::function<void(Dialog&)> act) {
  QTimer::singleShot(20, context, [=] {
    if (auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget())) {
      act(*dialog);
    } else {
      when_open<Dialog>(context, act);
    }
  });
}

/// Answers the next file dialog with a path to save to.
inline void save_as(QObject* context, const QString& path) {
  when_open<QFileDialog>(context, [path](QFileDialog& dialog) {
    dialog.findChild<QLineEdit*>()->setText(path);
    dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
  });
}

}  // namespace seedwave::test
