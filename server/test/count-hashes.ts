import { vi } from 'vitest'

/**
 * Returns what `act` returns, and how often a password was prepared for a hash or a check meanwhile: it is normalized each time (NFKC).
 * @param password the only one that counts; every text that is normalized so by default
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
