// Sets light or dark before the first paint. A classic file, because the content security policy allows no inline script.
// The key is the one that src/ui/color-scheme.ts writes.
;(() => {
  let wanted = 'auto'
  try {
    wanted = localStorage.getItem('keyward.color-scheme') || 'auto'
  } catch {
    // Storage may be blocked: the system's preference then decides.
  }
  const dark = wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
