#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a folder that measures pm_mpi_match on a machine which has no MPI: pm_bench_mpi, Open MPI's launcher and those of
# its modules that the ranks of one machine need, and the shared libraries that all these are linked with, but glibc's.
#   bundle_mpi.sh FOLDER [BUILD]
# BUILD is a build with Open MPI (build/release). Without the peers of other benchmarks, -DPM_BENCH_SDSL=OFF
# -DPM_BENCH_HYPERSCAN=OFF -DPM_BENCH_RE2=OFF, the folder is 14 MB, packed 5.
# There: FOLDER/run.sh RANKS [OPTION]... >FILE.jsonl, with the options of pm_bench_mpi.
set -eu
bundle=$1
build=${2:-$(cd "$(dirname "$0")" && pwd)/../../build/release}
rm -rf "$bundle"
mkdir -p "$bundle/bin" "$bundle/lib/modules"
cp -L "$build/bench/pm_bench_mpi" "$bundle/bin"
cp -L "$(command -v mpirun.openmpi || command -v mpirun)" "$bundle/bin/mpirun"
modules=$(ompi_info --path pkglibdir | sed 's/.*: *//')
for module in allocator_basic allocator_bucket bml_r2 btl_self btl_vader coll_basic coll_inter coll_libnbc coll_self \
    coll_sm coll_sync coll_tuned errmgr_default_app errmgr_default_hnp errmgr_default_orted ess_env ess_hnp ess_pmi \
    ess_singleton filem_raw grpcomm_direct iof_hnp iof_orted mpool_hugepage odls_default odls_pspawn oob_tcp op_avx \
    osc_sm patcher_overwrite plm_isolated plm_rsh pmix_ext3x pmix_isolated pml_ob1 pstat_linux rcache_grdma \
    reachable_weighted regx_fwd regx_naive regx_reverse rmaps_ppr rmaps_resilient rmaps_round_robin rmaps_seq rml_oob \
    routed_binomial routed_direct routed_radix rtc_hwloc schizo_ompi schizo_orte shmem_mmap shmem_posix shmem_sysv \
    state_app state_hnp state_novm state_orted topo_basic; do
    cp -L "$modules/mca_$module.so" "$bundle/lib/modules"
done
ldd "$bundle"/bin/* "$bundle"/lib/modules/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r library; do
    case $library in
    */libc.so.* | */libm.so.* | */libresolv.so.* | */libdl.so.* | */libpthread.so.*) ;;
    *) cp -L "$library" "$bundle/lib" ;;
    esac
done
strip "$bundle"/bin/* "$bundle"/lib/*.so.* "$bundle"/lib/modules/*
cat >"$bundle/run.sh" <<'RUN'
#!/bin/sh
# run.sh RANKS [OPTION]...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ranks=$1
shift
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" OPAL_PREFIX="$here" HWLOC_HIDE_ERRORS=2
export OMPI_MCA_mca_base_component_path="$here/lib/modules" OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1 OMPI_MCA_plm=isolated
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PMIX_MCA_pcompress_base_silence_warning=1
pin='--pin 0'
[ "$ranks" -le "$(nproc)" ] || pin=
exec "$here/bin/mpirun" --oversubscribe --bind-to none -n "$ranks" "$here/bin/pm_bench_mpi" $pin "$@"
RUN
chmod +x "$bundle/run.sh"
du -sh "$bundle"
