// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/key_capture.h"

#include <QKeyEvent>

namespace seedwave::ui {

namespace {

bool is_modifier(int key) {
  return key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt ||
         key == Qt::Key_Meta || key == Qt::Key_AltGr || key == Qt::Key_CapsLock ||
         key == Qt::Key_unknown || key == 0;
}

/// Shift is kept only with letters and named keys. Shift+8 is "(" on one keyboard and "*" on
/// another, and the character counts.
QKeySequence sequence_of(const QKeyEvent& event) {
  Qt::KeyboardModifiers held = event.modifiers() & ~Qt::KeypadModifier;
  const int key = event.key();
  const bool is_sign = key < Qt::Key_Escape && !QChar(key).isLetter() && key != Qt::Key_Space;
  if (is_sign) held &= ~Qt::ShiftModifier;
  return QKeySequence(QKeyCombination(held, static_cast<Qt::Key>(key)));
}

}  // namespace

KeyCapture::KeyCapture(QWidget* parent) : QLineEdit(parent) {
  setReadOnly(true);
  setContextMenuPolicy(Qt::NoContextMenu);
  setPlaceholderText(tr("click here, then press the new key"));
}

bool KeyCapture::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();  // not the shortcut: the key press itself follows
    return true;
  }
  return QLineEdit::event(event);
}

void KeyCapture::keyPressEvent(QKeyEvent* event) {
  event->accept();
  if (is_modifier(event->key())) return;
  emit pressed(sequence_of(*event));
}

}  // namespace seedwave::ui
