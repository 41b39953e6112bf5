/* SPDX-License-Identifier: Apache-2.0 */
/* The check of one file. */
#include "cli/check/command.h"

#include <stdatomic.h>

#include "cli/cli.h"

#define REPAIRED_BYTES ((size_t)256 << 10) /* to look for the mistakes in a longer one takes more than 0.15 s */

static atomic_uint_least64_t bytes_read; /* by all threads, for the progress bar */

uint64_t check_bytes_read(void) {
    return atomic_load(&bytes_read);
}

/* The thread's output may go elsewhere behind a diagnostic. */
static bool print_diagnostic(const pm_diagnostic *diagnostic, void *user) {
    check_command *command = user;
    if (command->printer.records && diagnostic->record < command->next_record)
        return true;
    command->next_record = diagnostic->record + 1;
    if (source_is_cut(command->source))
        return false;
    if (command->options.max_errors != 0 && command->printed == command->options.max_errors) {
        command->withheld += command->explained; /* mistakes are few, and counted */
        return command->explained;
    }
    progress_hide(&command->progress);
    command->printed++;
    command->explained |= diagnostic->has_repair;
    diagnostic_print(&command->printer, command->source, diagnostic);
    if (command->job) {
        job_printed(command->job);
        command->printer.to = command->job->out;
    }
    return true;
}

bool check_succeeds(const text_source *source, pm_status status) {
    return status == PM_OK || !complain("%s: %s", source->name, pm_status_string(status));
}

/* Feeds the text to the check, piece by piece. */
static bool read_pieces(check_command *command, text_source *source, pm_check *check, pm_check_summary *found) {
    for (;;) {
        const char *piece;
        size_t n;
        if (!source_next(source, &piece, &n))
            return false;
        if (n == 0)
            return check_succeeds(source, pm_check_finish(check, found));
        if (!check_succeeds(source, pm_check_push(check, piece, n)))
            return false;
        if (command->job ? jobs_stopped(command->job->queue) : output_failed())
            return false;
        atomic_fetch_add(&bytes_read, n);
        progress_show(&command->progress, source->name, source->begun, source->size);
    }
}

static uint64_t faults_of(const pm_check_summary *found) {
    return found->unmatched.close + found->unmatched.open + found->mismatched + found->unterminated;
}

static void print_rest(const check_command *command, const text_source *source, uint64_t faults) {
    const uint64_t rest = faults > command->printed ? faults - command->printed : 0;
    const uint64_t withheld = command->explained ? command->withheld : rest;
    check_print_rest(&command->options, command->printer.to, source, withheld, rest - withheld);
}

static void count(check_command *command, const text_source *source, const pm_check_summary *found) {
    const uint64_t faults = faults_of(found);
    print_rest(command, source, command->printer.records ? found->bad_records : faults);
    command->files++;
    command->bytes += found->bytes;
    command->brackets += found->brackets;
    command->records += found->records;
    command->bad_records += found->bad_records;
    command->faults += faults;
    if (found->max_depth > command->max_depth)
        command->max_depth = found->max_depth;
    if (faults == 0)
        return;
    command->unbalanced++;
    if (command->code == EXIT_FINE)
        command->code = EXIT_UNBALANCED;
}

/* Makes the context of a thread's files, which keeps the rules of their language from one to the next. A file that is
 * checked alone gets all threads, if it is long; where several are, each has one. */
static pm_status make_context(check_command *command) {
    if (command->context)
        return PM_OK;
    const uint64_t wanted = command->job ? 1 : command->threads;
    const unsigned threads = wanted < JOBS_MAX ? (unsigned)wanted : JOBS_MAX;
    return pm_context_create(&(pm_options){.struct_size = sizeof(pm_options), .threads = threads}, &command->context);
}

/* Checks a text that is all at hand. */
static bool read_whole(const text_source *source, pm_check *check, pm_check_summary *found) {
    atomic_fetch_add(&bytes_read, source->length);
    return check_succeeds(source, pm_check_text(check, source->text, source->length, found));
}

/* Are the mistakes behind the faults to be found? Then the whole text is at hand, and short. False also if it cannot be
 * read, which the reader finds. */
static bool wants_repairs(const check_command *command, text_source *source) {
    return !command->all && !command->options.quiet && !command->printer.delimited && !command->printer.records &&
           source_load_short(source, REPAIRED_BYTES);
}

static bool check_in_context(check_command *command, const pm_language *language, text_source *source,
                             pm_check_summary *found) {
    pm_check *check;
    if (!check_succeeds(source, pm_check_create(command->context, language, check_alphabet(&command->options),
                                                command->options.quiet ? NULL : print_diagnostic, command, &check)))
        return false;
    command->printer.delimited = language_has_delimiters(language);
    const bool repairs = wants_repairs(command, source);
    const bool ready = check_succeeds(source, pm_check_set_records(check, command->separator)) &&
                       check_succeeds(source, pm_check_set_repairs(check, repairs));
    const bool checked = ready && (repairs || command->printer.delimited ? read_whole(source, check, found)
                                                                         : read_pieces(command, source, check, found));
    pm_check_destroy(check);
    return checked;
}

static bool check_by_cpu(check_command *command, const pm_language *language, text_source *source,
                         pm_check_summary *found) {
    return check_succeeds(source, make_context(command)) && check_in_context(command, language, source, found);
}

/* A text with delimiters is loaded. A device counts the faults; the CPU reports each with its line and column. */
static bool check_source(check_command *command, text_source *source, const char *path, pm_check_summary *found) {
    const pm_language *const language = check_language(&command->options, command->language, path, source);
    if (command->complete)
        return check_complete(command, language, source, found);
    if (language_has_delimiters(language) && !source_load(source))
        return false;
    if (command->device) {
        if (!language_has_delimiters(language))
            return check_refuse(source, "a device checks delimiters by rules (--pairs, xml, sql), not brackets");
        if (!check_on_device(&command->machine, command->device, language, source, command->stats, found))
            return false;
        if (command->options.quiet || faults_of(found) == 0)
            return true;
    }
    return check_by_cpu(command, language, source, found);
}

/* Has the user said what is to be checked in a file, whatever its name is? */
static bool is_described(const check_command *command) {
    return command->language || check_alphabet(&command->options);
}

/* Has a text as UTF-8, or sets *binary. Complains and returns false if that cannot be done. */
static bool prepare_text(check_command *command, text_source *source, bool named, bool *binary) {
    text_encoding encoding;
    *binary = false;
    if (!source_encoding(source, &encoding))
        return false;
    switch (encoding) {
    case TEXT_BYTES:
        break;
    case TEXT_BINARY:
        *binary = !(named && is_described(command)) && command->separator != PM_RECORDS_NUL;
        break;
    case TEXT_UTF16_LITTLE:
    case TEXT_UTF16_BIG:
        return source_from_utf16(source, encoding == TEXT_UTF16_BIG);
    case TEXT_UTF32:
        complain("%s: UTF-32, which check does not read; convert it to UTF-8", source->name);
        return false;
    }
    if (*binary && named)
        complain_binary(source->name);
    return true;
}

void check_file(check_command *command, const char *path, bool named) {
    text_source source;
    if (!source_open_guarded(&source, path)) {
        command->code = EXIT_TROUBLE;
        return;
    }
    command->source = &source;
    command->printed = command->next_record = 0;
    command->explained = false;
    command->withheld = 0;
    pm_check_summary found;
    bool binary;
    bool checked =
        prepare_text(command, &source, named, &binary) && (binary || check_source(command, &source, path, &found));
    if (source_is_cut(&source)) {
        complain("%s: the file was cut short while it was read", source.name);
        checked = false;
    }
    if (!checked) {
        command->code = EXIT_TROUBLE;
    } else if (binary) {
        command->binaries++;
    } else {
        count(command, &source, &found);
    }
    source_close(&source);
}
