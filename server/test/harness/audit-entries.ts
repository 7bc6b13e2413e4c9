import { randomUUID } from 'node:crypto'
import { revealEntries, type SealedEntry } from '../../src/features/audit/index.js'
import type { TestService } from './service.js'

export interface WrittenEntry {
  id: string
  userId: string | null
  agentId: string | null
  sessionId: string | null
  action: string
  resource: string | null
  result: string
  metadata: Record<string, unknown>
  riskScore: number | null
  ipAddress: string | null
  userAgent: string | null
  requestId: string | null
  createdAt: string
}

/** Inserts audit entries of a team directly, in one statement. They are sealed like all others. */
export async function writeEntries(
  { sql }: Pick<TestService, 'sql'>,
  teamId: string | null,
  entries: (Partial<WrittenEntry> & { createdAt: string })[],
): Promise<WrittenEntry[]> {
  const whole = entries.map((entry) => ({
    id: randomUUID(),
    userId: null,
    agentId: null,
    sessionId: null,
    action: 'user.login',
    resource: null,
    result: 'SUCCESS',
    metadata: {},
    riskScore: null,
    ipAddress: null,
    userAgent: null,
    requestId: null,
    ...entry,
  }))
  await sql(
    `WITH entry AS (
       INSERT INTO audit_entries (id, team_id, user_id, agent_id, session_id, action, resource, result, metadata, risk_score, ip_address, user_agent, request_id, created_at)
       SELECT id, $1::uuid, "userId", "agentId", "sessionId", action, resource, result, metadata, "riskScore", "ipAddress", "userAgent", "requestId", "createdAt"
       FROM jsonb_to_recordset($2::jsonb) AS e (id uuid, "userId" uuid, "agentId" uuid, "sessionId" uuid, action text, resource text, result text, metadata jsonb,
         "riskScore" integer, "ipAddress" text, "userAgent" text, "requestId" text, "createdAt" timestamptz) RETURNING id)
     INSERT INTO audit_pending (entry_id, chain) SELECT id, coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') FROM entry`,
    [teamId, JSON.stringify(whole)],
  )
  return whole
}

/**
 * Runs a query on `audit_entries` and returns its rows, with the personal data in the column `metadata` decrypted.
 * @param query begins with `SELECT`, and reads from no other table
 */
export async function entriesOf<Row extends Record<string, unknown> = Record<string, unknown>>(
  { sql, db, envelope }: Pick<TestService, 'sql' | 'db' | 'envelope'>,
  query: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const hidden = 'id AS "$id", subject_key_id AS "$key", sealed_details AS "$details"'
  const rows = await sql(query.replace('SELECT', `SELECT ${hidden},`), values)
  const stored = rows.map(({ $id: id, $key: subjectKeyId, $details: sealedDetails, metadata }) => {
    const plain = { metadata: metadata ?? {}, ipAddress: null, userAgent: null, keyId: null, sealedOrigin: null }
    return { ...plain, id, subjectKeyId, sealedDetails } as SealedEntry
  })
  const revealed = await revealEntries(db, envelope, stored)
  return rows.map(({ $id: _id, $key: _key, $details: _details, ...row }, index) => ({
    ...row,
    ...('metadata' in row && { metadata: revealed[index]?.metadata }),
  })) as Row[]
}

/** Waits until every entry is sealed. */
export async function sealEverything({ clock, settle, sql }: TestService): Promise<void> {
  for (let due = 1; due > 0; ) {
    await clock.advance(6_000)
    await settle()
    due = (await sql<{ due: number }>('SELECT count(*)::int AS due FROM audit_pending'))[0]?.due ?? 0
  }
}
