import type { Boot } from './api/contract'

function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent
  if (!text) throw new Error('This page was served without its boot data.')
  return JSON.parse(text) as Boot
}

/** What the server knew about the instance and this visitor when it served the page. Never personal data. */
export const boot = readBoot()
