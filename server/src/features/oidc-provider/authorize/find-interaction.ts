import type { Clock } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId } from '../../../platform/ids.js'
import { scopesOfClaims } from '../model/claims-parameter.js'
import { isRequestCurrent } from '../model/client.js'
import { rejection } from '../model/errors.js'
import type { Issuer } from '../model/issuer.js'

/** A pending authorization request, which waits for a user. */
export interface Interaction {
  uid: string
  application: {
    id: ApplicationId
    version: number
    name: string
    description: string | null
    logoUrl: string | null
    isAiAgent: boolean
  }
  /** Path of the requested issuer, which also issues the response. The page may use another issuer URL of the same application. */
  issuer: string
  browserHash: Buffer | null
  createdAt: Date
  payload: InteractionPayload
  /** The requesting device, if any. Then there is no redirect to the client. */
  device: RequestingDevice | null
}

/** A device that waits for the user's decision. */
export interface RequestingDevice {
  hash: Buffer
  payload: Record<string, unknown>
  ipAddress: string | null
  userAgent: string | null
  requestedAt: Date
}

/** The request as the engine stores it. */
export interface InteractionPayload extends Record<string, unknown> {
  params: Record<string, string | undefined>
  prompt: { name: string; reasons: string[] }
}

interface Row extends Omit<Interaction, 'uid' | 'device'> {
  isCurrent: boolean
  deviceHash: Buffer | null
  devicePayload: Record<string, unknown>
  deviceIp: string | null
  deviceAgent: string | null
  deviceRequestedAt: Date
}

const SELECT = `SELECT d.hash AS "deviceHash", d.payload AS "devicePayload", d.ip_address AS "deviceIp", d.user_agent AS "deviceAgent", d.created_at AS "deviceRequestedAt",
    i.issuer, i.browser_hash AS "browserHash", i.created_at AS "createdAt", i.payload, ${isRequestCurrent('i')} AS "isCurrent",
    jsonb_build_object('id', a.id, 'version', a.version, 'name', a.name, 'description', a.description, 'logoUrl', a.logo_url, 'isAiAgent', a.is_ai_agent) AS application
  FROM interactions i JOIN applications a ON a.id = i.application_id
  LEFT JOIN device_codes d ON d.hash = i.device_hash AND d.answered_at IS NULL
  WHERE i.hash = $1 AND (i.device_hash IS NULL OR d.hash IS NOT NULL) AND i.expires_at > $2 AND a.organization_id = $3 AND ($4::uuid IS NULL OR a.id = $4)`

const look = namedQuery<Row, [Buffer, Date, string, ApplicationId | null]>('oidc_provider.look_at_interaction', SELECT)
const lock = namedQuery<Row, [Buffer, Date, string, ApplicationId | null]>(
  'oidc_provider.lock_interaction',
  `${SELECT} FOR UPDATE OF i`,
)

/**
 * Returns the interaction with a uid. The issuer must be one of its application.
 * @param forDecision locks the interaction until the transaction ends, so that exactly one concurrent decision takes effect
 * @throws interaction_not_found; interaction_outdated at a decision if the tokens of the application were revoked in the meantime
 */
export async function findInteraction(
  tx: Transaction,
  clock: Clock,
  issuer: Pick<Issuer, 'team' | 'applicationId'>,
  uid: string,
  forDecision = false,
): Promise<Interaction> {
  const [row] = await tx.run(forDecision ? lock : look, [
    tokenHash(uid),
    clock.now(),
    issuer.team.id,
    issuer.applicationId,
  ])
  if (!row || (!row.isCurrent && !forDecision)) throw rejection('interaction_not_found')
  if (!row.isCurrent) throw rejection('interaction_outdated')
  const {
    deviceHash,
    devicePayload,
    deviceIp,
    deviceAgent,
    deviceRequestedAt,
    isCurrent: _current,
    ...interaction
  } = row
  const device = deviceHash && {
    hash: deviceHash,
    payload: devicePayload,
    ipAddress: deviceIp,
    userAgent: deviceAgent,
    requestedAt: deviceRequestedAt,
  }
  return { ...interaction, uid, device }
}

const spaceSeparated = (text: unknown): string[] => (typeof text === 'string' ? text.split(' ').filter(Boolean) : [])

/** Returns the requested scopes and the claims that are requested by name. */
export function requestedAccess({ params }: InteractionPayload): { scopes: string[]; claims: string[] } {
  const claims = params.claims ? (JSON.parse(params.claims) as Record<string, Record<string, unknown> | undefined>) : {}
  const names = [...new Set([claims.id_token, claims.userinfo].flatMap((part) => Object.keys(part ?? {})))]
  // The consent page shows scopes, so add those of the requested claims.
  return { scopes: [...new Set([...spaceSeparated(params.scope), ...scopesOfClaims(names)])], claims: names }
}

/** Returns the maximum age of the sign-in in seconds, relative to the request; 0 requires a newer sign-in, null accepts any. */
export function maxAgeOf({ prompt, max_age: maxAge }: InteractionPayload['params']): number | null {
  if (spaceSeparated(prompt).includes('login')) return 0
  return maxAge === undefined ? null : Number(maxAge)
}

/** Returns whether the session's sign-in is too old for the request. */
export function wantsFreshSignIn({ payload, createdAt }: Interaction, authenticatedAt: Date): boolean {
  if (authenticatedAt.getTime() > createdAt.getTime()) return false
  const maxAge = maxAgeOf(payload.params)
  if (maxAge === null) return false
  return maxAge === 0 || createdAt.getTime() - authenticatedAt.getTime() > maxAge * 1_000
}
