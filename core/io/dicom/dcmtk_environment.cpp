// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/dcmtk_environment.h"

#include "core/io/dicom/dcmtk_dictionary.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dctag.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/dcmjpls/djdecode.h>
#include <dcmtk/oflog/appender.h>
#include <dcmtk/oflog/oflog.h>
#include <dcmtk/oflog/spi/logevent.h>

#include <mutex>

namespace seedwave::io::dicom {
namespace {

/// The collector of this thread's complaints; null: they are dropped.
thread_local DcmtkComplaints* complaints = nullptr;

/// Passes warnings to the collector of the thread that caused them; prints nothing.
class ComplaintAppender : public dcmtk::log4cplus::Appender {
 public:
  ~ComplaintAppender() override { destructorImpl(); }
  void close() override { closed = true; }

 protected:
  void append(const dcmtk::log4cplus::spi::InternalLoggingEvent& event) override {
    if (complaints != nullptr) complaints->add(event.getMessage().c_str());
  }
};

void prepare_once() {
  OFLog::configure(OFLogger::WARN_LOG_LEVEL);
  auto root = dcmtk::log4cplus::Logger::getRoot();
  root.removeAllAppenders();
  root.addAppender(dcmtk::log4cplus::SharedAppenderPtr(new ComplaintAppender));
  complete_dictionary();
  DJDecoderRegistration::registerCodecs(EDC_photometricInterpretation, EUC_never, EPC_colorByPixel);
  DJLSDecoderRegistration::registerCodecs(EJLSUC_never, EJLSPC_colorByPixel);
}

}  // namespace

void prepare_dcmtk() {
  static std::once_flag once;
  std::call_once(once, prepare_once);
}

bool is_sequence_tag(std::uint32_t tag) {
  prepare_dcmtk();
  return DcmTag(static_cast<Uint16>(tag >> 16), static_cast<Uint16>(tag & 0xFFFF)).getEVR() ==
         EVR_SQ;
}

DcmtkComplaints::DcmtkComplaints() {
  prepare_dcmtk();
  complaints = this;
}

DcmtkComplaints::~DcmtkComplaints() {
  complaints = nullptr;
}

}  // namespace seedwave::io::dicom
