// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace seedwave::io::dicom {

/// Registers DCMTK's decoders and takes its log off the standard error. Cheap after the first call;
/// any thread. Everything here that uses DCMTK calls it first.
void prepare_dcmtk();

/// True when DCMTK's dictionary knows group << 16 | element as a sequence.
[[nodiscard]] bool is_sequence_tag(std::uint32_t tag);

/// Collects what DCMTK complains about on this thread while it lives: its decoders go on after
/// "corrupt data" warnings, which for us are errors. One at a time on a thread.
class DcmtkComplaints {
 public:
  DcmtkComplaints();
  ~DcmtkComplaints();
  DcmtkComplaints(const DcmtkComplaints&) = delete;
  DcmtkComplaints& operator=(const DcmtkComplaints&) = delete;

  /// The first one; empty when there was none.
  [[nodiscard]] const std::string& first() const noexcept { return first_; }
  void add(const std::string& text) {
    if (first_.empty()) first_ = text;
  }

 private:
  std::string first_;
};

}  // namespace seedwave::io::dicom
