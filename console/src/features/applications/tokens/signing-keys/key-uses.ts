import type { SigningKey } from '../../../../api/contract'

/** Returns the tokens that a key signs: all for the default key, unless another key is marked for access tokens. */
export function usesOf(key: SigningKey, all: SigningKey[]): ('id' | 'access')[] {
  if (key.retiredAt) return []
  const marked = all.some(({ retiredAt, useForAccessTokens }) => useForAccessTokens && !retiredAt)
  const access = marked ? key.useForAccessTokens : key.isDefault
  return [...(key.isDefault ? ['id' as const] : []), ...(access ? ['access' as const] : [])]
}
