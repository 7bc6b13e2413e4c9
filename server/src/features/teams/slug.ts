import { randomKey } from '../../platform/crypto/random.js'

/** Excludes the format of IDs: where either is accepted, they must be distinguishable. */
export const SLUG_PATTERN =
  '^(?![0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'

const MAX_LENGTH = 48

/** Derives a URL-safe slug from a name: removes diacritics and replaces other characters by hyphens; `team` if nothing remains. */
export function slugFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  if (!plain) return 'team'
  return new RegExp(SLUG_PATTERN).test(plain) ? plain : slugWithSuffix(plain)
}

/** Appends a random suffix, for a slug that is taken. */
export const slugWithSuffix = (slug: string): string => `${slug}-${randomKey(4).toString('hex')}`
