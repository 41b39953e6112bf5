#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a folder that measures pm_match_mpi on a machine which has no MPI: pm_bench_mpi, MPICH's launcher, and the shared
# libraries that they are linked with, but glibc's. Needs a build of the preset mpich.
#   bundle_mpi.sh FOLDER
# There: FOLDER/run.sh RANKS [OPTION]... >FILE.jsonl, with the options of pm_bench_mpi. Ranks are bound to cores
# where there are enough.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bundle=$1
rm -rf "$bundle"
mkdir -p "$bundle/bin" "$bundle/lib"
cp -L "$here/../build/mpich/bench/pm_bench_mpi" "$(command -v mpiexec.hydra)" "$(command -v hydra_pmi_proxy)" "$bundle/bin"
ldd "$bundle"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r library; do
    case $library in
    */libc.so.* | */libm.so.* | */libresolv.so.* | */libdl.so.* | */libpthread.so.*) ;;
    *) cp -L "$library" "$bundle/lib" ;;
    esac
done
cat >"$bundle/run.sh" <<'RUN'
#!/bin/sh
# run.sh RANKS [OPTION]...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ranks=$1
shift
LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LD_LIBRARY_PATH UCX_TLS="${UCX_TLS:-self,sysv,posix}" UCX_WARN_UNUSED_ENV_VARS=n
bind='-bind-to core'
[ "$ranks" -le "$(nproc)" ] || bind=
exec "$here/bin/mpiexec.hydra" -launcher fork $bind -n "$ranks" "$here/bin/pm_bench_mpi" "$@"
RUN
chmod +x "$bundle/run.sh"
du -sh "$bundle"
