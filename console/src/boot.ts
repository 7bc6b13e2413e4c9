import type { Boot } from './api/contract'

function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent
  if (!text) throw new Error('This page was served without its boot data.')
  return JSON.parse(text) as Boot
}

/** The instance and session hints that the server wrote into the page. Never personal data. */
export const boot = readBoot()
