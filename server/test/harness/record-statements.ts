import pg from 'pg'
import { vi } from 'vitest'

/** A sent prepared statement with the number of keys or IDs in its first value and the number of returned rows. */
export interface NamedStatement {
  name: string
  given: number
  returned: number
}

/**
 * Records the statements that this process sends to the database during `act`, grouped by transaction. A statement outside of a
 * transaction is its own group. Statements of concurrent jobs are included.
 */
export async function recordStatements<T>(
  act: () => Promise<T>,
): Promise<{ result: T; transactions: string[][]; named: NamedStatement[] }> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const result = await act()
  const { calls, results, contexts } = query.mock
  const sent = calls.map(([first], index) => ({ client: contexts[index], sql: sqlOf(first) }))
  const named = await Promise.all(calls.map(([first], index) => namedOf(first, results[index]?.value)))
  query.mockRestore()
  const transactions: string[][] = []
  const open = new Map<unknown, string[]>()
  for (const { client, sql } of sent) {
    const statements = [...(open.get(client) ?? []), sql]
    const ends = sql === 'COMMIT' || sql === 'ROLLBACK' || (sql !== 'BEGIN' && !open.has(client))
    if (ends) transactions.push(statements)
    if (ends) open.delete(client)
    else open.set(client, statements)
  }
  return { result, transactions, named: named.filter((statement) => statement !== undefined) }
}

const sqlOf = (query: unknown): string => (typeof query === 'string' ? query : (query as { text: string }).text)

async function namedOf(query: unknown, result: unknown): Promise<NamedStatement | undefined> {
  const { name, values } = query as Partial<pg.QueryConfig<unknown[]>>
  if (!name) return undefined
  const { rows } = ((await result) ?? {}) as { rows?: unknown[] }
  // The pool passes the rows of a single statement to a callback.
  if (!rows) return undefined
  return { name, given: Array.isArray(values?.[0]) ? values[0].length : 0, returned: rows.length }
}
