/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch boxes: the bounding boxes of a scene. */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/machine_options.h"
#include "cli/profile_path.h"
#include "cli/scene/scene.h"
#include "cli/source.h"
#include "cli/utf8.h"

static const char boxes_help[] =
    "Usage: parenmatch boxes [OPTION]... SCENE\n"
    "Print the bounding boxes of a scene of leaves, clips and blends. The box of a leaf or clip is its own box,\n"
    "cut by all clips above it; the box of a blend is the union of the leaves below it. Each line is\n"
    "INDEX<TAB>KIND<TAB>X0 Y0 X1 Y1, or - for an empty box.\n"
    "\n"
    "      --json           print JSON, one object a line\n"
    "      --svg            draw the boxes as an SVG file\n"
    "      --raw            print four little-endian 32-bit floats a box\n"
    "      --scene          print the scene itself as text\n"
    "      --binary         print the scene itself in binary\n"
    "      --backend NAME   seq, omp, gpu or auto (the default)\n"
    "      --device NAME    the GPU: an index or a UUID (see 'parenmatch devices')\n"
    "      --threads N      the threads of omp, or that copy for gpu; by default all\n"
    "      --help           print this\n"
    "\n"
    "SCENE, or - for standard input, is a text with lines 'leaf X0 Y0 X1 Y1', 'clip X0 Y0 X1 Y1', 'blend' and 'end';\n"
    "the same in binary; or an SVG file, whose groups are blends, clip paths clips, and shapes leaves.\n"
    "Exit code: 0, or 2 for wrong usage or a file that cannot be read.";

typedef pm_status box_function(pm_context *, const uint8_t *, const pm_box *, size_t, pm_box *);

/* What auto has chosen from may have a use for any of the options. */
static const machine_backend backends[] = {{.name = "auto", .device = true, .threads = true},
                                           {.name = "gpu", .device = true, .threads = true},
                                           {.name = "omp", .threads = true},
                                           {.name = "seq"}};
static box_function *const functions[] = {pm_box_auto, pm_box_gpu, pm_box_omp, pm_box_seq};
static const machine_command machine = {
    .name = "boxes", .backends = backends, .count = sizeof backends / sizeof *backends};

typedef enum boxes_format {
    LINES,
    JSON,
    DRAWING,
    RAW,
    SCENE,
    BINARY
} boxes_format;

typedef struct boxes_command {
    machine_options machine;
    boxes_format format;
    const char *form; /* the option that asks for it; NULL: none does */
    const char *path;
} boxes_command;

/* ---- Reading */

/* Anything that begins with '<' is taken for SVG. */
static bool scene_read(const char *name, const char *text, size_t length, scene *s) {
    if (scene_is_binary(text, length))
        return scene_read_binary(name, text, length, s);
    size_t first = 0;
    while (first < length && text[first] != '\0' && strchr(" \t\r\n" UTF8_BYTE_ORDER_MARK, text[first]))
        first++;
    if (first < length && text[first] == '<')
        return scene_read_svg(name, text, length, s);
    return scene_read_text(name, text, length, s);
}

static bool scene_load(const char *path, scene *s) {
    text_source source;
    if (!source_open(&source, path))
        return false;
    const bool read = source_load(&source) && scene_read(source.name, source.text, source.length, s);
    source_close(&source);
    return read;
}

/* ---- Printing */

static void print_lines(const scene *s, const pm_box *out) {
    for (size_t i = 0; i < s->n; i++) {
        printf("%zu\t%s\t", i, scene_kind_names[s->kinds[i]]);
        if (out[i].x0 < out[i].x1)
            printf("%.9g %.9g %.9g %.9g\n", (double)out[i].x0, (double)out[i].y0, (double)out[i].x1, (double)out[i].y1);
        else
            puts("-");
    }
}

/* JSON has no infinite numbers: they are texts. */
static void print_json_number(float number) {
    printf(isfinite(number) ? "%.9g" : "\"%g\"", (double)number);
}

static void print_json(const scene *s, const pm_box *out) {
    for (size_t i = 0; i < s->n; i++) {
        const float numbers[] = {out[i].x0, out[i].y0, out[i].x1, out[i].y1};
        printf("{\"index\":%zu,\"kind\":\"%s\",\"box\":", i, scene_kind_names[s->kinds[i]]);
        for (int k = 0; k < 4 && out[i].x0 < out[i].x1; k++) {
            putchar(k > 0 ? ',' : '[');
            print_json_number(numbers[k]);
        }
        puts(out[i].x0 < out[i].x1 ? "]}" : "null}");
    }
}

static int print_boxes(const boxes_command *command, const scene *s) {
    pm_box *const out = malloc((s->n + 1) * sizeof *out);
    if (!out)
        return complain("out of memory for %zu boxes", s->n);
    pm_context *context = NULL;
    char *const profile = profile_path();
    const bool ready = machine_context_create(&command->machine, profile, &context);
    free(profile);
    const char *const name = source_name(command->path);
    if (!ready || (command->machine.backend == 0 && !machine_device_is_there(&command->machine, context, name))) {
        pm_context_destroy(context);
        free(out);
        return EXIT_TROUBLE;
    }
    const pm_status status = functions[command->machine.backend](context, s->kinds, s->boxes, s->n, out);
    pm_context_destroy(context);
    if (status == PM_OK && command->format == DRAWING)
        scene_draw(s, out, stdout);
    else if (status == PM_OK && command->format == RAW)
        boxes_write(out, s->n, stdout);
    else if (status == PM_OK && command->format == JSON)
        print_json(s, out);
    else if (status == PM_OK)
        print_lines(s, out);
    free(out);
    return status == PM_OK ? EXIT_FINE : machine_complain(&command->machine, name, status);
}

static int print_scene(const boxes_command *command) {
    scene s = {0};
    int code = EXIT_TROUBLE;
    if (scene_load(command->path, &s)) {
        code = EXIT_FINE;
        if (command->format == SCENE)
            scene_write_text(&s, stdout);
        else if (command->format == BINARY)
            scene_write_binary(&s, stdout);
        else
            code = print_boxes(command, &s);
    }
    scene_free(&s);
    return code;
}

/* ---- Options */

enum {
    OPTION_JSON = 256,
    OPTION_SVG,
    OPTION_RAW,
    OPTION_SCENE,
    OPTION_BINARY,
    OPTION_HELP
};

/* What is printed: there is one option for it at most. */
static bool choose_format(boxes_command *command, int option, const char *name) {
    static const boxes_format formats[] = {[OPTION_JSON - OPTION_JSON] = JSON,
                                           [OPTION_SVG - OPTION_JSON] = DRAWING,
                                           [OPTION_RAW - OPTION_JSON] = RAW,
                                           [OPTION_SCENE - OPTION_JSON] = SCENE,
                                           [OPTION_BINARY - OPTION_JSON] = BINARY};
    if (command->form && strcmp(command->form, name) != 0)
        return !complain_usage("boxes", "--%s and --%s exclude each other", command->form, name);
    command->form = name;
    command->format = formats[option - OPTION_JSON];
    return true;
}

/* Reads the options; returns false, with *code set, when there is nothing more to do. */
static bool read_options(boxes_command *command, int *code, int argc, char **argv) {
    static const struct option options[] = {{"json", no_argument, NULL, OPTION_JSON},
                                            {"svg", no_argument, NULL, OPTION_SVG},
                                            {"raw", no_argument, NULL, OPTION_RAW},
                                            {"scene", no_argument, NULL, OPTION_SCENE},
                                            {"binary", no_argument, NULL, OPTION_BINARY},
                                            MACHINE_LONG_BACKEND,
                                            MACHINE_LONG_DEVICE,
                                            MACHINE_LONG_THREADS,
                                            {"help", no_argument, NULL, OPTION_HELP},
                                            {NULL, 0, NULL, 0}};
    *code = EXIT_TROUBLE;
    for (int option, which; (option = getopt_long(argc, argv, "", options, &which)) != -1;) {
        if (option == OPTION_HELP) {
            puts(boxes_help);
            *code = EXIT_FINE;
            return false;
        }
        if (option == '?')
            return !point_to_help("boxes");
        if (machine_is_option(option) ? !machine_option_take(&machine, &command->machine, option)
                                      : !choose_format(command, option, options[which].name))
            return false;
    }
    if (optind != argc - 1)
        return !complain_usage("boxes", optind == argc ? "no scene given" : "more than one scene given");
    command->path = argv[optind];
    const char *const given = machine_option_given(&command->machine);
    if (given && (command->format == SCENE || command->format == BINARY))
        return !complain_usage("boxes", "%s has no effect with --%s, which prints no boxes", given, command->form);
    return machine_options_agree(&machine, &command->machine);
}

int command_boxes(int argc, char **argv) {
    boxes_command command = {.format = LINES};
    int code;
    return read_options(&command, &code, argc, argv) ? print_scene(&command) : code;
}
