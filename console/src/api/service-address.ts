import type { Boot } from './contract'

/** The URL of the service, from the boot data: usually the origin of the console, or another one of the same site. */
export function serviceAddress(): string {
  const text = document.getElementById('boot')?.textContent
  return text ? (JSON.parse(text) as Boot).baseUrl : location.origin
}
