import { rejection as platformError } from '../../platform/errors.js'

/** Any team can mail and be listed to people outside it, so its name cannot carry a link or an email address. */
const LINK_OR_ADDRESS = /:\/\/|www\.|@/i

/** @throws invalid_request */
export function requireTeamName(name: string): void {
  // Full-width characters look like the ASCII ones.
  if (!LINK_OR_ADDRESS.test(name.normalize('NFKC'))) return
  throw platformError('invalid_request', {
    detail: 'A team name cannot contain "://", "www." or "@"',
    errors: [{ path: '/name', message: 'must not contain "://", "www." or "@"' }],
  })
}

/** Derives a valid team name from another string, such as the local part of an email address. */
export function teamNameFrom(source: string): string {
  const name = source.normalize('NFKC').replace(new RegExp(LINK_OR_ADDRESS, 'gi'), ' ').replace(/\s+/g, ' ').trim()
  return name || 'Team'
}
