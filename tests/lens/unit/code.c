/* code: what the lens reads in kernel files, and in what a compiler makes of them. */
#define _GNU_SOURCE /* open_memstream */
#include "unit.h"

#include "alone/members.h"
#include "alone/signature.h"
#include "attach/sources.h"
#include "base/mean.h"
#include "code/command.h"
#include "code/digests.h"
#include "code/divide.h"
#include "code/source_lines.h"
#include "replay/arguments.h"

#include <stdlib.h>
#include <string.h>

/* ---- Signatures. */

/* As clang 19 writes it: kernel void scale(global const float4 *x, write_only image2d_t
 * to, constant half *c, local uchar *part, uint n, struct shape by); and then one() of
 * clang 21, which only calls its clone. */
static const char described[] =
    "; ModuleID\n"
    "define dso_local spir_kernel void @scale(ptr noundef align 16 %0, ptr %1) #0 "
    "!kernel_arg_addr_space !6 !kernel_arg_access_qual !7 !kernel_arg_type !8 "
    "!kernel_arg_base_type !9 !kernel_arg_type_qual !10 !kernel_arg_name !11 "
    "!reqd_work_group_size !12 {\n"
    "  %7 = call i64 @lens_global_id(i32 noundef 0)\n"
    "  ret void\n"
    "}\n"
    "define dso_local spir_func i32 @helper(i32 noundef %0) {\n"
    "  %2 = call i64 @lens_local_id(i32 noundef 2)\n"
    "  ret i32 %2\n"
    "}\n"
    "define dso_local spir_kernel void @\"gr\\C3\\B6\\C3\\9Fer\"(ptr %0) #0 "
    "!kernel_arg_addr_space !13 !kernel_arg_access_qual !14 !kernel_arg_type !15 "
    "!kernel_arg_base_type !16 !kernel_arg_type_qual !17 !kernel_arg_name !18 {\n"
    "  call void @__clang_ocl_kern_imp_other(ptr %0)\n"
    "  ret void\n"
    "}\n"
    "define dso_local spir_kernel void @two(ptr %0) #0 !kernel_arg_addr_space !13 "
    "!kernel_arg_access_qual !14 !kernel_arg_type !15 !kernel_arg_base_type !16 "
    "!kernel_arg_type_qual !17 !kernel_arg_name !18 {\n"
    "  call void @__clang_ocl_kern_imp_two(ptr %0)\n"
    "  ret void\n"
    "}\n"
    "define dso_local void @__clang_ocl_kern_imp_two(ptr %0) #0 "
    "!kernel_arg_addr_space !13 !kernel_arg_access_qual !14 !kernel_arg_type !15 "
    "!kernel_arg_base_type !16 !kernel_arg_type_qual !17 !kernel_arg_name !18 {\n"
    "  %2 = call i64 @lens_group_id(i32 noundef 1)\n"
    "  ret void\n"
    "}\n"
    "!6 = !{i32 1, i32 1, i32 2, i32 3, i32 0, i32 0}\n"
    "!7 = !{!\"none\", !\"write_only\", !\"none\", !\"none\", !\"none\", !\"none\"}\n"
    "!8 = !{!\"float4*\", !\"image2d_t\", !\"half*\", !\"byte*\", !\"uint\", "
    "!\"struct shape\"}\n"
    "!9 = !{!\"float __attribute__((ext_vector_type(4)))*\", !\"image2d_t\", "
    "!\"half*\", !\"uchar*\", !\"uint\", !\"struct shape\"}\n"
    "!10 = !{!\"const\", !\"\", !\"const\", !\"\", !\"\", !\"\"}\n"
    "!11 = !{!\"x\", !\"to\", !\"c\", !\"part\", !\"n\", !\"by\"}\n"
    "!12 = !{i32 8, i32 4, i32 1}\n"
    "!13 = !{i32 1}\n"
    "!14 = !{!\"none\"}\n"
    "!15 = !{!\"int*\"}\n"
    "!16 = !{!\"int*\"}\n"
    "!17 = !{!\"restrict\"}\n"
    "!18 = !{!\"l\\C3\\A4nge\"}\n";

/* "scale 1d 8,4,1: global const float4* x; ...". */
static char *signature_in_words(const struct signature *signature) {
    static const char *const spaces[] = {"global", "local", "constant", "private"};
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    fprintf(out, "%s %ud %zu,%zu,%zu:", signature->name, signature->dimensions,
            signature->required[0], signature->required[1], signature->required[2]);
    for (cl_uint i = 0; i < signature->count; i++) {
        const struct argument *argument = &signature->arguments[i];
        fprintf(out, " %s%s%s %s %s;",
                spaces[argument->space - CL_KERNEL_ARG_ADDRESS_GLOBAL],
                signature->constant[i] ? " const" : "",
                argument->written ? " written" : "", argument->type, argument->name);
    }
    fclose(out);
    return words;
}

void test_signature(void) {
    static const char *const wanted[][2] = {
        {HERE, "scale 1d 8,4,1: global const float4* x; global written image2d_t to; "
               "constant const half* c; local uchar* part; private uint n; "
               "private struct shape by;"},
        {HERE, "größer 1d 0,0,0: global int* länge;"},
        {HERE, "two 2d 0,0,0: global int* länge;"}, /* and no clone */
    };
    const struct signatures found = signatures_of(described);
    is_number(HERE, "kernels", (int64_t)found.count, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted) && i < found.count; i++)
        is_text(wanted[i][0], "a signature", signature_in_words(&found.all[i]),
                wanted[i][1]);
    is_number(HERE, "kernels of a file without any",
              (int64_t)signatures_of("define void @f() {\n}\n").count, 0);
}

/* ---- Members of structures: struct inner { char c; float2 v[2]; };
 * struct shape { int n; const float by; struct inner in; float3 three; union { uint u;
 * float f; } either; enum color color; }, as clang 15 describes them. */
static const char debugged[] =
    "!10 = distinct !DISubprogram(name: \"scale\", scope: !11, type: !12, unit: !0)\n"
    "!12 = !DISubroutineType(cc: DW_CC_LLVM_OpenCLKernel, types: !13)\n"
    "!13 = !{null, !14, !16}\n"
    "!14 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64)\n"
    "!15 = !DIBasicType(name: \"float\", size: 32, encoding: DW_ATE_float)\n"
    "!16 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"shape\", "
    "size: 512, elements: !17)\n"
    "!17 = !{!18, !20, !22, !34, !39, !46}\n"
    "!18 = !DIDerivedType(tag: DW_TAG_member, name: \"n\", baseType: !19, size: 32)\n"
    "!19 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n"
    "!20 = !DIDerivedType(tag: DW_TAG_member, name: \"by\", baseType: !21, size: 32, "
    "offset: 32)\n"
    "!21 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !15)\n"
    "!22 = !DIDerivedType(tag: DW_TAG_member, name: \"in\", baseType: !23, size: 192, "
    "offset: 64)\n"
    "!23 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"inner\", "
    "size: 192, elements: !24)\n"
    "!24 = !{!25, !27}\n"
    "!25 = !DIDerivedType(tag: DW_TAG_member, name: \"c\", baseType: !26, size: 8)\n"
    "!26 = !DIBasicType(name: \"char\", size: 8, encoding: DW_ATE_signed_char)\n"
    "!27 = !DIDerivedType(tag: DW_TAG_member, name: \"v\", baseType: !28, size: 128, "
    "offset: 64)\n"
    "!28 = !DICompositeType(tag: DW_TAG_array_type, baseType: !29, size: 128, "
    "elements: !32)\n"
    "!29 = !DIDerivedType(tag: DW_TAG_typedef, name: \"float2\", baseType: !31)\n"
    "!31 = !DICompositeType(tag: DW_TAG_array_type, baseType: !15, size: 64, flags: "
    "DIFlagVector, elements: !32)\n"
    "!32 = !{!33}\n"
    "!33 = !DISubrange(count: 2)\n"
    "!34 = !DIDerivedType(tag: DW_TAG_member, name: \"three\", baseType: !35, "
    "size: 128, offset: 256)\n"
    "!35 = !DIDerivedType(tag: DW_TAG_typedef, name: \"float3\", baseType: !36)\n"
    "!36 = !DICompositeType(tag: DW_TAG_array_type, baseType: !15, size: 128, flags: "
    "DIFlagVector, elements: !37)\n"
    "!37 = !{!38}\n"
    "!38 = !DISubrange(count: 3)\n"
    "!39 = !DIDerivedType(tag: DW_TAG_member, name: \"either\", baseType: !40, "
    "size: 32, offset: 384)\n"
    "!40 = distinct !DICompositeType(tag: DW_TAG_union_type, size: 32, "
    "elements: !41)\n"
    "!41 = !{!42, !45}\n"
    "!42 = !DIDerivedType(tag: DW_TAG_member, name: \"u\", baseType: !43, size: 32)\n"
    "!43 = !DIDerivedType(tag: DW_TAG_typedef, name: \"uint\", baseType: !44)\n"
    "!44 = !DIBasicType(name: \"unsigned int\", size: 32, encoding: "
    "DW_ATE_unsigned)\n"
    "!45 = !DIDerivedType(tag: DW_TAG_member, name: \"f\", baseType: !15, size: 32)\n"
    "!46 = !DIDerivedType(tag: DW_TAG_member, name: \"color\", baseType: !47, "
    "size: 32, offset: 416)\n"
    "!47 = !DICompositeType(tag: DW_TAG_enumeration_type, name: \"color\", "
    "baseType: !44, size: 32)\n";

/* "64 bytes: 0 int, 4 float". */
static char *members_in_words(const char *kernel, unsigned argument) {
    char *text = strdup(debugged), *words = NULL;
    size_t bytes = 0;
    const struct members members = members_of(text, kernel, argument);
    FILE *out = open_memstream(&words, &bytes);
    fprintf(out, "%zu bytes", members.bytes);
    for (size_t i = 0; i < members.count; i++)
        fprintf(out, "%s %zu %s", i ? "," : ":", members.all[i].offset,
                members.all[i].type);
    fclose(out);
    free(members.all);
    free(text);
    return words;
}

void test_members(void) {
    is_text(HERE, "a structure", members_in_words("scale", 1),
            "64 bytes: 0 int, 4 float, 8 char, 16 float, 20 float, 24 float, 28 float, "
            "32 float, 36 float, 40 float, 48 uint, 52 uint");
    is_text(HERE, "a pointer", members_in_words("scale", 0), "8 bytes: 0 ulong");
    is_text(HERE, "no such argument", members_in_words("scale", 2), "0 bytes");
    is_text(HERE, "no such kernel", members_in_words("scal", 1), "0 bytes");
}

/* ---- Digests. */
static const char compiled[] =
    "; ModuleID = 'main.cl'\n"
    "%struct.pair = type { float, i32 }\n"
    "@turned.t = internal global [64 x float] undef, align 4\n"
    "@weights = internal constant [2 x float] [float 1.0, float 2.0], align 4\n"
    "@.str = private unnamed_addr constant [3 x i8] c\"#0\\00\", align 1\n"
    "@.str.1 = private unnamed_addr constant [3 x i8] c\"#1\\00\", align 1\n"
    "\n"
    "define spir_kernel void @turned(ptr %x) #0 !kernel_arg_name !5 {\n"
    "entry:\n"
    "  %0 = load float, ptr %x, align 4, !tbaa !6\n"
    "  store float %0, ptr @turned.t, align 4, !tbaa !6\n"
    "  call void @say(ptr @.str)\n"
    "  br label %entry, !llvm.loop !8\n"
    "}\n"
    "; Function Attrs: nounwind\n"
    "define internal float @more(float %x) #1 {\n"
    "  %y = getelementptr inbounds %struct.pair, ptr @weights, i64 1\n"
    "  ret float %x\n"
    "}\n"
    "define spir_kernel void @plain(ptr %x) #0 !kernel_arg_name !5 {\n"
    "  %0 = call float @more(float 1.0) #2\n"
    "  call void @say(ptr @.str.1)\n"
    "  ret void\n"
    "}\n"
    "declare void @say(ptr) #1\n"
    "attributes #0 = { convergent \"a\"=\"b\" }\n"
    "attributes #1 = { nounwind }\n"
    "attributes #2 = { convergent }\n"
    "!0 = !{i32 1, !\"wchar_size\", i32 4}\n"
    "!5 = !{!\"x\"}\n"
    "!6 = !{!7, !7, i64 0}\n"
    "!7 = !{!\"float\"}\n"
    "!8 = distinct !{!8, !9}\n"
    "!9 = !{!\"llvm.loop.mustprogress\"}\n";

/* A text with every `from` in it replaced. */
static char *changed(const char *text, const char *from, const char *to) {
    char *other = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&other, &bytes);
    for (const char *place; (place = strstr(text, from)); text = place + strlen(from))
        fprintf(out, "%.*s%s", (int)(place - text), text, to);
    fputs(text, out);
    fclose(out);
    return other;
}

static bool is_same(const struct digests *one, const struct digests *other,
                    const char *kernel) {
    const struct digest *a = digests_find(one, kernel),
                        *b = digests_find(other, kernel);
    return a && b && a->number == b->number;
}

static void test_one_digest(void) {
    static const struct {
        const char *here, *from, *to;
        bool turned, plain; /* is it the same? */
    } changes[] = {
        {HERE, "main.cl", "other.cl", true, true},
        {HERE, "align 4, !tbaa", "align 8, !tbaa", false, true},
        {HERE, "float 1.0) #2", "float 3.0) #2", true, false},
        {HERE, "ret float %x", "ret float %y", true, false},
        {HERE, "float 2.0]", "float 3.0]", true, false},
        {HERE, "{ float, i32 }", "{ float, i64 }", true, false},
        {HERE, "[64 x float]", "[32 x float]", false, true},
        {HERE, "#0\\00", "#1\\00", false, true},
        {HERE, "\"a\"=\"b\"", "\"a\"=\"c\"", false, false},
        {HERE, "nounwind }", "readnone }", false, false},
        {HERE, "!\"x\"", "!\"y\"", false, false},
        {HERE, "!\"float\"", "!\"int\"", false, true},
        {HERE, "mustprogress", "unroll.disable", false, true},
        {HERE, "i32 4}", "i32 2}", true, true},
        {HERE, "; Function", "; A function", true, true},
        /* They have other numbers. */
        {HERE, "#2", "#9", true, true},
        {HERE, "!7", "!17", true, true},
        {HERE, "!8", "!1", true, true},
        {HERE, "@.str.1", "@.str.9", true, true},
        {HERE, "%struct.pair", "%struct.pair.1", true, true},
        {HERE, "%struct.pair", "%struct.pear", true, false},
        {HERE, "@.str ", "@.str.2 ", false, true},
        {HERE, "@plain", "@plane", true, false},
        {HERE, "@more", "@less", true, false},
        /* What is between them, and neither uses. */
        {HERE, "declare", "declare void @other()\ndeclare", true, true},
        {HERE, "define internal", "define void @f() #2 {\n}\ndefine internal", true,
         true},
    };
    const struct digests ours = digests_of(compiled);
    for (size_t i = 0; i < COUNT(changes); i++) {
        char *other = changed(compiled, changes[i].from, changes[i].to);
        struct digests digests = digests_of(other);
        is_number(changes[i].here, changes[i].to, is_same(&ours, &digests, "turned"),
                  changes[i].turned);
        is_number(changes[i].here, changes[i].to, is_same(&ours, &digests, "plain"),
                  changes[i].plain);
        digests_free(&digests);
        free(other);
    }
}

void test_digests(void) {
    char *lines = NULL;
    size_t bytes = 0;
    test_one_digest();
    FILE *out = open_memstream(&lines, &bytes);
    struct digests digests = digests_of("define void @\"gr\\C3\\B6\"() {\n}\n");
    digests_write(&digests, out);
    fclose(out);
    const struct digests read = digests_read(lines);
    is_number(HERE, lines, is_same(&digests, &read, "gr\xc3\xb6"), true);
    is_number(HERE, lines, is_same(&digests, &read, "gr"), false);
    is_number(HERE, "a torn text", (int64_t)digests_of("define void @f(\"").count, 1);
    is_number(HERE, "no text", (int64_t)digests_of("").count, 0);
    is_number(HERE, "no lines", (int64_t)digests_read("").count, 0);
}

void test_plain(void) {
    is_text(HERE, "a plain text",
            sources_plain("#line 3 \"k.cl\"\n#define A \\\n 1 // one\n"
                          "int  f(int x)\n{ /* so */ return x + \"a  // b\"[0]; }\n"),
            "\n#define A 1\n int f(int x) { return x + \"a  // b\"[0]; }");
}

/* ---- Divisions in LLVM's text. */
static void test_guarded(void) {
    static const char *const guarded[][4] = {
        {HERE, "  %div = sdiv i32 %x, %parts, !dbg !9",
         "  %lens_n7_0 = sext i32 %x to i64\n"
         "  %lens_d7_0 = sext i32 %parts to i64\n"
         "  %lens_q7_0 = call i64 @lens_divisor(i64 %lens_n7_0, i64 %lens_d7_0, "
         "i32 32, i32 7)\n"
         "  %lens_v7_0 = trunc i64 %lens_q7_0 to i32\n",
         "  %div = sdiv i32 %x, %lens_v7_0, !dbg !9"},
        {HERE, "  %r = urem i64 9, %y",
         "  %lens_n7_0 = add i64 9, 0\n"
         "  %lens_d7_0 = add i64 %y, 0\n"
         "  %lens_q7_0 = call i64 @lens_divisor(i64 %lens_n7_0, i64 %lens_d7_0, "
         "i32 0, i32 7)\n"
         "  %lens_v7_0 = add i64 %lens_q7_0, 0\n",
         "  %r = urem i64 9, %lens_v7_0"},
        {HERE, "  %r = udiv <2 x i8> %x, %y",
         "  %lens_n7_0_ = extractelement <2 x i8> %x, i32 0\n"
         "  %lens_n7_0 = zext i8 %lens_n7_0_ to i64\n"
         "  %lens_d7_0_ = extractelement <2 x i8> %y, i32 0\n"
         "  %lens_d7_0 = zext i8 %lens_d7_0_ to i64\n"
         "  %lens_q7_0 = call i64 @lens_divisor(i64 %lens_n7_0, i64 %lens_d7_0, "
         "i32 0, i32 7)\n"
         "  %lens_v7_0 = trunc i64 %lens_q7_0 to i8\n"
         "  %lens_n7_1_ = extractelement <2 x i8> %x, i32 1\n"
         "  %lens_n7_1 = zext i8 %lens_n7_1_ to i64\n"
         "  %lens_d7_1_ = extractelement <2 x i8> %y, i32 1\n"
         "  %lens_d7_1 = zext i8 %lens_d7_1_ to i64\n"
         "  %lens_q7_1 = call i64 @lens_divisor(i64 %lens_n7_1, i64 %lens_d7_1, "
         "i32 0, i32 7)\n"
         "  %lens_v7_1 = trunc i64 %lens_q7_1 to i8\n"
         "  %lens_w7_0 = insertelement <2 x i8> undef, i8 %lens_v7_0, i32 0\n"
         "  %lens_w7_1 = insertelement <2 x i8> %lens_w7_0, i8 %lens_v7_1, i32 1\n",
         "  %r = udiv <2 x i8> %x, %lens_w7_1"},
    };
    for (size_t i = 0; i < COUNT(guarded); i++) {
        char *asked = NULL;
        size_t bytes = 0;
        FILE *out = open_memstream(&asked, &bytes);
        char *line = divide_guarded(guarded[i][1], 7, out);
        fclose(out);
        is_text(guarded[i][0], guarded[i][1], asked, guarded[i][2]);
        is_text(guarded[i][0], guarded[i][1], line, guarded[i][3]);
    }
}

void test_divide(void) {
    static const struct {
        const char *here, *line;
        bool divides;
    } lines[] = {
        {HERE, "  %q = sdiv i32 %x, %y", true},
        {HERE, "  %q = udiv exact i64 %x, %y, !dbg !7", true},
        {HERE, "  %q = srem <4 x i16> %x, %y", true},
        {HERE, "  %q = urem i8 7, %y", true},
        {HERE, "  %q = sdiv i32 %x, 3, !dbg !7", false},
        {HERE, "  %q = sdiv <2 x i32> %x, <i32 3, i32 5>", false},
        {HERE, "  %q = fdiv float %x, %y", false},
        {HERE, "  %q = add i32 %sdiv, %y", false},
        {HERE, "  %q = sdiv i128 %x, %y", false},
        {HERE, "  store i32 %x, ptr %y", false},
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        is_number(lines[i].here, lines[i].line, divide_is(lines[i].line),
                  lines[i].divides);
    test_guarded();
}

/* ---- Lines of the source. */
void test_lines(void) {
    static const struct {
        const char *here;
        struct place place;
        size_t most;
        const char *excerpt, *text;
    } lines[] = {
        {HERE, {"kernel.cl", 1, 0, NULL}, 80, "first", "first"},
        {HERE, {"kernel.cl", 2, 5, NULL}, 80, "    second;", "second;"},
        {HERE, {"kernel.cl", 3, 1, NULL}, 80, "", ""},
        {HERE, {"kernel.cl", 9, 1, NULL}, 80, "", ""},
        {HERE, {"/a/folder/inner.h", 1, 1, NULL}, 80, "included", "included"},
        {HERE, {"/a/folder/inner.h", 2, 1, NULL}, 80, "", ""},
        {HERE, {"inner.h", 1, 1, NULL}, 80, "", ""},
        {HERE, {"other.h", 7, 1, NULL}, 80, "seventh", "seventh"},
        {HERE,
         {"other.h", 8, 1, NULL},
         24,
         "int a = 1; int bb = 2; i",
         "int a = 1; int bb = 2; i"},
        {HERE,
         {"other.h", 8, 24, NULL},
         24,
         "... int ccc = a + bb; x[0] =",
         "... int ccc = a + bb; x[0] ="},
        {HERE,
         {"other.h", 8, 38, NULL},
         24,
         "... a + bb; x[0] = ccc; }",
         "... a + bb; x[0] = ccc; }"},
        {HERE, {"other.h", 8, 42, NULL}, 24, "... x[0] = ccc; }", "... x[0] = ccc; }"},
    };
    static const char source[] =
        "first\n    second;  \n\n#line 1 \"/a/folder/inner.h\"\nincluded\n"
        "  # line 7 \"other.h\"\nseventh\n"
        "int a = 1; int bb = 2; int ccc = a + bb; x[0] = ccc; }";
    for (size_t i = 0; i < COUNT(lines); i++) {
        is_text(lines[i].here, "an excerpt",
                source_excerpt(source, lines[i].place, lines[i].most),
                lines[i].excerpt);
        is_text(lines[i].here, "a text",
                source_text(source, lines[i].place, lines[i].most), lines[i].text);
    }
    is_number(HERE, "the mean of 1 and 2, times 2", (int64_t)(2 * mean(3, 2)), 3);
    is_number(HERE, "the mean of nothing", (int64_t)mean(0, 0), 0);
}

/* ---- Words, and arguments in words. */
static char *words_of(const char *text) {
    char word[MAX_WORD], *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    for (const char *rest = text; (rest = next_word(rest, word));)
        fprintf(out, "[%s]", word);
    fclose(out);
    return words;
}

void test_words(void) {
    static const char *const split[][3] = {
        {HERE, "", ""},
        {HERE, " \t\n", ""},
        {HERE, "-O2", "[-O2]"},
        {HERE, "  -D  N=1\t-cl-std=CL2.0 ", "[-D][N=1][-cl-std=CL2.0]"},
        {HERE, "-I \"a folder/b\" -w", "[-I][a folder/b][-w]"},
        {HERE, "-DT=\"two words\"", "[-DT=two words]"},
        {HERE, "\"\"", "[]"},
    };
    static float x = 0.5f;
    static int n[4] = {4096, 1, 2, 3};
    const struct argument arguments[] = {
        {.space = CL_KERNEL_ARG_ADDRESS_GLOBAL, .name = "x", .type = "float*"},
        {.space = CL_KERNEL_ARG_ADDRESS_PRIVATE,
         .name = "n",
         .type = "int",
         .bytes = sizeof *n,
         .value = (char *)n,
         .set = true},
        {.space = CL_KERNEL_ARG_ADDRESS_PRIVATE,
         .name = "by",
         .type = "float",
         .bytes = sizeof x,
         .value = (char *)&x,
         .set = true},
        {.space = CL_KERNEL_ARG_ADDRESS_PRIVATE,
         .name = "four",
         .type = "int4",
         .bytes = sizeof n,
         .value = (char *)n,
         .set = true},
    };
    for (size_t i = 0; i < COUNT(split); i++)
        is_text(split[i][0], split[i][1], words_of(split[i][1]), split[i][2]);
    is_text(HERE, "arguments", arguments_in_words(arguments, COUNT(arguments)),
            "n=4096 by=0.5 four=(4096,1,2,3)");
}
