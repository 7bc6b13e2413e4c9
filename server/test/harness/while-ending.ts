import { sql } from 'drizzle-orm'
import type { Transaction } from '../../src/platform/db/database.js'
import { claimsOf, type TestUser } from '../factories/factories.js'
import type { ApiResponse } from './api.js'
import type { TestService } from './service.js'

/** Finds connections that wait for a lock of the test database. */
const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

/**
 * Sends a request that waits for the lock of an account while another transaction commits a change, and returns the response (PostgreSQL
 * only).
 */
export async function duringChange(
  service: TestService,
  accountId: string,
  request: () => Promise<ApiResponse>,
  change: (tx: Transaction) => Promise<unknown>,
): Promise<ApiResponse> {
  let answer: Promise<ApiResponse> | undefined
  let isAnswered = false
  await service.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT 1 FROM users WHERE id = ${accountId} FOR UPDATE`)
    answer = request().finally(() => {
      isAnswered = true
    })
    for (let waiting = 0; waiting === 0; ) {
      waiting = (await service.sql(WAITING)).length
      if (isAnswered) throw new Error('The request did not wait for the account')
    }
    await change(tx)
  })
  if (!answer) throw new Error('No request was sent')
  return answer
}

/** Sends a request that waits for the account lock while its session is revoked, and returns the response (PostgreSQL only). */
export const duringRevocation = (
  service: TestService,
  user: Pick<TestUser, 'id' | 'token'>,
  request: () => Promise<ApiResponse>,
): Promise<ApiResponse> =>
  duringChange(service, user.id, request, (tx) =>
    tx.execute(sql`UPDATE sessions SET ended_at = now() WHERE id = ${claimsOf(user.token).sid}`),
  )
