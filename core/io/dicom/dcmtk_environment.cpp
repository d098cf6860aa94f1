// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/dcmtk_environment.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcdeftag.h>
#include <dcmtk/dcmdata/dcdicent.h>
#include <dcmtk/dcmdata/dcdict.h>
#include <dcmtk/dcmdata/dctag.h>
#include <dcmtk/dcmdata/dcvr.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/dcmjpls/djdecode.h>
#include <dcmtk/oflog/appender.h>
#include <dcmtk/oflog/oflog.h>
#include <dcmtk/oflog/spi/logevent.h>

#include <mutex>

namespace seedwave::io::dicom {
namespace {

struct KnownElement {
  DcmTagKey tag;
  DcmEVR vr;
};

/// All tags that this folder names, and the sequences around them. PS3.6, section 6.
const KnownElement kKnownElements[] = {
    {DCM_SpecificCharacterSet, EVR_CS},
    {DCM_ImageType, EVR_CS},
    {DCM_SOPClassUID, EVR_UI},
    {DCM_SOPInstanceUID, EVR_UI},
    {DCM_AcquisitionDate, EVR_DA},
    {DCM_ContentDate, EVR_DA},
    {DCM_AcquisitionTime, EVR_TM},
    {DCM_ContentTime, EVR_TM},
    {DCM_Modality, EVR_CS},
    {DCM_SeriesDescription, EVR_LO},
    {DCM_FrameType, EVR_CS},
    {DCM_ComplexImageComponent, EVR_CS},
    {DCM_PatientName, EVR_PN},
    {DCM_SliceThickness, EVR_DS},
    {DCM_EchoTime, EVR_DS},
    {DCM_EchoNumbers, EVR_IS},
    {DCM_SpacingBetweenSlices, EVR_DS},
    {DCM_TriggerTime, EVR_DS},
    {DCM_ImagerPixelSpacing, EVR_DS},
    {DCM_ConvolutionKernel, EVR_SH},
    {DCM_EffectiveEchoTime, EVR_FD},
    {DCM_DiffusionBValue, EVR_FD},
    {DCM_DiffusionGradientOrientation, EVR_FD},
    {DCM_NominalCardiacTriggerDelayTime, EVR_FD},
    {DCM_DiffusionGradientDirectionSequence, EVR_SQ},
    {DCM_MREchoSequence, EVR_SQ},
    {DCM_MRDiffusionSequence, EVR_SQ},
    {DCM_CardiacSynchronizationSequence, EVR_SQ},
    {DCM_MRImageFrameTypeSequence, EVR_SQ},
    {DCM_CTImageFrameTypeSequence, EVR_SQ},
    {DCM_PETFrameTypeSequence, EVR_SQ},
    {DCM_StudyInstanceUID, EVR_UI},
    {DCM_SeriesInstanceUID, EVR_UI},
    {DCM_SeriesNumber, EVR_IS},
    {DCM_AcquisitionNumber, EVR_IS},
    {DCM_InstanceNumber, EVR_IS},
    {DCM_ImagePositionPatient, EVR_DS},
    {DCM_ImageOrientationPatient, EVR_DS},
    {DCM_TemporalPositionIdentifier, EVR_IS},
    {DCM_StackID, EVR_SH},
    {DCM_FrameAcquisitionNumber, EVR_US},
    {DCM_TemporalPositionIndex, EVR_UL},
    {DCM_FrameContentSequence, EVR_SQ},
    {DCM_PlanePositionSequence, EVR_SQ},
    {DCM_PlaneOrientationSequence, EVR_SQ},
    {DCM_SamplesPerPixel, EVR_US},
    {DCM_PhotometricInterpretation, EVR_CS},
    {DCM_PlanarConfiguration, EVR_US},
    {DCM_NumberOfFrames, EVR_IS},
    {DCM_Rows, EVR_US},
    {DCM_Columns, EVR_US},
    {DCM_PixelSpacing, EVR_DS},
    {DCM_BitsAllocated, EVR_US},
    {DCM_BitsStored, EVR_US},
    {DCM_HighBit, EVR_US},
    {DCM_PixelRepresentation, EVR_US},
    {DCM_WindowCenter, EVR_DS},
    {DCM_WindowWidth, EVR_DS},
    {DCM_RescaleIntercept, EVR_DS},
    {DCM_RescaleSlope, EVR_DS},
    {DCM_RescaleType, EVR_LO},
    {DCM_WindowCenterWidthExplanation, EVR_LO},
    {DCM_RedPaletteColorLookupTableDescriptor, EVR_US},
    {DCM_GreenPaletteColorLookupTableDescriptor, EVR_US},
    {DCM_BluePaletteColorLookupTableDescriptor, EVR_US},
    {DCM_RedPaletteColorLookupTableData, EVR_OW},
    {DCM_GreenPaletteColorLookupTableData, EVR_OW},
    {DCM_BluePaletteColorLookupTableData, EVR_OW},
    {DCM_NominalScannedPixelSpacing, EVR_DS},
    {DCM_ModalityLUTSequence, EVR_SQ},
    {DCM_PixelMeasuresSequence, EVR_SQ},
    {DCM_FrameVOILUTSequence, EVR_SQ},
    {DCM_PixelValueTransformationSequence, EVR_SQ},
    {DCM_Units, EVR_CS},
    {DCM_SharedFunctionalGroupsSequence, EVR_SQ},
    {DCM_PerFrameFunctionalGroupsSequence, EVR_SQ},
    {DCM_PixelData, EVR_OW},
};

/// Adds the tags that this folder reads to DCMTK's dictionary if DCMTK has found no dictionary
/// file.
///
/// Debian's DCMTK finds its dictionary in /usr/share by an absolute path. An installed folder on
/// another machine has none, and then no element in implicit coding has a type. Called once, by
/// prepare_dcmtk.
void complete_dictionary() {
  DcmDataDictionary& dictionary = dcmDataDict.wrlock();
  if (!dictionary.isDictionaryLoaded()) {
    for (const KnownElement& known : kKnownElements) {
      // The dictionary owns its entries.
      dictionary.addEntry(new DcmDictEntry(known.tag.getGroup(), known.tag.getElement(),
                                           DcmVR(known.vr), "SeedwaveTag", 1, DcmVariableVM,
                                           "DICOM", OFTrue, nullptr));
    }
  }
  dcmDataDict.wrunlock();
}

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
