"""How the page of replayed hands looks and works: its style sheet and script, which load nothing from elsewhere."""

STYLE = """
:root { color-scheme: light dark; --text: #1b1b1b; --quiet: #667; --page: #fff; --line: #d9dde3; --felt: #1f6b4a;
        --rim: #17503a; --seat: #fff; --turn: #e69f00; --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6ea; --quiet: #a3a9b3; --page: #16181d; --line: #30343c;
        --felt: #175239; --rim: #0f3a28; --seat: #22252c; --card: #f4f4f4; } }
* { box-sizing: border-box; }
body { font: 15px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text);
       background: var(--page); max-width: 980px; margin: 1rem auto; padding: 0 .8rem; }
header { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; align-items: baseline; margin-bottom: .6rem; }
h1 { font-size: 1.2rem; margin: 0; flex: 1 1 16rem; overflow-wrap: anywhere; }
select { font: inherit; max-width: 16rem; }
#table { position: relative; height: 500px; margin: 0 auto; }
.felt { position: absolute; inset: 14% 9%; background: var(--felt); border: 10px solid var(--rim);
        border-radius: 50% / 50%; color: #fff; display: flex; flex-direction: column; align-items: center;
        justify-content: center; gap: .35rem; text-align: center; }
.street { text-transform: uppercase; letter-spacing: .08em; font-size: .8rem; opacity: .8; }
.board { min-height: 46px; } .pot { font-weight: 600; } .pots { font-size: .82rem; opacity: .85; }
.said { font-size: .95rem; max-width: 78%; overflow-wrap: anywhere; min-height: 1.4em; }
.seat { position: absolute; width: 150px; transform: translate(-50%, -50%); background: var(--seat);
        border: 2px solid var(--line); border-radius: 10px; padding: .3rem .5rem; text-align: center;
        line-height: 1.3; }
.seat.turn { border-color: var(--turn); box-shadow: 0 0 0 2px var(--turn); } .seat.folded > * { opacity: .4; }
.name { font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.chips { font-variant-numeric: tabular-nums; } .state { color: var(--quiet); font-size: .82rem; }
.bet { display: inline-block; background: var(--turn); color: #1b1b1b; border-radius: 9px; padding: 0 .5rem;
       font-size: .85rem; font-variant-numeric: tabular-nums; }
.up { color: #009e73; } .down { color: #d55e00; }
.dealer { display: inline-block; width: 1.25em; height: 1.25em; line-height: 1.25em; border-radius: 50%;
          background: #ddd; color: #222; font-size: .75rem; font-weight: 700; margin-right: .3rem; }
.card { display: inline-block; width: 32px; height: 42px; line-height: 40px; margin: 1px 2px; border-radius: 5px;
        background: var(--card); border: 1px solid #999; font-weight: 700; font-size: 1rem; text-align: center; }
.seat .card { width: 28px; height: 36px; line-height: 34px; font-size: .92rem; }
.card.c { color: #17803d; } .card.d { color: #1d4ed8; } .card.h { color: #c81e1e; } .card.s { color: #111; }
.card.back { background: repeating-linear-gradient(45deg, #35507c 0 4px, #5471a3 4px 8px); color: transparent; }
nav { display: flex; justify-content: center; align-items: center; gap: .5rem; margin: .6rem 0; }
button { font-size: 1.15rem; padding: .35rem 1rem; border-radius: 8px; border: 1px solid var(--line);
         background: var(--seat); color: var(--text); }
#step { min-width: 6.5em; text-align: center; color: var(--quiet); font-variant-numeric: tabular-nums; }
#story { height: 11rem; overflow-y: auto; border-top: 1px solid var(--line); margin: .4rem 0;
         padding: .4rem 0 0 2.4rem; }
#story li { overflow-wrap: anywhere; cursor: pointer; } #story li.now { font-weight: 700; }
footer { color: var(--quiet); font-size: .85rem; margin: .8rem 0; }
@media (max-width: 640px) {
  #table { height: auto; display: grid; grid-template-columns: 1fr 1fr; gap: .4rem; }
  .felt { position: static; grid-column: 1 / -1; border-radius: 22px; padding: .6rem; order: -1; min-height: 158px; }
  .seat { position: static; transform: none; width: auto; } .said { max-width: 100%; }
}
"""

SCRIPT = """
(() => {
  const hands = JSON.parse(document.getElementById("hands").textContent);
  const find = id => document.getElementById(id);
  const open = find("open"), pick = find("hand"), story = find("story");
  const suits = {c: "\\u2663", d: "\\u2666", h: "\\u2665", s: "\\u2660"};
  let place = 0, step = 0;
  const make = (kind, name, text) => {
    const element = document.createElement(kind);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;  // never HTML: names come from anywhere
    return element;
  };
  const card = text => {
    if (!text || text === "??") return make("span", "card back", "?");
    return make("span", "card " + text[1], text[0] + suits[text[1]]);
  };
  const cards = (texts, parent) => { for (const text of texts) parent.append(card(text)); return parent; };
  const seatBox = (hand, frame, seat) => {
    const who = hand.seats[seat], [stack, bet, state, shows] = frame.seats[seat];
    const last = frame === hand.frames[hand.frames.length - 1];
    const box = make("div", "seat" + (frame.actor === seat ? " turn" : "") + (state === "folded" ? " folded" : ""));
    const name = make("div", "name", who.name);
    name.title = who.name;
    if (who.button) name.prepend(make("span", "dealer", "D"));
    const seen = shows || seat === hand.viewer || (open && open.checked);
    box.append(name, cards(seen && who.cards ? who.cards : [null, null], make("div", "hole")));
    box.append(make("div", "chips", stack));
    if (bet) box.append(make("span", "bet", bet));
    else if (last) box.append(make("span", {"+": "up", "-": "down"}[who.won[0]] || "state", who.won));
    else box.append(make("span", "state", state || "\\u00a0"));
    const turn = Math.PI * (0.5 + 2 * (seat - Math.max(hand.viewer || 0, 0)) / hand.seats.length);
    box.style.left = 50 + 40 * Math.cos(turn) + "%";
    box.style.top = 50 + 38 * Math.sin(turn) + "%";
    return box;
  };
  const draw = () => {
    const hand = hands[place], frame = hand.frames[step], felt = make("div", "felt");
    felt.append(make("div", "street", frame.street), cards(hand.board.slice(0, frame.board), make("div", "board")));
    felt.append(make("div", "pot", frame.pot ? "pot " + frame.pot : "\\u00a0"));
    if (frame.pots.length)
      felt.append(make("div", "pots", "main " + frame.pots[0] + ", side " + frame.pots.slice(1).join(", ")));
    felt.append(make("div", "said", frame.text));
    find("table").replaceChildren(felt, ...hand.seats.map((_, seat) => seatBox(hand, frame, seat)));
    find("step").textContent = (step + 1) + " of " + hand.frames.length;
    pick.value = place;
    story.replaceChildren(...hand.frames.slice(0, step + 1).map((one, number) => {  // what comes is not given away
      const line = make("li", number === step ? "now" : "", one.text);
      line.onclick = () => { step = number; draw(); };
      return line;
    }));
    story.scrollTop = story.scrollHeight;
  };
  const go = (hand, to) => {
    if (hand < 0 || hand >= hands.length) return;
    place = hand;
    step = to < 0 ? hands[hand].frames.length - 1 : to;
    draw();
  };
  const next = () => step + 1 < hands[place].frames.length ? go(place, step + 1) : go(place + 1, 0);
  const back = () => step ? go(place, step - 1) : go(place - 1, -1);
  const moves = {ArrowRight: next, ArrowLeft: back,
    ArrowDown: () => go(place + 1, 0), ArrowUp: () => go(place - 1, 0),
    Home: () => go(place, 0), End: () => go(place, -1),
    o: () => { if (open) { open.checked = !open.checked; draw(); } }};
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || !moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  });
  for (const [id, key] of [["next", "ArrowRight"], ["back", "ArrowLeft"], ["down", "ArrowDown"], ["up", "ArrowUp"]])
    find(id).onclick = moves[key];
  if (open) open.onchange = draw;
  hands.forEach((hand, number) => {
    const choice = make("option", "", "#" + hand.number + ", pot " + hand.most);
    choice.value = number;
    pick.append(choice);
  });
  pick.onchange = () => go(+pick.value, 0);
  const [, hand, to] = location.hash.match(/^#(\\d+)\\.(\\d+)$/) || [];  // a link can name a hand and a step
  if (hand < hands.length) go(+hand, Math.min(to, hands[hand].frames.length - 1)); else draw();
})();
"""
