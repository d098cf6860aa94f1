# Runs at install time (see SeedwaveInstall.cmake), with `programs`, `qt_plugins` and `jbig` set.
# Copies what the programs need into the installed folder, with the licences of all of it.
#
# Three groups stay outside, because they belong to the machine that the folder is copied to:
# - glibc, and GCC's runtime (libstdc++, libgcc_s). A machine whose glibc is new enough to start
#   these programs (2.36) has a libstdc++ that is new enough (GCC 12), and its own Mesa may need a
#   newer one than ours: with ours in the process, its driver would not load.
# - OpenGL: libGL, libGLX, libEGL, libOpenGL, libdrm and so on go with the driver.
# - The X libraries that the OpenGL driver uses too: two versions in one process do not mix.
set(outside
  "ld-linux" "libc\\.so" "libm\\.so" "libdl\\.so" "libpthread\\.so" "librt\\.so" "libresolv\\.so"
  "libutil\\.so" "libmvec\\.so" "libanl\\.so" "libstdc\\+\\+\\.so" "libgcc_s\\.so"
  "libGL\\.so" "libGLX" "libGLdispatch" "libOpenGL" "libEGL" "libGLES" "libdrm" "libgbm" "libcuda\\.so"
  "libX11" "libXext" "libXfixes" "libXau" "libXdmcp" "libXxf86vm" "libxshmfence" "libbsd\\.so" "libmd\\.so"
  "libxcb\\.so" "libxcb-(dri2|dri3|glx|present|randr|shm|sync|xfixes)\\.so")
list(TRANSFORM outside REPLACE "(.+)" "/\\1[^/]*$" OUTPUT_VARIABLE outside_files)
list(TRANSFORM outside PREPEND "^" OUTPUT_VARIABLE outside_names)

set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(plugin_files
  platforms/libqxcb.so platforms/libqoffscreen.so xcbglintegrations/libqxcb-glx-integration.so
  imageformats/libqsvg.so imageformats/libqjpeg.so iconengines/libqsvgicon.so)
list(TRANSFORM plugin_files PREPEND "${qt_plugins}/" OUTPUT_VARIABLE plugin_paths)

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} LIBRARIES ${plugin_paths}
  RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES ${outside_names} POST_EXCLUDE_REGEXES ${outside_files})
if(missing)
  message(FATAL_ERROR "Needed by the programs and not found: ${missing}")
endif()

# A library by the name it is asked for, as a file of its own, without a path of its own:
# the programs' RPATH then holds for it as well.
function(bundle file folder)
  file(INSTALL "${file}" DESTINATION "${root}/${folder}" FOLLOW_SYMLINK_CHAIN
       TYPE SHARED_LIBRARY)
  file(REAL_PATH "${file}" real)
  cmake_path(GET real FILENAME name)
  file(RPATH_REMOVE FILE "${root}/${folder}/${name}")
endfunction()

set(licensed)
foreach(library IN LISTS libraries)
  if(library MATCHES "/libjbig\\.so")
    bundle("${jbig}" lib)
  else()
    bundle("${library}" lib)
    list(APPEND licensed "${library}")
  endif()
endforeach()
foreach(plugin IN LISTS plugin_files)
  cmake_path(GET plugin PARENT_PATH folder)
  bundle("${qt_plugins}/${plugin}" "lib/qt6/plugins/${folder}")
  list(APPEND licensed "${qt_plugins}/${plugin}")
endforeach()
# For machines without any font (app/window/own_fonts.h); where Debian keeps it.
foreach(font IN ITEMS DejaVuSans.ttf DejaVuSans-Bold.ttf)
  set(file /usr/share/fonts/truetype/dejavu/${font})
  if(EXISTS ${file})
    file(INSTALL ${file} DESTINATION "${root}/share/seedwave/fonts")
    list(APPEND licensed ${file})
  else()
    message(WARNING "${file} is not here: the folder runs only where there are fonts.")
  endif()
endforeach()
file(WRITE "${root}/bin/qt.conf" "[Paths]\nPrefix = ..\nPlugins = lib/qt6/plugins\n")

# Debian keeps each package's licence in one place. Elsewhere the packager has to see to it.
find_program(dpkg_query dpkg-query)
if(NOT dpkg_query)
  message(WARNING "No dpkg here: the licences of the bundled libraries are not copied.")
  return()
endif()
set(licences "${root}/share/doc/seedwave/licenses")
# Those of headers that are compiled in.
set(packages libcli11-dev nlohmann-json3-dev libkissfft-dev libeigen3-dev)
foreach(file IN LISTS licensed)
  # Debian lists some files under /lib and finds them through /usr/lib.
  file(REAL_PATH "${file}" real)
  string(REGEX REPLACE "^/usr/lib/" "/lib/" short "${real}")
  execute_process(COMMAND ${dpkg_query} -S "${real}" "${short}"
    OUTPUT_VARIABLE owner ERROR_QUIET)
  if(NOT owner MATCHES "^([^:,]+)[:,]")
    message(FATAL_ERROR "No package owns ${file}: its licence is not known")
  endif()
  list(APPEND packages "${CMAKE_MATCH_1}")
endforeach()
list(REMOVE_DUPLICATES packages)
foreach(package IN LISTS packages)
  file(REAL_PATH "/usr/share/doc/${package}/copyright" copyright)
  configure_file("${copyright}" "${licences}/${package}.txt" COPYONLY)
endforeach()
# The texts that Debian's notes refer to.
file(INSTALL /usr/share/common-licenses/ DESTINATION "${licences}/common-licenses" FOLLOW_SYMLINK_CHAIN)
list(LENGTH libraries count)
list(LENGTH packages package_count)
message(STATUS "Bundled ${count} libraries, licences of ${package_count} packages")
