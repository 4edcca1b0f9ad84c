/* What page_launch.c has written, whose first comment explains it: launches, their
 * steps, what these cost, and what each lane does.  Draws nothing. */
"use strict";
const $ = id => document.getElementById(id);
const page = JSON.parse($("data").textContent);
const names = ["accesses", "lanes", "sectors", "ideal_sectors", "used_bytes",
    "passes", "ideal_passes", "addresses", "ideal_addresses", "operations",
    "branches", "diverged", "barriers",
    "instructions", "lane_instructions"];
const number = value => value.toLocaleString("en");
/* In the words of the kernel's language: "block" for "group" in CUDA. */
const word = name => page.words?.[name] ?? name;
const many = (count, word, ending = "s") =>
    number(count) + " " + word + (count === 1 ? "" : ending);

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh",
    "eighth", "ninth", "tenth"];
function ordinal(count) {
    const tens = Math.floor(count / 10) % 10;
    return ordinals[count - 1] || number(count) +
        (tens === 1 ? "th" : ["th", "st", "nd", "rd"][count % 10] || "th");
}
/* The numbers in a text, such as "n=16777216", with commas. */
const withCommas = text =>
    text.replace(/(?<![\w.])\d{4,18}(?![\w.])/g, digits => number(BigInt(digits)));
const times = sizes => sizes.map(number).join(" × ");

/* The launch that is looked at, its steps, the pairs of accesses of its mistakes; and
 * the steps at which the slider stops, which of them is shown, of which warp. */
let launch, steps, pairs, stops, stop, followed, timer, addressTimer;

/* ---- Steps: from arrays to names. */
function lanesOf(mask, warp) {
    const lanes = [], width = widthOf(warp);
    for (let lane = 0; lane < page.lanes; lane++) {
        const digit = mask.length && mask[mask.length - 1 - (lane >> 2)];
        lanes.push(mask === 1 ? +(lane < width)
            : digit ? parseInt(digit, 16) >> (lane & 3) & 1 : 0);
    }
    return lanes;
}
function offsetsOf(step) {
    const offsets = [step.offset], apart = step.apart;
    for (let i = 0; i < apart.length; i += 2)
        for (let k = 0; k < apart[i + 1]; k++)
            offsets.push(offsets[offsets.length - 1] + apart[i]);
    return offsets;
}
function touchesOf(step) {
    const offsets = offsetsOf(step), touches = [], bytes = step.bytes;
    step.touching.forEach((here, lane) => {
        if (here)
            touches.push({lane, offset: offsets[touches.length], bytes});
    });
    return touches.sort((a, b) => a.offset - b.offset || a.lane - b.lane);
}
function decode([number, warp, offset]) {
    const [kind, working, ended, instructions, byLanes, place, ...more] =
        launch.patterns[number];
    const step = {kind, warp, working: lanesOf(working, warp),
        ended: lanesOf(ended, warp), instructions, byLanes,
        place: launch.places[place]};
    if (kind === "a") {
        const [what, object, bytes, lanes, apart, cost, ideal, used, together] = more;
        const [name, space] = launch.objects[object];
        Object.assign(step, {what, object, name, space, bytes, offset, apart,
            touching: lanesOf(lanes, warp), cost, ideal, used, together});
    }
    if (kind === "b") {
        const [diverges, ways] = more;
        Object.assign(step, {diverges, ways: ways.map(([lanes, to]) =>
            ({lanes: lanesOf(lanes, warp), place: launch.places[to]}))});
    }
    return step;
}
/* How many times its ideal an access costs; as the table, by sectors or passes, and
 * an atomic also by the lanes that wait for each other. */
function ratio(step) {
    if (step.kind !== "a")
        return 0;
    const own = step.ideal ? step.cost / step.ideal : 1;
    return step.what === "atomic" ? Math.max(own, step.together) : own;
}
const fileOf = place => launch.files.find(file => file.number === place[0]);
function textAt(place) {
    const line = fileOf(place).lines.find(line => line[0] === place[1]);
    return line ? line[1].trim() : "";
}

/* ---- Totals. */
const unitOf = step => ({local: "passes", constant: "addresses"})[step.space] ||
    "sectors";
function add(sums, step) {
    sums.instructions += step.instructions;
    sums.lane_instructions += step.byLanes;
    if (step.kind === "a") {
        const unit = unitOf(step);
        const lanes = touchCount(step);
        sums.accesses++;
        sums.lanes += lanes;
        sums.used_bytes += step.used;
        sums[unit] += step.cost;
        sums["ideal_" + unit] += step.ideal;
        sums.operations += step.what === "atomic" ? lanes : 0;
    } else if (step.kind === "b") {
        sums.branches++;
        sums.diverged += step.diverges;
    } else if (step.kind === "o") {
        sums.barriers++;
    }
}
const touchCount = step => step.touching.reduce((sum, here) => sum + here, 0);
function sumsUpTo(end) {
    const sums = Object.fromEntries(names.map(name => [name, 0]));
    for (let i = 0; i < end && i < steps.length; i++)
        add(sums, steps[i]);
    if (end > steps.length && steps.length === launch.steps_in_all)
        sums.instructions = launch.totals.instructions,
        sums.lane_instructions = launch.totals.lane_instructions;
    return sums;
}

/* ---- What lanes do. */
const stateNames = {work: "at work", wait: "waits", barrier: "at the barrier",
    end: "ended", none: ""};
function widthOf(warp) {
    return Math.min(page.lanes, launch.items - warp * page.lanes);
}
/* What the lanes of a warp do at a step: of its own, or of another warp. */
function statesOf(warp, at) {
    let last = Math.min(at, steps.length - 1), opened = false;
    for (; last >= 0; last--) {
        if (steps[last].kind !== "o" && steps[last].warp === warp)
            break;
        opened ||= steps[last].kind === "o";
    }
    const step = steps[last], states = [];
    const isNow = last === at;
    for (let lane = 0; lane < page.lanes; lane++) {
        const works = step && step.working[lane], ended = step && step.ended[lane];
        const arrived = step && step.kind === "w" && works && !opened;
        states.push(lane >= widthOf(warp) ? "none"
            : arrived ? "barrier"
            : isNow && works ? "work"
            : ended || at >= steps.length && isWhole() ? "end" : "wait");
    }
    return states;
}
const isWhole = () => steps.length === launch.steps_in_all;
function inWords(states) {
    const counts = {};
    for (const state of states)
        counts[state] = (counts[state] || 0) + 1;
    return Object.keys(stateNames)
        .filter(state => counts[state] && stateNames[state])
        .map(state => `${counts[state]} ${stateNames[state]}`).join(", ");
}

/* ---- Mistakes. */
/* The steps at which one of a mistake's accesses is made: by this work-item, on
 * this line, to these bytes; none, if another group makes it. */
function stepsOf(mistake, i) {
    const [item, group] = mistake.at[i], lane = item % page.lanes;
    const warp = Math.floor(item / page.lanes);
    const place = launch.places[mistake.who[i][0]];
    const wrong = {offset: mistake.byte, bytes: mistake.bytes};
    if (item < 0 || group !== launch.group)
        return [];
    return steps.map((_, at) => at).filter(at =>
        steps[at].kind === "a" && steps[at].warp === warp &&
        steps[at].place === place && steps[at].object === mistake.object &&
        touchesOf(steps[at]).some(touch => touch.lane === lane &&
            touch.offset < wrong.offset + wrong.bytes &&
            touch.offset + touch.bytes > wrong.offset));
}
/* The two steps of a race that are closest to each other; or the first of one. */
function pairOfMistake(mistake) {
    const [one, other] = [0, 1].map(i => mistake.who[i] ? stepsOf(mistake, i) : []);
    let found = [one[0], other[0]];
    for (const a of one)
        for (const b of other)
            if (Math.abs(a - b) < Math.abs(found[0] - found[1]))
                found = [a, b];
    return {mistake, found, bytes: {offset: mistake.byte, bytes: mistake.bytes}};
}
