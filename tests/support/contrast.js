// Texts of a page whose contrast with what lies behind them is too low: 4.5, or 3 for large ones (WCAG 2.1, AA).
() => {
  const numbers = text => (text.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const part = value => { const share = value / 255; return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const over = (front, back) => {
    const alpha = front.length > 3 ? front[3] : 1;
    return [0, 1, 2].map(place => alpha * front[place] + (1 - alpha) * back[place]);
  };
  const behind = element => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.backgroundImage !== "none") return null;  // a gradient: looked at by eye
      layers.unshift(numbers(style.backgroundColor));
    }
    return layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const bad = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
    if (!text || seen.has(element) || element.closest("svg, script, [hidden], :disabled, .js-plotly-plot, option, .unseen, .skip")) continue;
    seen.add(element);
    if (!element.checkVisibility() || element.closest(".folded")) continue;
    const style = getComputedStyle(element), back = behind(element);
    if (back === null) continue;
    let front = numbers(style.color);
    for (let one = element; one; one = one.parentElement) front = [...front.slice(0, 3), (front[3] ?? 1) * Number(getComputedStyle(one).opacity)];
    const [a, b] = [light(over(front, back)), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) bad.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className} ${text.slice(0, 30)}`);
  }
  return bad;
}
