import { randomKey } from '../../platform/crypto/random.js'

/** Never of the shape of an id: where either may stand, one must not be taken for the other. */
export const SLUG_PATTERN =
  '^(?![0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'

const LONGEST = 48

/** A URL-safe slug from a name: letters lose their marks, everything else becomes one hyphen; `team` when nothing is left. */
export function slugFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '')
  if (!plain) return 'team'
  return new RegExp(SLUG_PATTERN).test(plain) ? plain : slugWithSuffix(plain)
}

/** The slug with a short random end, for when the plain one is taken. */
export const slugWithSuffix = (slug: string): string => `${slug}-${randomKey(4).toString('hex')}`
