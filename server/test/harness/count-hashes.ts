import { vi } from 'vitest'

/**
 * Returns the result of `act` and the number of passwords that were hashed or verified meanwhile, by counting their NFKC normalization.
 * @param password counts only this one; default: every normalized string
 */
export async function countHashes<T>(act: () => Promise<T>, password?: string): Promise<{ result: T; hashes: number }> {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  try {
    const result = await act()
    const { calls, contexts } = normalize.mock
    const isCounted = ([form]: unknown[], index: number) =>
      form === 'NFKC' && (password === undefined || String(contexts[index]) === password)
    return { result, hashes: calls.filter(isCounted).length }
  } finally {
    normalize.mockRestore()
  }
}
