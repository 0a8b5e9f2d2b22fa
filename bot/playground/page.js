// What the playground adds to simcord's page: its toolbar, and what a page that lives needs.

const capability = location.hash.slice(1);
const element = (tag, properties) => Object.assign(document.createElement(tag), properties);

// --- the toolbar: where one is, and whether stand-ins play

const where = element("label", { className: "viewer-control", textContent: "in ", hidden: true });
const places = element("select", { id: "place" });
where.append(places);
const switched = element("label", { className: "stand-ins" });
const standIns = element("input", { type: "checkbox", id: "stand-ins", checked: true });
switched.append(standIns, "Stand-ins play the others");
document.querySelector(".viewer-control").after(where, switched);

async function toolbar(wish = {}) {
  const response = await fetch("/api/action", {
    method: "POST",
    headers: {
      "X-Simcord-Capability": capability,
      "X-Simcord-Context": window.simcordPreview.contextId,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ kind: "toolbar", ...wish }),
  });
  const now = await response.json();
  if (now.told) notice(now.told);
  standIns.checked = now.stand_ins;
  where.hidden = now.places.length < 2;
  if (document.activeElement !== places) {
    places.replaceChildren(...now.places.map(([value, textContent]) => element("option", { value, textContent })));
    places.value = now.here;
  }
}

standIns.addEventListener("change", () => toolbar({ stand_ins: standIns.checked }));
places.addEventListener("change", () => { places.blur(); toolbar({ place: places.value }); });
setInterval(() => { if (window.simcordPreview?.contextId) toolbar().catch(() => {}); }, 2000);

// --- a bar for what went wrong: the server is gone, or what was typed is no command

const bar = element("div", { className: "playground-bar", hidden: true });
bar.setAttribute("role", "status");
document.body.append(bar);
let noticed;
function notice(text) {
  bar.textContent = text;
  bar.hidden = false;
  clearTimeout(noticed);
  noticed = setTimeout(() => { bar.hidden = true; }, 6000);
}
let gone = false;
setInterval(async () => {
  try {
    const answer = await fetch("/icon.png", { cache: "no-store", signal: AbortSignal.timeout(2500) });
    if (gone && answer.ok) location.reload();
  } catch {
    gone = true;
    clearTimeout(noticed);
    bar.textContent = "The playground has stopped. Start it again with: make play. This page comes back by itself.";
    bar.hidden = false;
  }
}, 3000);

// --- a command typed out with its options, as the README writes it

const typedOut = /^\/\w+ \w+(?: +\w+:.*)?$/;
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (key !== "Enter" || event.shiftKey || target.id !== "channel-composer-input") return;
  const text = target.value.trim();
  if (!typedOut.test(text) || !text.includes(":")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  toolbar({ typed: text });
  target.value = "";
  target.dispatchEvent(new Event("input", { bubbles: true }));
}, true);

// --- a mention of a channel or thread leads there

document.addEventListener("click", ({ target }) => {
  const name = target.matches?.(".mention") && target.textContent;
  const place = name && [...places.options].find((option) => option.textContent === name);
  if (place) toolbar({ place: place.value });
});

// --- who one is: kept when the page is loaded again

const viewer = document.getElementById("viewer-picker");
document.addEventListener("change", () => {
  if (viewer.value) sessionStorage.setItem("viewer", viewer.value);
}, true); // before simcord empties the list

// --- the newest message is the one to see: scroll to it, unless somebody reads further up

const timeline = document.getElementById("channel-timeline");
let atBottom = true;
timeline.addEventListener("scroll", () => {
  atBottom = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight < 80;
});
const down = () => requestAnimationFrame(() => { timeline.scrollTop = timeline.scrollHeight; });
new MutationObserver((changes) => {
  const messages = changes.some((change) => [...change.addedNodes].some((node) => node.tagName === "ARTICLE"));
  if (messages || atBottom) down();
}).observe(document.getElementById("channel-message-list"), { childList: true });
// A hand that grows by an edit pushes its own buttons out of view.
new ResizeObserver(() => { if (atBottom) down(); }).observe(document.getElementById("channel-message-list"));

const opening = setInterval(() => {
  if (!window.simcordPreview?.ready) return;
  clearInterval(opening);
  toolbar({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  const before = sessionStorage.getItem("viewer");
  if (before && before !== viewer.value && [...viewer.options].some((option) => option.value === before)) {
    viewer.value = before;
    viewer.dispatchEvent(new Event("change"));
  }
  down();
}, 100);

// --- "in 59 seconds" goes on by itself

const relative = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
setInterval(() => {
  for (const time of document.querySelectorAll("time.discord-timestamp")) {
    if (/^in |ago$|^now$/.test(time.textContent)) time.dataset.relative = "yes";
    if (!time.dataset.relative) continue;
    const seconds = Math.round((Date.parse(time.dateTime) - Date.now()) / 1000);
    const minutes = Math.abs(seconds) >= 60;
    time.textContent = relative.format(minutes ? Math.round(seconds / 60) : seconds, minutes ? "minute" : "second");
  }
}, 1000);

// --- Enter sends a command that has all it needs, as on Discord; simcord opens another option, or the same again

let picking = false; // an option was gone to with an arrow
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const chip = target.matches?.(".command-chip");
  picking = chip && (picking || key.startsWith("Arrow"));
  const offered = document.getElementById(target.getAttribute?.("aria-activedescendant"));
  const chosen = target.matches?.(".command-option-input") && offered?.textContent.trim() === target.value;
  // A value picked with the mouse leaves the focus nowhere.
  const nowhere = target === document.body && document.querySelector(".command-chip");
  if (key !== "Enter" || !((chip && !picking) || chosen || nowhere)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  document.getElementById("channel-composer").requestSubmit();
}, true);
