import { sql } from 'drizzle-orm'
import type { ApiAnswer } from './api.js'
import { claimsOf, type TestUser } from './factories.js'
import type { TestService } from './service.js'

/** Who waits for a lock of this test's database. */
const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

/** What a request of the user is answered that waits for the account while its session is revoked (PostgreSQL only). */
export async function whileEnding(
  service: TestService,
  user: Pick<TestUser, 'id' | 'token'>,
  request: () => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  let answer: Promise<ApiAnswer> | undefined
  await service.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT 1 FROM users WHERE id = ${user.id} FOR UPDATE`)
    answer = request()
    for (let waiting = 0; waiting === 0; ) waiting = (await service.sql(WAITING)).length
    await tx.execute(sql`UPDATE sessions SET ended_at = now() WHERE id = ${claimsOf(user.token).sid}`)
  })
  if (!answer) throw new Error('Nothing was asked')
  return answer
}
