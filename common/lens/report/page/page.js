/* Moves from step to step: keys, buttons, lists, the slider, the address.  It draws
 * with page_draw.js. */
"use strict";
/* ---- Moving. */
function show() {
    const at = stops[stop], step = steps[at];
    $("said").replaceChildren(...sentence(step));
    showLanes(at);
    showMemory(step);
    showTotals(at + 1);
    $("slider").value = stop;
    $("slider").setAttribute("aria-valuetext", $("said").textContent);
    showWhere();
    $("back").disabled = stop === 0;
    $("on").disabled = stop === stops.length - 1;
    markLine(step);
    noteAddress();
}
function showWhere() {
    const shown = followed < 0 ? "" : ` of warp ${followed}`;
    $("where").textContent = stop < stops.length - 1
        ? `step ${number(stop + 1)} of ${number(stops.length - 1)}${shown}` +
          (isWhole() ? "" : `, among the first ${number(steps.length)} of the ` +
          `${word("group")}'s ${number(launch.steps_in_all)}`)
        : "the end";
}
/* The step in the page's address, but not more than a few times a second: browsers
 * refuse more. */
function noteAddress() {
    addressTimer ||= setTimeout(() => {
        addressTimer = 0;
        history.replaceState(null, "", "#" +
            (page.launches.length > 1 ? `k=${page.launches.indexOf(launch)}&` : "") +
            `t=${stops[stop] + 1}`);
    }, 200);
}
function go(to) {
    stop = Math.max(0, Math.min(stops.length - 1, to));
    show();
}
function follow(warp, at) {
    followed = warp;
    stops = [];
    steps.forEach((step, i) => {
        if (warp < 0 || step.warp === warp || step.kind === "o")
            stops.push(i);
    });
    stops.push(steps.length);
    $("follow").value = warp;
    $("slider").max = stops.length - 1;
    const next = stops.findIndex(i => i >= at);
    stop = next < 0 ? stops.length - 1 : next;
    const has = wanted => stops.some(i => steps[i] && wanted(steps[i]));
    for (const [name, wanted] of [["divergence", step => step.diverges],
        ["barrier", step => step.kind === "o"], ["worst", step => ratio(step) > 1]]) {
        $("to-" + name).disabled = !has(wanted);
        $("legend-" + name).hidden = !has(wanted);
    }
    $("legend-wrong").hidden = pairs.every(pair => pair.found[0] === undefined);
    drawStrip();
}
/* To step `at`, counted from 0, even if another warp makes it. */
function goStep(at) {
    const step = steps[Math.min(at, steps.length - 1)];
    const other = followed >= 0 && at < steps.length && step.kind !== "o" &&
        step.warp !== followed;
    follow(other ? step.warp : followed, Math.max(0, Math.min(at, steps.length)));
    show();
}
/* The next step like that, or the first one if none follows. */
function goNext(wanted) {
    const all = stops.map((at, i) => i).filter(i => steps[stops[i]] &&
        wanted(steps[stops[i]]));
    const next = all.find(i => i > stop);
    if (all.length)
        go(next === undefined ? all[0] : next);
}
const jumps = {
    "to-divergence": () => goNext(step => step.diverges),
    "to-barrier": () => goNext(step => step.kind === "o"),
    "to-worst": () => {
        const worst = Math.max(
            ...stops.map(at => steps[at] ? ratio(steps[at]) : 0));
        goNext(step => ratio(step) === worst);
    },
};
function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => {
        if (stop >= stops.length - 1)
            play(false);
        else
            go(stop + 1);
    }, 1000 / $("pace").value) : 0;
    $("play").textContent = on ? "Pause" : "Play";
    $("said").setAttribute("aria-live", on ? "off" : "polite");
}
function togglePlay() {
    if (!timer && stop >= stops.length - 1)
        go(0);
    play(!timer);
}

/* ---- The launch that is looked at. */
/* Its kernel and arguments, and as much more as tells it from other launches. */
function label(one) {
    const groups = some => `, ${word("groups")} of ${times(some.local)}`;
    const items = some => `, ${times(some.global)} ${word("work-items")}`;
    const same = page.launches.filter(other => other.kernel === one.kernel &&
        other.arguments === one.arguments);
    const texts = [some => "", groups, items, some => groups(some) + items(some),
        some => `, the ${ordinal(same.indexOf(some) + 1)} launch`];
    const text = texts.find(write => new Set(same.map(write)).size === same.length);
    return one.kernel + text(one) +
        (one.arguments ? ` (${withCommas(one.arguments)})` : "");
}
/* Where a page opens: at a mistake, else at the worst access, else where lanes
 * diverge, else at the first access. */
function mostTelling() {
    const wrong = pairs.flatMap(pair => pair.found).find(at => at !== undefined);
    if (wrong !== undefined)
        return wrong;
    const worst = steps.reduce((most, step) => Math.max(most, ratio(step)), 1);
    const tests = [step => worst > 1 && ratio(step) === worst,
        step => step.diverges, step => step.kind === "a"];
    return Math.max(0, ...tests.map(test => steps.findIndex(test))
        .filter(at => at >= 0).slice(0, 1));
}
function openLaunch(index) {
    play(false);
    launch = page.launches[index];
    steps = launch.steps.map(decode);
    document.title = `${launch.kernel}, step by step`;
    $("kernel").textContent = launch.kernel;
    const items = launch.global.reduce((product, size) => product * size);
    $("launch").textContent =
        `${launch.arguments ? withCommas(launch.arguments) + "; " : ""}` +
        (items === 1 ? `1 ${word("work-item")} in `
            : `${times(launch.global)} ${word("work-items")} in `) +
        (launch.groups > 1
        ? `${word("groups")} of ${times(launch.local)}. This is ${word("group")} ` +
          `${number(launch.group)}, the ${ordinal(launch.group + 1)} of ` +
          `${number(launch.groups)}: `
        : `one ${word("group")}: `) +
        `${many(launch.warps, "warp")} of ${page.lanes} lanes.`;
    $("choice").value = index;
    document.body.style.setProperty("--lanes", page.lanes);
    const choice = $("follow");
    choice.replaceChildren(new Option("all warps", -1));
    for (let warp = 0; warp < launch.warps; warp++)
        choice.append(new Option(`warp ${warp}`, warp));
    makeSource();
    makeMistakes();
    const first = mostTelling();
    follow(steps[first].kind === "o" ? 0 : steps[first].warp, first);
}
function readAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const asked = /^\d+$/.test(wanted.get("k"))
        ? page.launches[+wanted.get("k")] : undefined;
    const index = asked ? page.launches.indexOf(asked) : page.open;
    if (page.launches[index] !== launch && (asked || !launch || !wanted.has("t")))
        openLaunch(index);
    if (+wanted.get("t") >= 1)
        goStep(Math.floor(+wanted.get("t")) - 1);
    else
        show();
}

/* What the browser has kept by that name, or keeps from now on.  It may refuse. */
function kept(name, value) {
    try {
        if (value)
            localStorage.setItem(name, value);
        return localStorage.getItem(name);
    } catch (_) {
        return null;
    }
}

/* ---- Dark and light; the button of the book chooses for this page, too. */
const dark = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
if (["light", "dark"].includes(kept("theme")))
    root.dataset.theme = kept("theme");
const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
function showTheme() {
    $("theme").textContent = isDark() ? "Light" : "Dark";
    drawStrip();
}

/* ---- Begin. */
const keys = {
    ArrowRight: () => go(stop + 1), ArrowLeft: () => go(stop - 1),
    Home: () => go(0), End: () => go(stops.length - 1), " ": togglePlay,
    d: jumps["to-divergence"], b: jumps["to-barrier"], w: jumps["to-worst"],
};
document.addEventListener("keydown", event => {
    const tag = event.target.tagName; // a list keeps its keys, but for ← and →
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key] ||
        tag === "SELECT" && !event.key.startsWith("Arrow") ||
        event.key === " " && (tag === "BUTTON" || tag === "SUMMARY"))
        return;
    event.preventDefault();
    if (event.key !== " ")
        play(false);
    keys[event.key]();
});
$("slider").addEventListener("input", () => {
    play(false);
    go(+$("slider").value);
});
/* The bar under the pointer, or nearest to it. */
const stopAt = event => Math.max(0, Math.min(stops.length - 1,
    Math.round(event.offsetX / $("strip").clientWidth * (stops.length - 1) - .5)));
$("strip").addEventListener("click", event => {
    play(false);
    go(stopAt(event));
});
$("strip").addEventListener("pointermove", event => {
    const there = stopAt(event), said = sentence(steps[stops[there]]);
    $("where").textContent = `step ${number(there + 1)}: ` +
        put(make("p"), ...said).textContent;
});
$("strip").addEventListener("pointerleave", showWhere);
const isOn = row => step => Boolean(step.place) && rowOf(step.place) === row;
$("source").addEventListener("click", event => {
    const row = event.target.closest(".row.has");
    if (!row || !getSelection().isCollapsed)
        return;
    play(false);
    goNext(isOn(row));
});
$("source").addEventListener("pointerover", event => {
    const row = event.target.closest(".row.has");
    drawStrip(row && isOn(row));
});
$("source").addEventListener("pointerleave", () => drawStrip());
/* A finger's touch lights until the next one; a mouse, while it is there. */
$("beside").addEventListener("pointerover", event => {
    const shown = event.target.closest("#lanes .lane, #memory [data-lanes]");
    light(steps[stops[stop]], shown ? shown.dataset.lanes.split(" ").map(Number) : []);
});
$("beside").addEventListener("pointerleave", event =>
    event.pointerType === "mouse" && light(steps[stops[stop]], []));
/* Who has chosen with the mouse goes on with the keys: they are the slider's. */
for (const id of ["choice", "follow", "pace"]) {
    let pointed = false;
    $(id).addEventListener("pointerdown", () => pointed = true);
    $(id).addEventListener("keydown", () => pointed = false);
    $(id).addEventListener("change", () => pointed && $("slider").focus());
}
$("back").addEventListener("click", () => go(stop - 1));
$("on").addEventListener("click", () => go(stop + 1));
$("play").addEventListener("click", togglePlay);
$("pace").addEventListener("change", () => play(Boolean(timer)));
for (const id of Object.keys(jumps))
    $(id).addEventListener("click", () => {
        play(false);
        jumps[id]();
    });
$("follow").addEventListener("change", () => {
    follow(+$("follow").value, stops[stop]);
    show();
});
$("choice").addEventListener("change", () => {
    openLaunch(+$("choice").value);
    show();
});
$("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
});
dark.addEventListener("change", showTheme);
addEventListener("resize", () => {
    drawStrip();
    showMemory(steps[stops[stop]]);
});
addEventListener("hashchange", readAddress);

/* One sentence for who is here for the first time, until it is sent away. */
$("welcome-text").textContent = `${page.lanes} lanes execute each line together. ` +
    "What costs more than it must is red. The arrow → goes one step on.";
$("welcome").hidden = kept("lens-welcome") === "no";
$("welcome-away").addEventListener("click", () => {
    kept("lens-welcome", "no");
    $("welcome").hidden = true;
    drawStrip();
});

for (const element of document.querySelectorAll("[data-word]"))
    element.textContent = word(element.textContent);
page.launches.forEach((one, i) =>
    $("choice").append(new Option(label(one), i)));
if (page.left_out)
    $("choice").title = `${many(page.left_out, "launch", "es")} of the run ` +
        "did not fit into this page; the lens's option --kernel chooses";
$("choice-label").hidden = page.launches.length === 1;
$("app").hidden = false;
readAddress();
showTheme();
