/** The domain of an address; undefined for what cannot be one yet. */
export function domainOf(address: string): string | undefined {
  return /^\S+@([^\s@.]+(?:\.[^\s@.]+)+)$/.exec(address.trim())?.[1]?.toLowerCase()
}
