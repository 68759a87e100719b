// Draws Plotly figures in the colours of the page, light or dark, wide or narrow: reports and the dashboard alike.
window.luckless = window.luckless || {};
(() => {
  const narrow = window.innerWidth < 700;
  const colours = () => {
    const page = getComputedStyle(document.documentElement);
    const of = name => page.getPropertyValue(name).trim();
    return {text: of("--text"), grid: of("--grid"), line: of("--strong"), clear: "rgba(0,0,0,0)"};
  };
  const axes = layout => Object.keys({xaxis: 1, yaxis: 1, ...layout}).filter(key => /^[xy]axis[0-9]*$/.test(key));
  const themed = layout => {
    const {text, grid, line, clear} = colours();
    const changes = {"font.color": text, "paper_bgcolor": clear, "plot_bgcolor": clear, "legend.bgcolor": clear,
      "modebar.bgcolor": clear, "modebar.color": line, "modebar.activecolor": text};
    for (const axis of axes(layout))
      Object.assign(changes, {[axis + ".gridcolor"]: grid, [axis + ".zerolinecolor"]: line,
        [axis + ".linecolor"]: line, [axis + ".title.font.color"]: text, [axis + ".tickfont.color"]: text});
    return changes;
  };
  const fitted = figure => {  // a narrow window: small type, and height for a legend of several rows
    if (!narrow) return {};
    const named = figure.data.filter(one => one.showlegend !== false && one.name);
    const rows = named.length > 1 ? Math.ceil(new Set(named.map(one => one.name)).size / 2) : 0;
    return {"font.size": 11, "height": (figure.layout.height || 400) + 18 * Math.max(0, rows - 1),
      "margin.l": 40, "margin.r": 8};
  };
  const options = {responsive: true, displaylogo: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "zoomIn2d", "zoomOut2d", "autoScale2d"],
    ...(narrow ? {displayModeBar: false} : {})};
  const drawn = {};
  const recolour = () => {
    for (const [id, figure] of Object.entries(drawn)) Plotly.relayout(id, themed(figure.layout));
  };
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  document.addEventListener("luckless-theme", recolour);
  window.luckless.drawFigures = async figures => {
    for (const [id, figure] of Object.entries(figures)) {
      await Plotly.react(id, figure.data, figure.layout, options);
      await Plotly.relayout(id, {...themed(figure.layout), ...fitted(figure)});
      drawn[id] = figure;
    }
  };
})();
