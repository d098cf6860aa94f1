// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace seedwave::io::dicom {

/// Registers DCMTK's decoders and keeps its log off standard error. Cheap after the first call;
/// callable from any thread. All code here that uses DCMTK calls it first.
void prepare_dcmtk();

/// Returns whether DCMTK's dictionary knows group << 16 | element as a sequence.
[[nodiscard]] bool is_sequence_tag(std::uint32_t tag);

/// Collects DCMTK's complaints on this thread while it exists: its decoders continue after "corrupt
/// data" warnings, which Seedwave treats as errors. One at a time on a thread.
class DcmtkComplaints {
 public:
  DcmtkComplaints();
  ~DcmtkComplaints();
  DcmtkComplaints(const DcmtkComplaints&) = delete;
  DcmtkComplaints& operator=(const DcmtkComplaints&) = delete;

  /// Returns the first complaint, or an empty string.
  [[nodiscard]] const std::string& first() const noexcept { return first_; }
  void add(const std::string& text) {
    if (first_.empty()) first_ = text;
  }

 private:
  std::string first_;
};

}  // namespace seedwave::io::dicom
