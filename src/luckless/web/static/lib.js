// What all pages share: asking the server, making elements without HTML from data, words for numbers and times.
const key = document.querySelector('meta[name="luckless-key"]').content;

export const data = (id = "data") => JSON.parse(document.getElementById(id).textContent);

// Asks for JSON; an error carries the server's own sentence.
export async function ask(address, options = {}) {
  const answer = await fetch(address, options);
  const text = await answer.text();
  let values = null;
  try { values = JSON.parse(text); } catch { values = {error: text.trim()}; }
  if (!answer.ok) throw new Error(values.error || `the server answered ${answer.status}`);
  return values;
}

// A request that changes something: it carries the key of this server.
export const tell = (address, values = {}, method = "POST") => ask(address, {
  method, body: JSON.stringify(values), headers: {"content-type": "application/json", "x-luckless-key": key},
});

// An element with attributes and children; texts are texts, never HTML.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

// Asks again and again while the page is seen; `heard` gets the values, `lost` whether the server is silent.
export function poll(address, seconds, heard, lost = () => {}) {
  let last = "";
  const once = async () => {
    if (!document.hidden) {
      try {
        const values = await ask(typeof address === "function" ? address() : address);
        const text = JSON.stringify(values);
        lost(false);
        if (text !== last) { last = text; if (heard(values) === false) return; }
      } catch (error) { lost(true, error); }
    }
    setTimeout(once, 1000 * seconds);
  };
  setTimeout(once, 1000 * seconds);
}

export const whole = number => Math.round(number).toLocaleString("en");
export const signed = (number, digits = 1) =>
  (number > 0 ? "+" : "") + number.toLocaleString("en", {minimumFractionDigits: digits, maximumFractionDigits: digits});

export function duration(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86400)} days`;
}

export function ago(moment) {
  const seconds = Date.now() / 1000 - moment;
  return seconds < 5 ? "now" : `${duration(seconds)} ago`;
}

// Copies a text, and says so on the button for a moment.
export async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    const field = make("textarea", {class: "unseen"});
    field.value = text;
    document.body.append(field);
    field.select();
    button.textContent = document.execCommand("copy") ? "copied" : "select it and press Ctrl-C";
    field.remove();
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}

for (const button of document.querySelectorAll("button[data-copy]"))
  button.addEventListener("click", () => copy(document.getElementById(button.dataset.copy).textContent, button));
