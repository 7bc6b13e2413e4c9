/** Returns the domain of an email address; undefined if it is incomplete. */
export function domainOf(address: string): string | undefined {
  return /^\S+@([^\s@.]+(?:\.[^\s@.]+)+)$/.exec(address.trim())?.[1]?.toLowerCase()
}
