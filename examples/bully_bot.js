#!/usr/bin/env node
// A complete bot for Luckless in JavaScript, without any package. It keeps memory: the more often others have folded
// in the hands it has seen, the more often it raises the pot.
//
// Try it: luckless check "exec:node examples/bully_bot.js"

const readline = require("node:readline");

let actions = 0; // what others have done so far in this match ...
let folds = 0; // ... and how much of it was folding

// One decision: -1 folds, 0 checks or calls, x > 0 bets or raises to x chips on this street.
function decide(view) {
  const theyFold = (folds + 1) / (actions + 3);
  if (view.max_raise_to > 0 && view.random < theyFold) {
    const bet = Math.max(...view.street_bets);
    const potRaise = bet + view.pot + view.to_call;
    return Math.min(Math.max(potRaise, view.min_raise_to), view.max_raise_to);
  }
  return 0;
}

// After every hand: history is a list of [street, seat, action].
function remember(ending) {
  const others = ending.history.filter(([, seat]) => seat !== ending.seat);
  actions += others.length;
  folds += others.filter(([, , action]) => action === -1).length;
}

const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    say({ type: "hello", protocol: 1, name: "bully", memory: true });
  } else if (message.type === "match") {
    actions = folds = 0;
    say({ type: "ready" });
  } else if (message.type === "decide") {
    say({ id: message.id, action: decide(message) });
  } else if (message.type === "hand_over") {
    remember(message);
  }
});
