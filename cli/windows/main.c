/* SPDX-License-Identifier: Apache-2.0 */
/* Where Windows starts the program: with arguments in UTF-16, and a console that expects the system's code page. */
#include <windows.h>

int main(int argc, char **argv);
int wmain(int argc, wchar_t **wide);

static UINT code_page_before;

static void console_end(void) {
    SetConsoleOutputCP(code_page_before);
}

/* The console gets UTF-8, and follows the escapes for colours and the progress bar. */
static void console_begin(void) {
    code_page_before = GetConsoleOutputCP();
    if (code_page_before != 0 && SetConsoleOutputCP(CP_UTF8))
        atexit(console_end);
    const DWORD outputs[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
        DWORD mode;
        const HANDLE console = GetStdHandle(outputs[k]);
        if (GetConsoleMode(console, &mode))
            SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        _setmode(file, O_BINARY);
}

/* Where long pipes are kept, unless TMPDIR says so. */
static void temporary_begin(void) {
    wchar_t wide[MAX_PATH + 1];
    if (getenv("TMPDIR") || GetTempPathW(MAX_PATH, wide) == 0)
        return;
    char *const folder = pmi_windows_narrow(wide);
    if (folder)
        _putenv_s("TMPDIR", folder);
    free(folder);
}

int wmain(int argc, wchar_t **wide) {
    char **const argv = calloc((size_t)argc + 1, sizeof *argv);
    for (int k = 0; argv && k < argc; k++)
        if (!(argv[k] = pmi_windows_narrow(wide[k])))
            return 2;
    console_begin();
    temporary_begin();
    return argv ? main(argc, argv) : 2;
}
