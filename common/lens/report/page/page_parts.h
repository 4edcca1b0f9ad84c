/* page_parts: page.html, page.css and the scripts, line by line, with a NULL at the
 * end; and the SHA-256 of all but the first in base64.  common/commands/embed.sh writes
 * them in C. */
#ifndef PAGE_PARTS_H
#define PAGE_PARTS_H

extern const char *const page_html[], *const page_css[];
extern const char *const page_data_js[], *const page_draw_js[], *const page_js[];
extern const char page_css_sha256[], page_data_js_sha256[], page_draw_js_sha256[],
    page_js_sha256[];

#endif
