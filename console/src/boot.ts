import type { Boot } from './api/contract'

/** On the server, each render has its own. */
const isBrowser = typeof document !== 'undefined'

function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent
  if (!text) throw new Error('This page was served without its boot data.')
  return JSON.parse(text) as Boot
}

/** The server's data about the instance and the request of an application. Contains no personal data. */
export let boot: Boot = isBrowser ? readBoot() : ({} as Boot)

/** Sets the data for a render on the server. A render is synchronous, so that none sees the data of another. */
export function setBoot(next: Boot): void {
  boot = next
}
