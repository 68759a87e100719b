// Light or dark: as the system says, or as was chosen here. Runs before the page is drawn, so that nothing flickers.
(() => {
  const root = document.documentElement;
  const kept = (() => { try { return localStorage.getItem("luckless-theme"); } catch { return null; } })();
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      const systemDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : systemDark;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("luckless-theme", root.dataset.theme); } catch { /* private window */ }
      document.dispatchEvent(new Event("luckless-theme"));
    });
  });
})();
