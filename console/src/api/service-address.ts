import type { Boot } from './contract'

/** Where the service answers, as this page was told: usually our own origin, and another one where the pages live apart. */
export function serviceAddress(): string {
  const text = document.getElementById('boot')?.textContent
  return text ? (JSON.parse(text) as Boot).baseUrl : location.origin
}
