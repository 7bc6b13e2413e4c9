import type { SigningKey } from '../../../../api/contract'

/** What a key signs: the default one everything, but for access tokens where another key is marked for them. */
export function usesOf(key: SigningKey, all: SigningKey[]): ('id' | 'access')[] {
  if (key.retiredAt) return []
  const marked = all.some(({ retiredAt, useForAccessTokens }) => useForAccessTokens && !retiredAt)
  const access = marked ? key.useForAccessTokens : key.isDefault
  return [...(key.isDefault ? ['id' as const] : []), ...(access ? ['access' as const] : [])]
}
