# Options for warnings, sanitizers and arithmetic, as an interface target that every target links
# PRIVATE.
option(SEEDWAVE_WERROR "Treat warnings as errors" OFF)
set(SEEDWAVE_SANITIZE "" CACHE STRING "Sanitizers to build with: 'address,undefined' or 'thread'")

add_library(seedwave_options INTERFACE)
add_library(seedwave::options ALIAS seedwave_options)
target_compile_options(seedwave_options INTERFACE
  # With fused multiply-adds, results would differ in bits from those of CUDA.
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion
    # Designated initialisers leave other members at their defaults on purpose.
    -Wno-missing-field-initializers -Wnon-virtual-dtor>
  # g++ 12 reports impossible overlaps in std::string (GCC bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --fmad=false --expt-relaxed-constexpr -Xcompiler=-ffp-contract=off,-Wall,-Wextra>)
if(SEEDWAVE_WERROR)
  target_compile_options(seedwave_options INTERFACE
    # With optimisation g++ 12 reports these falsely in inlined std::string and std::vector (GCC
    # bugs 105329, 105651, 105762), so they remain warnings.
    $<$<COMPILE_LANGUAGE:CXX>:-Werror -Wno-error=array-bounds -Wno-error=stringop-overflow
      -Wno-error=stringop-overread>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(SEEDWAVE_SANITIZE)
  target_compile_options(seedwave_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SEEDWAVE_SANITIZE} -fno-omit-frame-pointer>)
  target_link_options(seedwave_options INTERFACE -fsanitize=${SEEDWAVE_SANITIZE})
  # Added to every program; that file gives the reason.
  target_sources(seedwave_options INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${PROJECT_SOURCE_DIR}/tools/sanitizers/keep_modules_loaded.cpp>)
endif()
