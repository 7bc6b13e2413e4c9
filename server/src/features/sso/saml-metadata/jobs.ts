import { and, asc, eq, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { fromNow, HOUR, MINUTE } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { SsoProviderId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import type { SsoDeps } from '../model/deps.js'
import { ssoProviders } from '../tables.js'
import { refreshMetadata } from './refresh-metadata.js'

const REFRESH = 'sso.refresh_metadata'
const PAGE = 200

/**
 * Reads due metadata again. One sweep of all nodes enqueues a job for each due provider, so that a provider that does not respond delays
 * only itself.
 */
export const metadataJobs = (deps: SsoDeps): JobKind[] => [
  { kind: 'sso.metadata', every: 5 * MINUTE, run: () => enqueueDue(deps) },
  {
    kind: REFRESH,
    attempts: 3,
    aside: true,
    // A server that does not respond blocks one of its team's slots for five seconds.
    concurrency: 10,
    perTeam: 1,
    run: ({ provider, requestId }) => refreshMetadata(deps, provider as SsoProviderId, String(requestId)),
  },
]

async function enqueueDue({ db, clock, accounts: { jobs } }: SsoDeps): Promise<void> {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const { samlMetadataDueAt: dueAt } = ssoProviders
      const due = await tx
        .select({ id: ssoProviders.id, team: ssoProviders.organizationId })
        .from(ssoProviders)
        .where(
          and(
            eq(ssoProviders.protocol, 'SAML2'),
            isNotNull(ssoProviders.samlMetadataUrl),
            or(isNull(dueAt), lte(dueAt, clock.now())),
          ),
        )
        .orderBy(asc(dueAt))
        .limit(PAGE)
        .for('update', { skipLocked: true })
      if (due.length === 0) return 0
      const ids = due.map(({ id }) => id)
      // If its job fails for good, the provider is due again after an hour.
      await tx
        .update(ssoProviders)
        .set({ samlMetadataDueAt: fromNow(clock, HOUR) })
        .where(inArray(ssoProviders.id, ids))
      for (const { id: provider, team } of due)
        await jobs.enqueue(tx, REFRESH, { provider, requestId: uuidv7(clock) }, team)
      return due.length
    })
    if (count < PAGE) return
  }
}
