// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/workbench.h"

#include <QUndoCommand>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace seedwave::ui {

/// A step of the document. The base class gives derived classes the document and notifies
/// listeners.
class DocumentCommand : public QUndoCommand {
 public:
  DocumentCommand(Workbench& workbench, Part part, const QString& name)
      : QUndoCommand(name), workbench_(workbench), part_(part) {}

 protected:
  [[nodiscard]] Document& document() const { return workbench_.document_; }
  void tell() const;
  [[nodiscard]] Part part() const { return part_; }

 private:
  Workbench& workbench_;  // owns the undo stack that owns this
  Part part_;
};

/// Adds a stroke at the end. A step costs the stroke, not all strokes.
class AddStroke final : public DocumentCommand {
 public:
  AddStroke(Workbench& workbench, Stroke stroke, const QString& name);
  void redo() override;
  void undo() override;

 private:
  Stroke stroke_;
};

/// Removes strokes at any places in the list.
class WithdrawStrokes final : public DocumentCommand {
 public:
  /// `rows` ascending, unique, and inside the list.
  WithdrawStrokes(Workbench& workbench, std::vector<std::size_t> rows, const QString& name);
  void redo() override;
  void undo() override;

 private:
  std::vector<std::size_t> rows_;
  std::vector<Stroke> strokes_;
};

/// Replaces one member of the document. Two changes with the same key become one step if the second
/// continues the first (Gesture::Continued). The step vanishes if it ends where it began.
template <typename Member>
class ChangeMember final : public DocumentCommand {
 public:
  ChangeMember(Workbench& workbench, Part part, Member Document::*member, Member after,
               const QString& name, std::string key = {}, Gesture gesture = Gesture::New)
      : DocumentCommand(workbench, part, name),
        member_(member),
        before_(document().*member),
        after_(std::move(after)),
        key_(std::move(key)),
        gesture_(gesture) {}

  void redo() override { put(after_); }
  void undo() override { put(before_); }
  [[nodiscard]] int id() const override { return key_.empty() ? -1 : static_cast<int>(part()) + 1; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = dynamic_cast<const ChangeMember*>(other);
    if (next == nullptr || next->gesture_ != Gesture::Continued || next->key_ != key_) return false;
    after_ = next->after_;
    setObsolete(after_ == before_);
    return true;
  }

 private:
  void put(const Member& value) {
    document().*member_ = value;
    tell();
  }

  Member Document::*member_;
  Member before_;
  Member after_;
  std::string key_;
  Gesture gesture_;
};

}  // namespace seedwave::ui
