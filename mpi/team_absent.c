/* SPDX-License-Identifier: Apache-2.0 */
/* Teams of a library built without OpenMP: there is never one, whatever a context asks for. */
#include "mpi/team.h"

pm_status pmi_mpi_team_open(pmi_mpi_team *team, pm_context *context, const uint64_t *parens, size_t n) {
    (void)context, (void)parens, (void)n;
    *team = (pmi_mpi_team){0};
    return PM_OK;
}

void pmi_mpi_team_close(pmi_mpi_team *team) {
    (void)team;
}

pm_status pmi_mpi_team_reduce(pmi_mpi_team *team, pm_bic *bic) {
    (void)team, (void)bic;
    return PM_UNSUPPORTED;
}

pm_status pmi_mpi_team_match(pmi_mpi_team *team, pmi_mpi_exchange *exchange, uint64_t *match) {
    (void)team, (void)exchange, (void)match;
    return PM_UNSUPPORTED;
}
