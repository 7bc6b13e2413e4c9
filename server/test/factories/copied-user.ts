import { createHmac, createPublicKey, randomBytes, randomUUID } from 'node:crypto'
import { newBackupCodes } from '../../src/features/mfa/backup-codes/backup-codes.js'
import { userHandleOf } from '../../src/features/mfa/passkeys/verify-passkey.js'
import { contextOfSecret } from '../../src/features/mfa/verify-code.js'
import { openKeyRing } from '../../src/platform/crypto/key-ring.js'
import { randomToken, uuidv7 } from '../../src/platform/crypto/random.js'
import { tokenHash } from '../../src/platform/crypto/token-hash.js'
import type { FactorId, SessionId, TeamId, UserId } from '../../src/platform/ids.js'
import { newTotpSecret } from '../../src/protocols/totp/index.js'
import type { TestService } from '../harness/service.js'
import { type Authenticator, coseKey, createAuthenticator } from './authenticator.js'

export interface TestUser {
  email: string
  password: string
  id: string
  teamId: string
  token: string
  refreshToken: string
}

/** The steps after a registration: the email address is verified by the mailed link, then a factor is enrolled. */
export interface AfterRegistration {
  verified: boolean
  factor: 'none' | 'app' | 'passkey'
}

/** The factor of a copied user. */
export interface CopiedFactor {
  methodId: string
  backupCodes: string[]
  /** For an app. */
  secret: string
  /** For a passkey. */
  authenticator: Authenticator
}

type Row = Record<string, unknown>

/**
 * The tables that a registration writes: two statements, because a trigger of memberships reads the user. Counters of limits and jobs
 * (the verification mail) are left out.
 */
const FIRST = ['users', 'passwords', 'organizations', 'sign_in_places'] as const
const SECOND = ['memberships', 'sessions', 'refresh_tokens', 'audit_entries'] as const
/** The tables of an authenticator app, a passkey and backup codes. */
const OF_FACTOR = ['factors', 'totp_secrets', 'passkeys', 'backup_codes'] as const
type Table = (typeof FIRST)[number] | (typeof SECOND)[number] | (typeof OF_FACTOR)[number]

interface Registration {
  user: TestUser
  rows: Record<Table, Row[]>
  /** The version of the instance settings at the registration. */
  settings: string
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00/g

const registrations = new WeakMap<TestService, Map<string, Registration>>()
const nameOf = ({ verified, factor }: AfterRegistration): string => `${verified} ${factor}`
const keyRings = new WeakMap<TestService, ReturnType<typeof openKeyRing>>()
const localPart = (email: string): string => email.slice(0, email.indexOf('@'))

const rowsOf = (table: Table, number: number) => `SELECT * FROM json_populate_recordset(NULL::${table}, $${number})`
const COPY_FIRST = `WITH possible AS (
    SELECT FROM instance_settings WHERE xmin::text = $5 AND NOT EXISTS (SELECT FROM team_domains WHERE domain = split_part($6, '@', 2))),
  ${FIRST.map((table, index) => `new_${table} AS (INSERT INTO ${table} ${rowsOf(table, index + 1)} WHERE EXISTS (SELECT FROM possible) RETURNING 1)`).join(', ')}
  SELECT FROM new_users`
const COPY_SECOND = `WITH ${SECOND.map((table, index) => `new_${table} AS (INSERT INTO ${table} ${rowsOf(table, index + 1)})`).join(', ')}
  INSERT INTO audit_pending (chain, entry_id) SELECT team_id, id FROM json_populate_recordset(NULL::audit_entries, $4)`
const COPY_FACTOR = `WITH ${OF_FACTOR.map((table, index) => `new_${table} AS (INSERT INTO ${table} ${rowsOf(table, index + 1)})`).join(', ')} SELECT`

/** Stores the rows of a registration with default options, for `copyRegistration`. */
export async function storeRegistration(service: TestService, user: TestUser, state: AfterRegistration): Promise<void> {
  const [found] = await service.sql<{ rows: Registration['rows']; settings: string }>(
    `SELECT (SELECT xmin::text FROM instance_settings) AS settings, json_build_object(
       'users', (SELECT json_agg(t) FROM users t WHERE id = $1),
       'passwords', (SELECT json_agg(t) FROM passwords t WHERE user_id = $1),
       'organizations', (SELECT json_agg(t) FROM organizations t WHERE id = $2),
       'sign_in_places', (SELECT json_agg(t) FROM sign_in_places t WHERE user_id = $1),
       'memberships', (SELECT json_agg(t) FROM memberships t WHERE user_id = $1),
       'sessions', (SELECT json_agg(t) FROM sessions t WHERE user_id = $1),
       'refresh_tokens', (SELECT json_agg(t) FROM refresh_tokens t WHERE session_id IN (SELECT id FROM sessions WHERE user_id = $1)),
       'audit_entries', (SELECT json_agg(t ORDER BY id) FROM audit_entries t WHERE user_id = $1),
       'factors', (SELECT json_agg(t) FROM factors t WHERE user_id = $1),
       'totp_secrets', (SELECT json_agg(t) FROM totp_secrets t WHERE factor_id IN (SELECT id FROM factors WHERE user_id = $1)),
       'passkeys', (SELECT json_agg(t) FROM passkeys t WHERE factor_id IN (SELECT id FROM factors WHERE user_id = $1)),
       'backup_codes', (SELECT json_agg(t) FROM backup_codes t WHERE factor_id IN (SELECT id FROM factors WHERE user_id = $1))) AS rows`,
    [user.id, user.teamId],
  )
  if (!found) return
  const stored = registrations.get(service) ?? new Map<string, Registration>()
  registrations.set(service, stored.set(nameOf(state), { user, ...found }))
}

/**
 * Inserts copies of the stored rows for another email address. A run needs thousands of users, and each registration takes fifty
 * statements. `copied-user.test.ts` compares both.
 * @returns undefined if no rows are stored, or if a registration could differ now: the instance settings have changed, or a team owns the domain
 */
export async function copyRegistration(
  service: TestService,
  email: string,
  state: AfterRegistration,
): Promise<{ user: TestUser; factor: CopiedFactor | undefined } | undefined> {
  const stored = registrations.get(service)?.get(nameOf(state))
  if (!stored) return undefined
  const { user: source, rows } = stored
  const { created_at: ended } = rows.audit_entries.at(-1) as { created_at: string }
  const [{ id: sourceSession }] = rows.sessions as [{ id: string }]
  const shift = service.clock.ms() - Date.parse(ended)
  const ids = new Map<string, string>()
  const idFor = (id: string): string => {
    if (!ids.has(id)) ids.set(id, id[14] === '4' ? randomUUID() : uuidv7(service.clock))
    return ids.get(id) as string
  }
  const copied = JSON.parse(
    JSON.stringify(rows)
      .replaceAll(localPart(source.email), localPart(email))
      .replace(UUID, idFor)
      .replace(MOMENT, (timestamp) => new Date(Date.parse(timestamp) + shift).toISOString()),
  ) as Registration['rows']
  const refreshToken = randomToken()
  // Encrypted under the key of the source.
  const personal = { key_id: null, sealed_origin: null, ip_hash: null, subject_key_id: null, sealed_details: null }
  for (const entry of copied.audit_entries) Object.assign(entry, personal)
  for (const session of copied.sessions) session.sso_hash = `\\x${randomBytes(32).toString('hex')}`
  for (const token of copied.refresh_tokens) token.hash = `\\x${tokenHash(refreshToken).toString('hex')}`
  const [id, teamId] = [idFor(source.id) as UserId, idFor(source.teamId) as TeamId]

  // Prepared, because planning takes longer than inserting.
  const { pool } = service.db
  const first = [...FIRST.map((table) => JSON.stringify(copied[table])), stored.settings, email]
  const { rowCount } = await pool.query({ name: 'test.copy_user', text: COPY_FIRST, values: first })
  if (rowCount === 0) return undefined
  const second = SECOND.map((table) => JSON.stringify(copied[table]))
  await pool.query({ name: 'test.copy_membership', text: COPY_SECOND, values: second })
  const factor = state.factor === 'none' ? undefined : await insertFactor(service, id, copied)
  const [session] = copied.sessions as [{ expires_at: string }]
  const claims = { sub: id, sid: idFor(sourceSession) as SessionId, team: teamId }
  const { accessToken } = await service.issueAccessToken(claims, new Date(session.expires_at))
  return { user: { email, password: source.password, id, teamId, token: accessToken, refreshToken }, factor }
}

/** Inserts the copied factor with a secret, a key and backup codes of its own. */
async function insertFactor(service: TestService, userId: UserId, copied: Registration['rows']): Promise<CopiedFactor> {
  const { db, envelope, clock } = service
  const keyRing = keyRings.get(service) ?? openKeyRing({ db, envelope, clock })
  keyRings.set(service, keyRing)
  const { key } = (await keyRing).current('backup_code')
  const secret = newTotpSecret()
  const totp = copied.totp_secrets?.[0] as { factor_id: FactorId; sealed_secret: string } | undefined
  if (totp) totp.sealed_secret = envelope.seal(Buffer.from(secret), contextOfSecret(totp.factor_id))
  const authenticator = createAuthenticator()
  const passkey = copied.passkeys?.[0]
  if (passkey) {
    const { id, response } = authenticator.create({
      rp: { id: 'localhost', name: 'Keyward' },
      user: { id: userHandleOf(userId, null), name: '', displayName: '' },
      challenge: '',
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    })
    const spki = Buffer.from(response.publicKey ?? '', 'base64url')
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    passkey.credential_id = `\\x${Buffer.from(id, 'base64url').toString('hex')}`
    passkey.public_key = `\\x${coseKey(key).toString('hex')}`
  }
  const backupCodes = newBackupCodes()
  for (const [index, code] of backupCodes.entries()) {
    const row = copied.backup_codes[index] as Row
    row.hash = `\\x${createHmac('sha256', key).update(`${userId}:${code}`).digest('hex')}`
  }
  const values = OF_FACTOR.map((table) => JSON.stringify(copied[table] ?? []))
  await db.pool.query({ name: 'test.copy_factor', text: COPY_FACTOR, values })
  const methodId = String((totp ?? passkey)?.factor_id)
  return { methodId, secret, authenticator, backupCodes }
}
