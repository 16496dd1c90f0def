# Makes the Debian package python3-fermata beside fermata's, of the same version: python/src and the notebooks. It runs
# within cpack, after FermataPackageVersion.
set(name python3-fermata)
set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
set(root "${CPACK_TOPLEVEL_DIRECTORY}/${name}")
set(modules "${root}/usr/lib/python3/dist-packages")
set(pages "${root}/usr/share/doc/${name}")
file(REMOVE_RECURSE "${root}")
file(COPY "${CPACK_FERMATA_SOURCE}/python/src/fermata" DESTINATION "${modules}" PATTERN __pycache__ EXCLUDE)
file(GLOB notebooks "${CPACK_FERMATA_SOURCE}/examples/python/*.ipynb")
file(COPY ${notebooks} DESTINATION "${pages}/examples")
file(COPY "${CPACK_FERMATA_SOURCE}/python/README.md" DESTINATION "${pages}")

# By this pip and pytest know the package and its plugin.
file(READ "${CPACK_FERMATA_SOURCE}/python/VERSION" release)
string(STRIP "${release}" release)
set(facts "${modules}/fermata-${release}.dist-info")
file(WRITE "${facts}/METADATA" "Metadata-Version: 2.1\nName: fermata\nVersion: ${release}\nRequires-Python: >=3.11\n"
  "Summary: Arrays in, lines and cycles out: bank conflicts of GPU kernels, without a GPU\nRequires-Dist: numpy>=1.24\n")
file(WRITE "${facts}/entry_points.txt" "[pytest11]\nfermata = fermata.pytest_plugin\n")
file(WRITE "${facts}/top_level.txt" "fermata\n")
file(WRITE "${facts}/INSTALLER" "debian\n")

file(WRITE "${pages}/copyright" "Fermata: a SystemC TLM-2.0 model of the on-chip memory path of a GPU streaming "
  "multiprocessor.\n\nCopyright The Fermata authors\nLicense: Apache-2.0. On Debian systems its text is in "
  "/usr/share/common-licenses/Apache-2.0.\n")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, where it is set
file(WRITE "${pages}/changelog.Debian" "${name} (${version}) unstable; urgency=medium\n\n  * Package of this version.\n\n"
  " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
execute_process(COMMAND gzip -9 -n -f "${pages}/changelog.Debian" COMMAND_ERROR_IS_FATAL ANY)

file(WRITE "${root}/DEBIAN/control" "Package: ${name}\nVersion: ${version}\nArchitecture: all\nSection: python\n"
  "Priority: optional\nMaintainer: ${CPACK_DEBIAN_PACKAGE_MAINTAINER}\n"
  "Depends: fermata (= ${version}), python3 (>= 3.11), python3-numpy\n"
  "Recommends: clang-16, python3-pandas, python3-matplotlib, python3-tqdm\nSuggests: python3-pytest, jupyter-notebook\n"
  "Description: ${CPACK_PACKAGE_DESCRIPTION_SUMMARY}, for Python\n"
  " Arrays of numpy go into a kernel and come back, with the cycles that it takes\n"
  " and the lines whose accesses conflict. Searches, sweeps, pictures, and a plugin\n of pytest.\n")
file(WRITE "${root}/DEBIAN/postinst" "#!/bin/sh\nset -e\nif command -v py3compile >/dev/null; then\n"
  "  py3compile -p ${name}\nfi\n")
file(WRITE "${root}/DEBIAN/prerm" "#!/bin/sh\nset -e\nif command -v py3clean >/dev/null; then\n  py3clean -p ${name}\n"
  "else\n  find /usr/lib/python3/dist-packages/fermata -name __pycache__ -exec rm -rf {} +\nfi\n")
execute_process(COMMAND sh -c "find . -type f ! -path './DEBIAN/*' -printf '%P\\n' | LC_ALL=C sort | xargs -d '\\n' md5sum > DEBIAN/md5sums"
  WORKING_DIRECTORY "${root}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND chmod -R u=rwX,go=rX "${root}" COMMAND_ERROR_IS_FATAL ANY)
file(CHMOD "${root}/DEBIAN/postinst" "${root}/DEBIAN/prerm"
  PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
execute_process(COMMAND dpkg-deb --root-owner-group --build "${root}"
    "${CPACK_PACKAGE_DIRECTORY}/${name}_${version}_all.deb"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
