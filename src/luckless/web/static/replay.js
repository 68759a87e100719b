// Steps through a hand. Each step is asked for when it is looked at: cards that may not be seen yet are never here.
import {ask, copy, data, make, signed} from "./lib.js";

const given = data();
const find = id => document.getElementById(id);
const suits = {c: "♣", d: "♦", h: "♥", s: "♠"};
let now = given.step, playing = null, wanted = 0;
find("view").value = given.view;
find("seat").value = given.seat;

const words = (hand, step) => new URLSearchParams(
  Object.entries({hand, step, view: find("view").value, seat: find("seat").value}).filter(([, value]) => value !== ""));

function card(text) {
  if (!text || text === "??") return make("span", {class: "card back", "aria-label": "hidden card"}, "\u00a0");
  return make("span", {class: `card ${text[1]}`}, text[0] + suits[text[1]]);
}

function seatBox(seat, place) {
  const first = Number(find("seat").value || 0);
  const turn = Math.PI * (0.5 + 2 * (place - first) / now.seats.length);
  const box = make("div", {class: `seat${now.actor === place ? " turn" : ""}${seat.state === "folded" ? " folded" : ""}`},
    make("div", {class: "name", title: seat.name}, ...(seat.button ? [make("span", {class: "dealer", title: "button"}, "D")] : []), seat.name),
    make("div", {class: "cards"}, ...(seat.cards || [null, null]).map(card)),
    make("div", {}, `${seat.stack} `, make("span", {class: "quiet"}, seat.position)),
    seat.won !== null ? make("div", {class: seat.won.startsWith("+") ? "good" : "bad"}, seat.won)
      : seat.bet ? make("span", {class: "bet"}, seat.bet) : make("div", {class: "quiet"}, seat.state || "\u00a0"));
  box.style.left = `${50 + 40 * Math.cos(turn)}%`;
  box.style.top = `${50 + 40 * Math.sin(turn)}%`;
  return box;
}

function draw() {
  find("number").textContent = now.number;
  const felt = make("div", {class: "felt"}, make("div", {class: "street"}, now.street),
    make("div", {class: "cards"}, ...now.board.map(card)), make("div", {class: "pot"}, now.pot === "0" ? "\u00a0" : `pot ${now.pot}`),
    now.pots.length ? make("div", {class: "pots"}, `main ${now.pots[0]}, side ${now.pots.slice(1).join(", ")}`) : null,
    make("div", {class: "said"}, now.text));
  find("table").replaceChildren(felt, ...now.seats.map(seatBox));
  find("step").textContent = `${now.step + 1} of ${now.steps}`;
  find("back").disabled = now.step === 0;
  find("next").disabled = now.step === now.steps - 1;
  find("story").replaceChildren(...now.story.map((text, step) => make("li", {class: step === now.step ? "now" : ""},
    make("button", {type: "button", onclick: () => go(now.hand, step)}, text))));
  find("story").scrollTop = find("story").scrollHeight;
  const address = `${location.pathname}?${words(now.hand, now.step)}`;
  if (address !== location.pathname + location.search) history.replaceState(null, "", address);
  about();
}

async function go(hand, step) {
  const mine = ++wanted;
  try {
    const got = await ask(`${given.api}?${words(hand, step)}`);
    if (mine !== wanted) return;
    now = got;
    find("problem").hidden = true;
    draw();
  } catch (error) {
    stop();
    find("problem").textContent = error.message;
    find("problem").hidden = false;
  }
}

const share = value => `${(100 * value).toFixed(1)} %`;

function rows(pairs) {
  return make("dl", {}, ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function square(grid) {
  const mix = cell => {
    const fold = 100 * cell.fold, call = fold + 100 * cell.call;
    return `linear-gradient(90deg, #6b7480 ${fold}%, #1f8a5b ${fold}% ${call}%, #c4452f ${call}%)`;
  };
  const cells = grid.cells.flat().map(cell => {
    const told = cell.fold === null ? `${cell.hand}: not possible on this board`
      : `${cell.hand}: fold ${share(cell.fold)}, check or call ${share(cell.call)}, raise ${share(cell.raise)}`;
    const box = make("span", {title: told, role: "img", "aria-label": told}, cell.hand);
    if (cell.fold !== null) box.style.background = mix(cell);
    return box;
  });
  const key = (kind, text) => make("span", {}, make("i", {class: kind}), text);
  return [make("h3", {}, "What this bot would do with every hand"), make("div", {class: "square"}, ...cells),
    make("div", {class: "legend"}, key("fold", "fold"), key("call", "check or call"), key("raise", "raise"))];
}

function decision(look) {
  const made = now.decision, name = now.seats[look.actor].name;
  const pairs = [[name, made.did], ["pot before", made.pot]];
  if (made.pot_odds !== null) pairs.push(["to call", made.to_call], ["pot odds", `${share(made.pot_odds)} needed to call`]);
  if (look.equity && look.equity[look.actor] !== null) pairs.push(["equity", `${share(look.equity[look.actor])}, all cards known`]);
  if (look.rank) pairs.push(["hand rank", `now ${look.rank.ihr.toFixed(3)}, after all cards ${look.rank.hr7.toFixed(3)}, effective ${look.rank.ehr.toFixed(3)}`]);
  if (look.baseline?.actions.length) pairs.push([`${look.baseline.bot} would`, look.baseline.actions.map(one =>
    `${one.kind === "call" && !made.pot_odds ? "check" : one.kind}${one.to ? ` to ${one.to}` : ""}${one.chance < 0.9995 ? ` ${share(one.chance)}` : ""}`).join(", ")]);
  if (look.moved) pairs.push(["this action", `moved what ${name} could expect by ${signed(look.moved[look.actor], 2)} ${look.unit}; all of ${name}'s play on this street: ${signed(look.played[look.actor], 2)}`]);
  if (look.choice) pairs.push(["by AIVAT", `${signed(look.choice.mean, 2)} ${look.unit} that this bot's play had to bring, ${signed(look.choice.luck, 2)} luck of what it chose`]);
  if (look.divat) pairs.push(["DIVAT baseline", `${now.street}: ${line(look.divat.baseline)}`],
    ["by DIVAT", `${signed(look.divat.skill[look.actor], 2)} ${look.unit} of skill for ${name} on the ${now.street}`]);
  return [rows(pairs), ...(look.grid ? square(look.grid) : [])];
}

const line = actions => actions.map(one => `${now.seats[one.seat].name} ${one.does}`).join(", ");

function deal(look) {
  const what = ["These hole cards", "This flop", "This turn card", "This river card"][look.deal.street];
  const {unit, divat} = look.deal;
  return [make("p", {}, `${what}: luck in ${unit}, by the estimator of the cards alone${divat ? " and by DIVAT" : ""}.`),
    rows(look.deal.luck.map((luck, seat) => [now.seats[seat].name,
      `${signed(luck, 2)} ${unit} of luck${divat ? ` (DIVAT ${signed(divat.luck[seat], 2)})` : ""}`]))];
}

async function about() {
  const mine = wanted, place = find("about");
  const slow = setTimeout(() => place.replaceChildren(make("p", {class: "loading"}, "looking into this step …")), 250);
  try {
    const look = await ask(`${given.look}?${words(now.hand, now.step)}`);
    if (mine !== wanted) return;
    if (look.actor !== undefined) place.replaceChildren(...decision(look));
    else if (look.deal) place.replaceChildren(...deal(look));
    else place.replaceChildren(make("p", {class: "quiet"}, find("view").value === "open" ? "Nothing was decided or dealt here." : "Open all cards to see equity and luck."));
  } catch (error) {
    if (mine === wanted) place.replaceChildren(make("p", {class: "bad"}, error.message));
  } finally {
    clearTimeout(slow);
  }
}

function stop() {
  clearInterval(playing);
  playing = null;
  find("play").textContent = "play";
}

function play() {
  if (playing) { stop(); return; }
  find("play").textContent = "pause";
  playing = setInterval(() => now.step < now.steps - 1 ? go(now.hand, now.step + 1) : stop(), 1200);
}

const acts = {
  back: () => now.step > 0 && go(now.hand, now.step - 1),
  next: () => now.step < now.steps - 1 && go(now.hand, now.step + 1),
  earlier: () => now.hand > 0 && go(now.hand - 1, 0),
  later: () => go(now.hand + 1, 0),
  play,
  link: () => copy(location.href, find("link")),
};
for (const [id, act] of Object.entries(acts)) find(id).addEventListener("click", act);
for (const id of ["view", "seat"]) find(id).addEventListener("change", () => go(now.hand, now.step));

document.addEventListener("keydown", event => {
  if (event.target.closest("select, input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {ArrowRight: acts.next, ArrowLeft: acts.back, ArrowUp: acts.earlier, ArrowDown: acts.later, " ": play,
    o: () => { find("view").value = find("view").value === "open" ? "hidden" : "open"; go(now.hand, now.step); }}[event.key];
  if (!act || (event.key === " " && event.target.closest("button"))) return;
  event.preventDefault();
  act();
});

draw();
