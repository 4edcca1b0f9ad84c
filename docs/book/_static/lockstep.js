/* In place of Furo's script, which Debian ships in parts that no browser loads: the button for
 * the theme, and the mark of the section that is being read. */
"use strict";
(() => {
  document.documentElement.classList.remove("no-js");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const body = () => document.body.dataset;

  /* Furo has its colours by data-theme; "auto" is resolved here, because Debian's style has
   * lost its rules for it. */
  const show = (printing) => {
    const dark = body().choice === "auto" ? system.matches : body().choice === "dark";
    body().theme = dark && !printing ? "dark" : "light";
  };

  const next = () => {
    /* The first press always changes something. */
    const order = system.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
    body().choice = order[(order.indexOf(body().choice) + 1) % order.length];
    try { localStorage.setItem("theme", body().choice); } catch { /* it lasts for this page */ }
    show(false);
  };

  /* Nobody can open anything on paper. */
  const unfold = (printing) => {
    document.querySelectorAll(printing ? "details:not([open])" : "details.unfolded")
      .forEach((part) => {
        part.open = printing;
        part.classList.toggle("unfolded", printing);
      });
  };

  const follow = () => {
    const links = new Map([...document.querySelectorAll(".toc-tree a[href^='#']")]
      .map((link) => [link.hash.slice(1), link]));
    const places = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    const mark = () => {
      const passed = places.filter((place) => place.getBoundingClientRect().top < 120);
      const current = passed.at(-1) ?? places[0];
      links.forEach((link, id) => link.parentElement.classList
        .toggle("scroll-current", id === current?.id));
    };
    addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
    mark();
  };

  const start = () => {
    document.querySelectorAll(".theme-toggle").forEach((button) => {
      button.addEventListener("click", next);
      button.title = "The theme: as the system's, light, or dark";
    });
    system.addEventListener("change", () => show(false));
    addEventListener("beforeprint", () => { show(true); unfold(true); });
    addEventListener("afterprint", () => { show(false); unfold(false); });
    follow();
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})();
