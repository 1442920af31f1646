// Runs before the first paint, so that a dark page never flashes white. A file of its own: the page allows no inline script.
(() => {
  const stored = localStorage.getItem('mantine-color-scheme-value');
  const dark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
