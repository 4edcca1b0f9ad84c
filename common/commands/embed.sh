#!/bin/sh
# embed.sh FILE ... : prints C that holds the lines of these files, and their SHA-256 in
# base64, as a page's content policy names them.  page.css becomes page_css and
# page_css_sha256.  Parts of the lens's page (common/lens/report/page/page.c) are built in this way.

set -e
echo '#include "page_parts.h"'
for file; do
    name=$(basename "$file" | tr . _)
    printf '\nconst char *const %s[] = {\n' "$name"
    sed 's/[\\"]/\\&/g; s/.*/    "&\\n",/' "$file"
    printf '    0};\n'
    case $file in *.html) continue ;; esac
    sum=$(sha256sum <"$file" | cut -c 1-64 | tr a-f A-F | basenc --base16 -d | base64)
    printf 'const char %s_sha256[] = "%s";\n' "$name" "$sum"
done
