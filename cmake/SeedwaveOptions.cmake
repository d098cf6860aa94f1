# Warnings, sanitizers and arithmetic as one interface target, linked PRIVATE by every target.
option(SEEDWAVE_WERROR "Treat warnings as errors" OFF)
set(SEEDWAVE_SANITIZE "" CACHE STRING "Sanitizers to build with: 'address,undefined' or 'thread'")

add_library(seedwave_options INTERFACE)
add_library(seedwave::options ALIAS seedwave_options)
target_compile_options(seedwave_options INTERFACE
  # Fused multiply-adds would give other bits than the CUDA twins.
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion
    # Designated initialisers leave the rest at its default on purpose.
    -Wno-missing-field-initializers -Wnon-virtual-dtor>
  # g++ 12 sees overlaps in std::string that cannot be (its bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --fmad=false --expt-relaxed-constexpr -Xcompiler=-ffp-contract=off,-Wall,-Wextra>)
if(SEEDWAVE_WERROR)
  target_compile_options(seedwave_options INTERFACE
    # With optimisation g++ 12 finds these in inlined std::string and std::vector where nothing is
    # wrong (its bugs 105329, 105651, 105762): shown, but no errors.
    $<$<COMPILE_LANGUAGE:CXX>:-Werror -Wno-error=array-bounds -Wno-error=stringop-overflow
      -Wno-error=stringop-overread>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(SEEDWAVE_SANITIZE)
  target_compile_options(seedwave_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SEEDWAVE_SANITIZE} -fno-omit-frame-pointer>)
  target_link_options(seedwave_options INTERFACE -fsanitize=${SEEDWAVE_SANITIZE})
  # Into every program: see there.
  target_sources(seedwave_options INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${PROJECT_SOURCE_DIR}/tools/sanitizers/keep_modules_loaded.cpp>)
endif()
