import type { OpenSession } from '../../api/contract'

const key = 'keyward.waiting-teams'

/** Returns whether teams wait for the user that this browser has not shown yet, and remembers them as shown. */
export function hasNews({ user, waitingTeams = [] }: OpenSession): boolean {
  const ids = waitingTeams.map(({ id }) => `${user.id}:${id}`)
  try {
    const shown: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    const known = new Set(Array.isArray(shown) ? shown : [])
    if (ids.every((id) => known.has(id))) return false
    localStorage.setItem(key, JSON.stringify([...known, ...ids].slice(-100)))
    return true
  } catch {
    // Without storage, only the account page lists them.
    return false
  }
}
