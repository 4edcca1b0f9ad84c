"""How Sphinx makes the book of the pages that common/commands/book has written.

Links come as addresses that no other program knows: book:PAGE#anchor, bookfile:FILE, and
word:ANCHOR for a word of the glossary.  Here they become links of whatever Sphinx builds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

sys.path.insert(0, str(Path(__file__).parents[2] / "common" / "commands" / "book"))
import listings  # noqa: E402 # of common/commands/book
import markdown  # noqa: E402

project = "Lockstep"
html_title = "Lockstep"
extensions = ["myst_parser", "sphinx_copybutton"]
exclude_patterns = [".doctrees"]
myst_url_schemes = ["http", "https", "mailto", "book", "bookfile", "word"]
smartquotes = False  # a page says what it says, such as --size
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["lockstep.css"]
html_js_files = ["lockstep.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_search_summary = (
    False  # it would ask for files, which a browser refuses from the disk
)
html_use_index = False
html_last_updated_fmt = None
copybutton_selector = "div.highlight-sh pre, div.highlight-c pre, div.highlight-opencl pre"
pygments_style = "friendly"
pygments_dark_style = "one-dark"


class AnchorsOfGitHub(SphinxTransform):
    """Headings have the anchors that links in the repository use."""

    default_priority = 500

    def apply(self, **_: Any) -> None:
        seen: dict[str, int] = {}
        for section in self.document.findall(nodes.section):
            heading = section.next_node(nodes.title)
            if heading is not None:
                name = markdown.unique(markdown.slug(heading.astext()), seen)
                section["ids"] = [name]
                self.document.ids[name] = section


class Links(SphinxPostTransform):
    default_priority = 100

    def run(self, **_: Any) -> None:
        for link in self.document.findall(nodes.reference):
            scheme, _colon, rest = link.get("refuri", "").partition(":")
            page, _hash, anchor = rest.partition("#")
            if "title" in link:
                link["reftitle"] = link["title"]
            if scheme == "word":
                self.lead(link, "glossary", page)
                link["classes"] = ["word"]
            elif scheme == "book":
                self.lead(link, page, anchor)
            elif scheme == "bookfile":
                here = self.app.builder.get_target_uri(self.env.docname)
                up = "../" * here.count("/")
                link["refuri"] = up + rest
                link["internal"] = True

    def lead(self, link: nodes.reference, page: str, anchor: str) -> None:
        address = self.app.builder.get_relative_uri(self.env.docname, page)
        if page == self.env.docname and anchor:
            address = ""
        link["refuri"] = address + (f"#{anchor}" if anchor else "")
        link["internal"] = True
        link["classes"] = [name for name in link["classes"] if name != "external"]


def without_script_of_furo(
    _app: Sphinx, _name: str, _template: str, context: dict[str, Any], _document: Any
) -> None:
    """Debian's is in parts, or a module, which no browser loads from the disk; lockstep.js is
    in its place."""
    context["script_files"] = [
        file
        for file in context["script_files"]
        if not str(getattr(file, "filename", file)).endswith("scripts/furo.js")
    ]


def short_sidebar(
    app: Sphinx, name: str, _template: str, context: dict[str, Any], _document: Any
) -> None:
    """Pages that are looked up, and not read in order, lead back to the contents alone.  The
    whole tree would be most of their size, and of the time that the book takes."""
    if "nosearch" in app.env.metadata.get(name, {}):
        front = context["pathto"]("index")
        link = f'<a class="reference internal" href="{front}#contents">Contents</a>'
        context["toctree"] = lambda **_: f'<ul><li class="toctree-l1">{link}</li></ul>'


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_lexer("opencl", listings.OpenCL)
    app.add_transform(AnchorsOfGitHub)
    app.add_post_transform(Links)
    app.connect("html-page-context", without_script_of_furo, priority=900)
    app.connect("html-page-context", short_sidebar, priority=400)  # before Furo asks for it
    return {"parallel_read_safe": True, "parallel_write_safe": True}
