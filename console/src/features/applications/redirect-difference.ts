/** The difference between a URL and the most similar registered one. */
export type Difference = 'scheme' | 'host' | 'loopback' | 'port' | 'slash' | 'case' | 'query' | 'path' | 'none'

function parsed(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

const loopback = (hostname: string) => hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

function difference(received: string, registered: string): Difference {
  const [a, b] = [parsed(received), parsed(registered)]
  if (received === registered) return 'none'
  if (!a || !b) return 'path'
  if (loopback(a.hostname) && loopback(b.hostname) && a.hostname !== b.hostname) return 'loopback'
  if (a.hostname !== b.hostname) return 'host'
  if (a.protocol !== b.protocol) return 'scheme'
  if (a.port !== b.port) return 'port'
  if (a.pathname.replace(/\/$/, '') === b.pathname.replace(/\/$/, '') && a.pathname !== b.pathname) return 'slash'
  // The parser adds a slash to a URL without a path, but an exact comparison does not.
  if (a.href === b.href) return received.toLowerCase() === registered.toLowerCase() ? 'case' : 'slash'
  if (a.pathname.toLowerCase() === b.pathname.toLowerCase() && a.pathname !== b.pathname) return 'case'
  return a.pathname === b.pathname ? 'query' : 'path'
}

/** Returns the registered URL that is most similar to `received`, and their difference; null if none is registered. */
export function nearest(received: string, registered: string[]): { uri: string; difference: Difference } | null {
  const [best] = [...registered].sort((a, b) => likeness(received, b) - likeness(received, a))
  return best === undefined ? null : { uri: best, difference: difference(received, best) }
}

/** Returns the common start of two URLs, then the rest of each. */
export function splitAtDifference(received: string, registered: string): [string, string, string] {
  const length = commonStart(received, registered)
  return [received.slice(0, length), received.slice(length), registered.slice(length)]
}

/** The same host counts more than any number of equal characters. */
function likeness(received: string, registered: string): number {
  const sameHost = parsed(received)?.hostname === parsed(registered)?.hostname
  return commonStart(received, registered) + (sameHost ? 10_000 : 0)
}
