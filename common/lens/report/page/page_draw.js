/* Draws a step: lanes, memory, the sentence, the source, totals and mistakes.  It asks
 * page_data.js what a step is. */
"use strict";
/* ---- Elements. */
function make(tag, style, text) {
    const element = document.createElement(tag);
    if (style)
        element.className = style;
    if (text !== undefined)
        element.textContent = text;
    return element;
}
function put(parent, ...children) {
    parent.append(...children);
    return parent;
}
/* What belongs to a lane has its colour, and can be lit: see light(). */
const hue = lane => `hsl(${188 + Math.round(lane * 120 / page.lanes)} 48% 36%)`;
function colour(element, lane) {
    element.style.setProperty("--lane", hue(lane));
    element.dataset.lanes = lane;
    return element;
}

/* ---- Totals. */
const rows = [
    ["busy lanes, on average", s => s.instructions ?
        (s.lane_instructions / s.instructions).toFixed(1) : "–", s => true],
    ["accesses", s => number(s.accesses), s => s.accesses],
    ["sectors (ideal)", s => `${number(s.sectors)} (${number(s.ideal_sectors)})`,
        s => s.sectors],
    ["of the bytes moved, used", s => s.sectors ?
        `${(100 * s.used_bytes / s.sectors / page.sector).toFixed(1)} %` : "–",
        s => s.sectors],
    ["passes (ideal)", s => `${number(s.passes)} (${number(s.ideal_passes)})`,
        s => s.passes],
    ["addresses (ideal)",
        s => `${number(s.addresses)} (${number(s.ideal_addresses)})`,
        s => s.addresses],
    ["branches diverged", s => `${number(s.diverged)} of ${number(s.branches)}`,
        s => s.branches],
    ["barriers", s => number(s.barriers), s => s.barriers],
    ["atomic operations", s => number(s.operations), s => s.operations],
];
function showTotals(end) {
    const sums = sumsUpTo(end), body = $("totals").tBodies[0];
    body.replaceChildren();
    for (const [name, write, isShown] of rows) {
        if (!isShown(launch.totals))
            continue;
        const head = make("th", "", name);
        head.scope = "row";
        body.append(put(make("tr"), head, make("td", "", write(sums)),
            make("td", "", write(launch.totals))));
    }
}

/* ---- Lanes. */
/* A row of lanes is one picture, and has a name, unless it lies in another one. */
function laneRow(states, name) {
    const row = make("div", "lanes");
    if (name) {
        row.setAttribute("role", "img");
        row.setAttribute("aria-label", name);
    }
    states.forEach((state, lane) => row.append(
        colour(make("span", "lane " + state, lane), lane)));
    return row;
}
const warpShown = step => step && step.kind !== "o" ? step.warp : Math.max(followed, 0);
function showLanes(at) {
    const step = steps[at];
    const warp = warpShown(step);
    const states = statesOf(warp, at);
    $("lanes").replaceChildren(laneRow(states));
    $("lanes").setAttribute("aria-label", `warp ${warp}: ${inWords(states)}`);
    light(step, []);
    $("group").hidden = launch.warps === 1;
    $("warps").replaceChildren();
    $("warps").setAttribute("aria-label",
        `all ${launch.warps} warps of the ${word("group")}`);
    for (let w = 0; w < launch.warps && launch.warps > 1; w++) {
        const bits = make("span", "bits");
        for (const state of w === warp ? states : statesOf(w, at))
            bits.append(make("i", state));
        $("warps").append(put(make("div", w === warp ? "warp now" : "warp"),
            make("span", "", w), bits));
    }
}
const spaceOf = step => word(`${step.space} memory`);
/* Which element a lane wants, if it wants any in this step. */
function wantedBy(step, lane) {
    const touch = step && step.kind === "a" &&
        touchesOf(step).find(found => found.lane === lane);
    const verb = {load: "loads", store: "stores", atomic: "changes"}[step?.what];
    const at = touch && Math.floor(touch.offset / step.bytes);
    return touch ? `, ${verb} ${step.name}[${at}]` : "";
}
/* Lanes that the reader points at: they, and what they want, are lit, and named. */
function light(step, lanes) {
    const warp = warpShown(step);
    const all = document.querySelectorAll("#lanes .lane, #memory [data-lanes]");
    for (const element of all)
        element.classList.toggle("lit", lanes.some(lane =>
            element.dataset.lanes.split(" ").includes(String(lane))));
    $("beside").classList.toggle("pointed", lanes.length > 0);
    $("lanes-title").textContent = lanes.length > 1 ? `Lanes ${lanes.join(", ")}`
        : lanes.length ? `Lane ${lanes[0]}, item ${warp * page.lanes + lanes[0]} of ` +
            `its ${word("group")}${wantedBy(step, lanes[0])}`
        : `Warp ${warp} of ${launch.warps}: its ${many(widthOf(warp), "lane")}`;
}

/* ---- Memory. */
const cellsIn = (touches, begin, end) =>
    touches.filter(touch => touch.offset < end &&
        touch.offset + touch.bytes > begin);
function cell(touches, begin, bytes) {
    const here = cellsIn(touches, begin, begin + bytes);
    const style = ["cell", "cell used", "cell many"][Math.min(here.length, 2)];
    const text = here.length > 1 ? "*" : here[0] ? here[0].lane : "";
    const made = make("span", style, bytes < 4 ? "" : text);
    if (here.length === 1)
        colour(made, here[0].lane);
    else if (here.length)
        made.dataset.lanes = here.map(touch => touch.lane).join(" ");
    return made;
}
/* The cells of 32 bytes; `wrong`, if any, are the bytes that a mistake is about. */
function cellsOf(step, touches, begin, wrong) {
    const size = Math.min(step.bytes, 4);
    const cells = make("div", size < 4 ? "cells fine" : "cells");
    const near = cellsIn(touches, begin, begin + page.sector);
    for (let byte = begin; byte < begin + page.sector; byte += size) {
        const made = cell(near, byte, size);
        if (wrong && byte < wrong.offset + wrong.bytes &&
            byte + size > wrong.offset)
            made.classList.add("wrong");
        cells.append(made);
    }
    return cells;
}
/* "x[32]"; what is too long for that has its name in the sentence alone. */
function elementAt(step, byte) {
    const index = `[${Math.ceil(byte / step.bytes)}]`;
    return step.name.length + index.length > 10 ? index : step.name + index;
}
/* The mistake whose accesses this step is one of. */
const pairOf = step => pairs.find(pair => pair.found.includes(steps.indexOf(step)));
function numbersOf(touches, size) {
    const all = new Set();
    for (const touch of touches)
        for (let i = Math.floor(touch.offset / size);
            i * size < touch.offset + touch.bytes; i++)
            all.add(i);
    return [...all].sort((a, b) => a - b);
}
/* How many sectors a row has room for: as the style has them, whose unit is rem. */
function across(size, label) {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const room = $("memory").clientWidth / rem - .3 - .42 * label.length;
    return [8, 4, 2].find(count => count * (size < 4 ? 7.4 : 7.6) < room) || 1;
}
/* What the same bytes would cost, if they lay together: sectors, or passes. */
function idealCells(wanted, most, count, size) {
    const frames = [];
    for (let i = 0, left = wanted; i < most; i++, left -= count) {
        const cells = make("div", size < 4 ? "cells fine" : "cells");
        for (let k = 0; k < count; k++)
            cells.append(make("span", k < left ? "cell would" : "cell"));
        frames.push(cells);
    }
    return frames;
}
function drawSectors(step, touches) {
    const all = numbersOf(touches, page.sector), most = 64;
    const box = make("div", "sectors"), size = Math.min(step.bytes, 4);
    const last = elementAt(step, all[all.length - 1] * page.sector);
    const columns = across(size, last), pair = pairOf(step);
    box.style.gridTemplateColumns = `repeat(${columns + 1}, max-content)`;
    all.slice(0, most).forEach((sector, i) => {
        const begin = sector * page.sector;
        if (i % columns === 0)
            box.append(make("span", "from", elementAt(step, begin)));
        const apart = i % columns && all[i - 1] !== sector - 1;
        const framed = put(make("div", apart ? "sector apart" : "sector"),
            cellsOf(step, touches, begin, pair && pair.bytes));
        framed.title = elementAt(step, begin);
        box.append(framed);
    });
    for (let i = Math.min(all.length, most); i % columns; i++)
        box.append(make("span"));
    if (step.cost > step.ideal) {
        const shown = Math.min(step.ideal, 16);
        box.append(make("span", "from", "ideal"), put(make("div", "ideal"),
            ...idealCells(step.used / size, shown, page.sector / size, size)));
    }
    $("memory").append(box);
    if (all.length > most)
        $("memory").append(make("p", "more", `… and ${all.length - most} more`));
    const constant = step.space === "constant";
    $("memory-title").textContent = (constant ? many(step.cost, "address", "es")
        : `${many(step.cost, "sector")} of 32 bytes`) +
        ` in ${spaceOf(step)} (ideal: ${number(step.ideal)})`;
    $("memory-key").textContent = constant
        ? "A number is a lane, * several lanes; each further address is read later."
        : `A frame is a sector, ${size < 4 ? "a colour" : "a number"} a lane` +
          `${$("memory").querySelector(".many") ? ", * several lanes" : ""}; ` +
          "no lane wanted what is grey.";
}
/* Do the lanes want in pairs the same, those whose numbers differ in `bit`? */
function inPairs(touches, bit) {
    const offsets = new Map(touches.map(touch => [touch.lane, touch.offset]));
    return touches.every(touch => !offsets.has(touch.lane ^ bit) ||
        offsets.get(touch.lane ^ bit) === touch.offset);
}
/* The parts in which the banks serve an access: see banks.h. */
function partsOf(step, touches) {
    const parts = [];
    for (let begin = 0; begin < step.bytes; begin += 16)
        for (let half = 0; half < page.lanes; half += 32) {
            const bytes = Math.min(step.bytes - begin, 16);
            const served = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
            const here = touches.filter(touch => touch.lane >> 5 === half >> 5);
            const pairs = served < 32 && /load/.test(step.what) &&
                (inPairs(here, 1) || inPairs(here, 2));
            const lanes = pairs ? 2 * served : served;
            for (let first = half; first < half + 32; first += lanes)
                parts.push(here.filter(touch =>
                    touch.lane >= first && touch.lane < first + lanes).map(touch =>
                    ({lane: touch.lane, offset: touch.offset + begin, bytes})));
        }
    return parts;
}
function drawBanks(step, touches) {
    const passes = [], pair = pairOf(step), words = numbersOf(touches, page.word);
    for (const part of partsOf(step, touches)) {
        const begin = passes.length;
        for (const word of numbersOf(part, page.word)) {
            const bank = word % page.banks;
            let pass = begin;
            while (passes[pass] && passes[pass][bank] !== undefined)
                pass++;
            (passes[pass] ||= [])[bank] = word;
        }
    }
    const box = make("div", passes.length > 12 ? "banks dense" : "banks");
    box.append(make("span", "head", "pass"));
    for (let bank = 0; bank < page.banks; bank++)
        box.append(make("span", "head",
            bank % 8 ? "" : bank ? bank : "bank 0"));
    passes.slice(0, page.banks).forEach((served, pass) => {
        box.append(make("span", "head", pass + 1));
        for (let bank = 0; bank < page.banks; bank++) {
            const at = served[bank] * page.word;
            const made = served[bank] === undefined ? make("span", "cell")
                : cell(touches, at, page.word);
            if (pair && at < pair.bytes.offset + pair.bytes.bytes &&
                at + page.word > pair.bytes.offset)
                made.classList.add("wrong");
            box.append(made);
        }
    });
    if (step.cost > step.ideal)
        for (const cells of idealCells(words.length, Math.min(step.ideal, 4),
            page.banks, page.word)) {
            box.append(make("span", "head ideal", "ideal"));
            for (const made of [...cells.children]) {
                made.classList.add("ideal");
                box.append(made);
            }
        }
    $("memory").append(box);
    if (passes.length > page.banks)
        $("memory").append(make("p", "more",
            `… and ${passes.length - page.banks} more`));
    $("memory-title").textContent =
        `${many(step.cost, "pass", "es")} over the banks of ${word("local memory")} ` +
        `(ideal: ${number(step.ideal)})`;
    $("memory-key").textContent = "A column is a bank, a row a pass, a number a lane" +
        (box.querySelector(".many") ? ", * several that want the same word." : ".");
}
function drawAtomic(step, touches) {
    const box = make("div", "ways"), by = new Map();
    for (const touch of touches)
        by.set(touch.offset, [...by.get(touch.offset) || [], touch.lane]);
    for (const [offset, lanes] of [...by].slice(0, 32)) {
        const states = step.working.map((_, lane) =>
            lanes.includes(lane) ? "work" : "none");
        box.append(put(make("div"), make("p", "",
            `${step.name}[${Math.floor(offset / step.bytes)}]: ` +
            `${many(lanes.length, "lane")}, one after the other`),
            laneRow(states)));
    }
    $("memory").append(box);
    $("memory-title").textContent =
        `${many(by.size, "address", "es")} in ${spaceOf(step)}`;
    $("memory-key").textContent = by.size > 32 ? `The first 32 of ${by.size}.` : "";
}
function drawWays(step) {
    const box = make("div", "ways");
    for (const way of step.ways) {
        const called = way.place && way.place[2] >= 0 && step.place[2] < 0;
        const place = called ? launch.places[way.place[2]] : way.place;
        const to = place ? `line ${place[1]}  ` : "the end";
        const text = make("p", "", step.diverges ? to : "all to " + to);
        if (place)
            text.append(make("code", "", textAt(place)));
        box.append(put(make("div"), text));
        const count = way.lanes.reduce((sum, goes) => sum + goes, 0);
        if (step.diverges)
            box.lastChild.append(laneRow(way.lanes.map((goes, lane) =>
                goes ? "work" : step.working[lane] ? "wait" : "none"),
            `${many(count, "lane")} of warp ${step.warp}`));
    }
    $("memory").append(box);
    $("memory-title").textContent = step.diverges
        ? "Where the lanes go: they take turns" : "Where the lanes go";
    $("memory-key").textContent = step.diverges
        ? "One way goes first; the lanes of the others wait until they reconverge."
        : "";
}
function showMemory(step) {
    $("memory").replaceChildren();
    $("memory-title").textContent = "Memory";
    $("memory-key").textContent = step ? "No memory is accessed in this step." : "";
    const about = !step ? "" : step.kind === "b" ? "about-way"
        : step.kind !== "a" || step.what === "atomic" && step.together > 1 ? ""
        : step.space === "local" ? "about-pass"
        : "about-sector";
    for (const id of ["about-way", "about-pass", "about-sector"])
        $(id).hidden = id !== about;
    $("memory").removeAttribute("role");
    $("memory").removeAttribute("aria-label");
    if (step && step.kind === "b")
        drawWays(step);
    if (!step || step.kind !== "a")
        return;
    $("memory").setAttribute("role", "img");
    $("memory").setAttribute("aria-label", $("said").textContent);
    const touches = touchesOf(step);
    if (step.what === "atomic" && step.together > 1)
        drawAtomic(step, touches);
    else if (step.space === "local")
        drawBanks(step, touches);
    else
        drawSectors(step, touches);
}

/* ---- What happens, in one sentence. */
function cost(step) {
    const unit = {passes: ["pass", "es"], addresses: ["address", "es"],
        sectors: ["sector", "s"]}[unitOf(step)];
    const is = many(step.cost, ...unit), worse = step.cost > step.ideal;
    const judged = make("span", worse ? "bad" : "good",
        worse ? `${is}, where ${number(step.ideal)} would do` : `${is}, the ideal`);
    if (step.what !== "atomic" || step.together < 2)
        return [judged];
    const count = touchCount(step);
    return [make("span", "bad", (step.together < count ? `${step.together} of them`
        : count === 2 ? "both" : "all") + " on one address, one after the other")];
}
function sentence(step) {
    if (!step)
        return [isWhole() ? `The ${word("group")} has ended.`
            : `These were the first ${number(steps.length)} of ` +
              `${number(launch.steps_in_all)} steps of this ${word("group")}.`];
    const line = step.place ? `, line ${step.place[1]}` : "";
    const inLine = step.place ? ` in line ${step.place[1]}` : "";
    const warp = make("b", "", `Warp ${step.warp}`);
    const called = step.place && step.place[2] >= 0
        ? ` (called from line ${launch.places[step.place[2]][1]})` : "";
    const count = step.working.reduce((sum, works) => sum + works, 0);
    switch (step.kind) {
    case "a":
        return [warp, ` ${{load: "loads", store: "stores", atomic:
            "does atomics on"}[step.what]} ${step.name}${line}${called}: `,
            `${many(touchCount(step), "lane")}, `, ...cost(step), "."];
    case "b":
        return [warp, ` branches${line}${called}: `, step.diverges
            ? make("span", "bad", `its ${count} lanes diverge`)
            : `${many(count, "lane")}, all the same way`, "."];
    case "w":
        return [warp, ` waits at the barrier${inLine}${called}.`];
    case "o":
        return [make("b", "", `The barrier${inLine} opens`),
            launch.warps > 1 ? ": every warp has come to it."
                : `: every ${word("work-item")} has come to it.`];
    default:
        return [warp, ` goes on${line}${called}, with ${many(count, "lane")}.`];
    }
}

/* ---- Source. */
const language = new RegExp("(\\/\\*.*?(?:\\*\\/|$)|\\/\\/.*$)|" +
    "\\b((?:__)?(?:kernel|global|local|constant)|__(?:global|device|host|shared|" +
    "constant)__|template|typename|class|auto|unsigned|const|void|if|else|" +
    "for|while|do|return|switch|case|break|continue|struct|typedef|static|inline|" +
    "restrict|volatile|bool|u?(?:char|short|int|long)\\d*|(?:float|double|half)" +
    "\\d*|size_t)\\b", "g");
/* A line of the source; `inside`: it begins in a comment. */
function coloured(line, inside) {
    const text = line.trimStart(), opened = inside ? "/*" : "";
    const box = make("span", "text", line.slice(0, line.length - text.length));
    const words = make("span", "words");
    box.style.setProperty("--hang", `${line.length - text.length + 4}ch`);
    let end = 0;
    for (const found of (opened + text).matchAll(language)) {
        const begin = Math.max(0, found.index - opened.length);
        words.append(text.slice(end, begin), make("span", found[1] ? "note" : "word",
            found.index ? found[0] : found[0].slice(opened.length)));
        end = found.index + found[0].length - opened.length;
    }
    words.append(text.slice(end) || (text ? "" : " "));
    return put(box, words);
}
const leavesOpen = (line, inside) => (inside ? "/*" + line : line)
    .replace(/\/\*.*?\*\//g, "").replace(/\/\/.*/, "").includes("/*");
const rowOf = place => $(`row-${place[0]}-${place[1]}`);
function worstByLine() {
    const worst = new Map();
    for (const step of steps) {
        const row = ratio(step) > 1 && rowOf(step.place);
        if (row)
            worst.set(row, Math.max(worst.get(row) || 0, ratio(step)));
    }
    for (const [row, times] of worst) {
        row.firstChild.textContent = `${+times.toFixed(1)} ×`;
        row.firstChild.title = "times its ideal, at worst";
    }
}
function makeSource() {
    const code = make("div", "code");
    for (const file of launch.files) {
        let before = 0, inside = false;
        code.append(make("div", "file", file.name));
        for (const [line, text] of file.lines) {
            if (before && line !== before + 1)
                code.append(make("div", "gap", "⋯"));
            const row = put(make("div", "row"), make("span", "badge"),
                make("span", "number", line), coloured(text, inside));
            inside = leavesOpen(text, inside);
            row.id = `row-${file.number}-${line}`;
            code.append(row);
            before = line;
        }
    }
    $("source").replaceChildren(code);
    $("source").scrollTop = 0;
    worstByLine();
    for (const step of steps)
        if (step.place)
            rowOf(step.place)?.classList.add("has");
    for (const mistake of launch.mistakes)
        for (const [place] of mistake.who)
            rowOf(launch.places[place])?.classList.add("wrong");
}
function markLine(step) {
    for (const row of document.querySelectorAll(".row.at, .row.with")) {
        row.classList.remove("at", "with");
        row.removeAttribute("aria-current");
    }
    const row = step && step.place && rowOf(step.place);
    if (!row)
        return;
    if (step.place[2] >= 0)
        rowOf(launch.places[step.place[2]])?.classList.add("with");
    row.classList.add("at");
    row.setAttribute("aria-current", "step");
    const box = $("source"), top = row.offsetTop, room = box.clientHeight;
    if (top < box.scrollTop + 40 || top > box.scrollTop + room - 70)
        box.scrollTop = top - room / 2;
}

/* ---- Mistakes. */
/* Both accesses of a race, one above the other: 32 bytes, and who touches them. */
function drawPair(pair) {
    const box = make("div", "pair");
    const begin = Math.floor(pair.bytes.offset / page.sector) * page.sector;
    const names = [];
    for (const at of pair.found) {
        const step = steps[at];
        const name = `warp ${step.warp} ${{load: "reads", store: "writes",
            atomic: "does an atomic"}[step.what]}, line ${step.place[1]}`;
        names.push(name);
        box.append(make("span", "", name),
            cellsOf(step, touchesOf(step), begin, pair.bytes));
    }
    box.setAttribute("role", "img");
    const {offset, bytes} = pair.bytes;
    box.setAttribute("aria-label", `${names.join("; ")}: both touch ` +
        `bytes ${offset} to ${offset + bytes - 1}`);
    return box;
}
function makeMistakes() {
    const box = $("mistakes");
    box.replaceChildren();
    box.hidden = !launch.mistake_count;
    pairs = launch.mistakes.map(pairOfMistake);
    launch.mistakes.forEach((mistake, k) => {
        const pair = pairs[k];
        box.append(make("h2", "", mistake.title));
        mistake.who.forEach(([number, who], i) => {
            const place = launch.places[number], at = pair.found[i];
            const text = put(make("p", "", `line ${place[1]}: ${who}  `),
                make("code", "", textAt(place)));
            if (at !== undefined) {
                const button = make("button", "", "Show this access");
                button.type = "button";
                button.addEventListener("click", () => {
                    play(false);
                    goStep(at);
                });
                put(text, "  ", button);
            }
            box.append(text);
        });
        if (pair.found.every(at => at !== undefined))
            box.append(drawPair(pair));
        if (mistake.times > 1)
            box.append(make("p", "", `${number(mistake.times)} times`));
        box.append(make("p", "", `Hint: ${mistake.hint}.`));
    });
    if (launch.mistake_count > launch.mistakes.length)
        box.append(make("p", "",
            `and ${number(launch.mistake_count - launch.mistakes.length)} more`));
}

/* ---- The line of steps. */
/* A bar for each stop; those of other steps than `wanted` are pale. */
function drawStrip(wanted) {
    const strip = $("strip"), scale = window.devicePixelRatio || 1;
    const width = strip.clientWidth, height = strip.clientHeight;
    strip.width = width * scale;
    strip.height = height * scale;
    const pen = strip.getContext("2d"), style = getComputedStyle(document.body);
    const ink = name => style.getPropertyValue(name);
    pen.scale(scale, scale);
    const wide = Math.max(1, Math.min(8, width / stops.length - 1));
    const wrong = new Set(pairs.flatMap(pair => pair.found));
    stops.forEach((at, i) => {
        const step = steps[at];
        const x = stops.length > 1 ? (width - wide) * i / (stops.length - 1) : 0;
        if (!step)
            return;
        const times = ratio(step);
        pen.globalAlpha = !wanted || wanted(step) ? 1 : .25;
        pen.fillStyle = ink(wrong.has(at) ? "--ink"
            : step.kind === "o" || step.kind === "w" ? "--amber"
            : step.diverges ? "--diverged" : times > 1 ? "--bad" : "--edge");
        const tall = wrong.has(at) || step.kind === "o" || step.kind === "w"
            ? height
            : step.diverges ? height * .6
            : times > 1 ? height * (.25 + .75 * Math.min(1, Math.log2(times) / 5))
            : step.kind === "a" ? height * .25 : height * .12;
        pen.fillRect(x, height - tall, wide, tall);
    });
}
