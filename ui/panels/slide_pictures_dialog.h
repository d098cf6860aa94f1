// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/slides/slide.h"
#include "ui/models/background_task.h"

#include <QDialog>

#include <memory>

namespace seedwave::ui {

/// The pictures beside a slide's levels: the label on the glass, the whole glass (macro) and
/// others, as the scanner took them.
class SlidePicturesDialog : public QDialog {
  Q_OBJECT

 public:
  /// Reads the pictures in the background. `by_profile`: show colours as the profile of each
  /// picture describes them.
  SlidePicturesDialog(const std::shared_ptr<const io::Slide>& slide, bool by_profile,
                      QWidget* parent = nullptr);

 private:
  BackgroundTask task_;
};

}  // namespace seedwave::ui
