import { and, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { type Clock, HOUR } from '../../platform/clock.js'
import type { Database, Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { NO_TEAM, parseId, type TeamId } from '../../platform/ids.js'
import type { Jobs } from '../../platform/jobs/jobs.js'
import { rejection } from './errors.js'
import { FETCH_LOGO_JOB } from './fetch-logo.js'
import { INSTANCE_LOGO, type LogoFailure, logos } from './tables.js'

/** Milliseconds after which a failed fetch is repeated. */
const PAUSE = HOUR

export interface LogoDeps {
  db: Database
  clock: Clock
  jobs: Pick<Jobs, 'enqueue'>
}

export interface Logo {
  mediaType: string
  content: Buffer
}

/** Returns the current logo URL of the owner, and the image that was fetched from it. */
const findLogo = namedQuery<
  { url: string; team: TeamId; mediaType: string | null; content: Buffer | null; requestedAt: Date | null },
  [string]
>(
  'logos.find',
  `SELECT owner.url, owner.team, l.media_type AS "mediaType", l.content, l.requested_at AS "requestedAt"
   FROM (
     SELECT id, id AS team, logo_url AS url FROM organizations WHERE id = $1
     UNION ALL SELECT id, organization_id, logo_url FROM applications WHERE id = $1
     UNION ALL SELECT '${INSTANCE_LOGO}'::uuid, '${NO_TEAM}'::uuid, logo_url FROM instance_settings WHERE $1 = '${INSTANCE_LOGO}'::uuid
   ) owner
   LEFT JOIN logos l ON l.owner_id = owner.id AND l.url = owner.url
   WHERE owner.url IS NOT NULL`,
)

export interface LogoStatus {
  state: 'waiting' | 'stored' | 'failed'
  reason: LogoFailure | null
}

const findStatus = namedQuery<{ stored: boolean | null; failure: LogoFailure | null }, [TeamId]>(
  'logos.status',
  `SELECT l.content IS NOT NULL AS stored, l.failure FROM organizations o
   LEFT JOIN logos l ON l.owner_id = o.id AND l.url = o.logo_url WHERE o.id = $1 AND o.logo_url IS NOT NULL`,
)

/** Returns the state of a team's logo; null if it has none. */
export async function logoStatusOf(runner: Runner, team: TeamId): Promise<LogoStatus | null> {
  const [found] = await runner.run(findStatus, [team])
  if (!found) return null
  const state = found.stored ? 'stored' : found.failure ? 'failed' : 'waiting'
  return { state, reason: state === 'failed' ? found.failure : null }
}

/**
 * Returns the logo of a team or an application by its ID, or of the `instance`. Enqueues the fetch if the logo has not been fetched
 * from its current URL.
 * @throws logo_not_found
 */
export async function readLogo(deps: LogoDeps, id: string): Promise<Logo> {
  const ownerId = id === 'instance' ? INSTANCE_LOGO : parseId<string>(id)
  if (!ownerId) throw rejection('logo_not_found')
  const { db, clock } = deps
  const [found] = await db.run(findLogo, [ownerId])
  if (found?.content && found.mediaType) return { content: found.content, mediaType: found.mediaType }
  const wasRequested = found?.requestedAt && found.requestedAt.getTime() > clock.ms() - PAUSE
  if (found && !wasRequested) await requestLogo(deps, ownerId, found)
  throw rejection('logo_not_found')
}

/** Enqueues the fetch, once for concurrent requests. */
async function requestLogo(
  { db, clock, jobs }: LogoDeps,
  ownerId: string,
  { url, team }: { url: string; team: TeamId },
): Promise<void> {
  const requestedAt = clock.now()
  const isOld = and(isNull(logos.content), lte(logos.requestedAt, new Date(clock.ms() - PAUSE)))
  await db.transaction(async (tx) => {
    const requested = await tx
      .insert(logos)
      .values({ ownerId, url, requestedAt })
      .onConflictDoUpdate({
        target: logos.ownerId,
        set: { url, requestedAt, content: null, mediaType: null, failure: null },
        setWhere: or(ne(logos.url, sql`excluded.url`), isOld),
      })
      .returning({ ownerId: logos.ownerId })
    if (requested.length > 0) await jobs.enqueue(tx, FETCH_LOGO_JOB, { ownerId, url, team }, team)
  })
}
