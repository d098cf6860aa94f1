# `cmake --install build --prefix FOLDER` creates a folder that runs on another Linux machine:
#   bin/        the programs and qt.conf
#   lib/        the required libraries and Qt's plugins
#   share/      sample study, desktop entry, icon, licences
# cmake/BundleLibraries.cmake lists the libraries that are not bundled, with the reasons.
option(SEEDWAVE_BUNDLE "Copy the libraries that the programs need into the installed folder" ON)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION share/doc/seedwave)

# seedwave_install_program(TARGET): installs a program that finds the bundled libraries.
function(seedwave_install_program target)
  # RPATH, not RUNPATH: it also applies to the dependencies of the bundled libraries.
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  install(TARGETS ${target} RUNTIME DESTINATION bin)
  set_property(GLOBAL APPEND PROPERTY SEEDWAVE_PROGRAMS ${target})
endfunction()

# seedwave_install_libraries(): called once, after all programs are known.
function(seedwave_install_libraries)
  get_property(programs GLOBAL PROPERTY SEEDWAVE_PROGRAMS)
  if(NOT SEEDWAVE_BUNDLE OR NOT programs)
    return()
  endif()
  # libtiff needs libjbig, which is GPL: a replacement of our own is bundled instead.
  add_library(seedwave_jbig SHARED ${PROJECT_SOURCE_DIR}/cmake/jbig_absent.c)
  set_target_properties(seedwave_jbig PROPERTIES OUTPUT_NAME jbig SOVERSION 0
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bundle)
  add_dependencies(programs seedwave_jbig)
  list(TRANSFORM programs REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE program_files)
  set(plugins ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_PLUGINS})
  install(CODE "
    set(programs \"${program_files}\")
    set(qt_plugins \"${plugins}\")
    set(jbig \"$<TARGET_FILE:seedwave_jbig>\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/BundleLibraries.cmake\")")
endfunction()
