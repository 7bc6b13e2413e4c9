import pg from 'pg'
import { vi } from 'vitest'

/**
 * Records the statements that this process sends to the database during an act, in order, each with those of its transaction: a statement
 * outside of a transaction is a group of its own. Jobs that run meanwhile are recorded too.
 */
export async function recordStatements<T>(act: () => Promise<T>): Promise<{ result: T; transactions: string[][] }> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const result = await act()
  const calls = query.mock.calls.map(([first], index) => ({ client: query.mock.contexts[index], sql: sqlOf(first) }))
  query.mockRestore()
  const transactions: string[][] = []
  const open = new Map<unknown, string[]>()
  for (const { client, sql } of calls) {
    const statements = [...(open.get(client) ?? []), sql]
    const ends = sql === 'COMMIT' || sql === 'ROLLBACK' || (sql !== 'BEGIN' && !open.has(client))
    if (ends) transactions.push(statements)
    if (ends) open.delete(client)
    else open.set(client, statements)
  }
  return { result, transactions }
}

const sqlOf = (query: unknown): string => (typeof query === 'string' ? query : (query as { text: string }).text)
