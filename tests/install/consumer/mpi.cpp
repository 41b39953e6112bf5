/* SPDX-License-Identifier: Apache-2.0 */
/* The same in C++11, linked with nothing more: MPI's own C++ must not come along with the header. */
#include <parenmatch_mpi.h>

#include <iostream>

int main(int argc, char **argv) {
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 1;
    pm_bic total = {1, 1};
    const bool fine = pm_mpi_match(nullptr, MPI_COMM_WORLD, nullptr, 0, nullptr, &total) == PM_OK;
    MPI_Finalize();
    std::cout << PM_VERSION_STRING << ' ' << pm_version_string() << '\n';
    return fine && total.open == 0 && total.close == 0 ? 0 : 1;
}
