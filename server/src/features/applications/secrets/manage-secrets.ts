import { eq, sql } from 'drizzle-orm'
import { type Clock, fromNow, SECOND } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import type { AuditAction } from '../../audit/index.js'
import { rejection } from '../errors.js'
import type { ApplicationDeps } from '../manage-applications.js'
import { type Application, usesSecret } from '../registration/registration.js'
import { applicationRepository, lockApplication } from '../repository.js'
import { applications } from '../tables.js'

interface Change {
  fields: Partial<Application>
  /** Metadata of the audit entry. */
  metadata?: Record<string, unknown>
}

/** Changes the locked application, with an audit entry, unless `changeOf` returns undefined. @throws application_not_found */
function change(
  { db, clock, audit }: ApplicationDeps,
  actor: Actor,
  id: string,
  action: AuditAction,
  changeOf: (application: Application, now: Date) => Change | undefined,
): Promise<Application> {
  return db.transaction(async (tx) => {
    const application = await lockApplication(tx, actor.teamId, id)
    const updatedAt = clock.now()
    const wanted = changeOf(application, updatedAt)
    if (!wanted) return application
    const { fields, metadata = {} } = wanted
    const after = await applicationRepository(tx, actor.teamId).update(application, { ...fields, updatedAt })
    await audit.record(tx, actor, action, { resource: `application:${application.id}`, metadata })
    return after
  })
}

/**
 * Replaces the client secret and returns the new one, of which only the hash is stored. The previous one is revoked at once with all issued
 * tokens, or stays valid for `keepPreviousFor` seconds; an older previous one is revoked. Also issues the first secret of a client that
 * became confidential.
 * @throws application_not_found, no_client_secret
 */
export async function rotateSecret(
  deps: ApplicationDeps,
  actor: Actor,
  id: string,
  keepPreviousFor = 0,
): Promise<{ clientSecret: string; previousSecretUntil: Date | null }> {
  const clientSecret = randomToken()
  const after = await change(deps, actor, id, 'application.secret_rotated', (application, now) => {
    if (!usesSecret(application)) throw rejection('no_client_secret')
    const overlaps = keepPreviousFor > 0 && application.secretHash !== null
    const previousSecretUntil = overlaps ? fromNow(deps.clock, keepPreviousFor * SECOND) : null
    return {
      fields: {
        secretHash: tokenHash(clientSecret),
        secretRotatedAt: now,
        previousSecretHash: overlaps ? application.secretHash : null,
        previousSecretUntil,
        ...(!overlaps && { generation: application.generation + 1 }),
      },
      ...(previousSecretUntil && { metadata: { previousSecretExpiresAt: previousSecretUntil.toISOString() } }),
    }
  })
  return { clientSecret, previousSecretUntil: after.previousSecretUntil }
}

/**
 * Revokes the previous secret before its overlap ends, because it may have leaked. It suffices for client_credentials, so all such tokens
 * are revoked too; tokens of user grants require more than the secret and stay valid. Idempotent.
 * @throws application_not_found
 */
export const endPreviousSecret = (deps: ApplicationDeps, actor: Actor, id: string): Promise<Application> =>
  change(deps, actor, id, 'application.previous_secret_ended', ({ previousSecretUntil, secretsEnded }, now) =>
    previousSecretUntil && previousSecretUntil > now
      ? { fields: { previousSecretHash: null, previousSecretUntil: null, secretsEnded: secretsEnded + 1 } }
      : undefined,
  )

/**
 * Revokes the token with which a client manages its own registration (RFC 7592): only administrators can then change or delete it. The
 * secret and issued tokens stay valid. Idempotent.
 * @throws application_not_found
 */
export const endRegistrationToken = (deps: ApplicationDeps, actor: Actor, id: string): Promise<Application> =>
  change(deps, actor, id, 'application.registration_token_ended', ({ registrationTokenHash }) =>
    registrationTokenHash ? { fields: { registrationTokenHash: null } } : undefined,
  )

/**
 * Stops an application, such as a misbehaving agent: at the commit its tokens, and those exchanged for them, are revoked on every node,
 * and it receives none until it is started again. Idempotent.
 * @throws application_not_found
 */
export const stopApplication = (deps: ApplicationDeps, actor: Actor, id: string): Promise<Application> =>
  change(deps, actor, id, 'application.stopped', ({ stoppedAt, generation }, now) =>
    // The generation invalidates everything issued before.
    stoppedAt ? undefined : { fields: { stoppedAt: now, generation: generation + 1 } },
  )

/** Starts a stopped application. Its previous tokens stay revoked. @throws application_not_found */
export const startApplication = (deps: ApplicationDeps, actor: Actor, id: string): Promise<Application> =>
  change(deps, actor, id, 'application.started', ({ stoppedAt }) =>
    stoppedAt ? { fields: { stoppedAt: null } } : undefined,
  )

/**
 * Stops every application of the team and revokes what a third party may hold of it: client secrets, assertion keys, registration tokens
 * and all issued tokens. Administrators review each application and start it again. Runs in the caller's transaction.
 * @returns the number of applications
 */
export async function endApplicationSecrets(tx: Transaction, clock: Clock, teamId: TeamId): Promise<number> {
  const now = clock.now()
  const stopped = await tx
    .update(applications)
    .set({
      stoppedAt: sql`coalesce(${applications.stoppedAt}, ${now.toISOString()}::timestamptz)`,
      // The hash of a discarded token: an administrator must rotate the secret.
      secretHash: sql`CASE WHEN ${applications.secretHash} IS NOT NULL THEN ${tokenHash(randomToken())}::bytea END`,
      previousSecretHash: null,
      previousSecretUntil: null,
      registrationTokenHash: null,
      jwks: null,
      generation: sql`${applications.generation} + 1`,
      version: sql`${applications.version} + 1`,
      updatedAt: now,
    })
    .where(eq(applications.organizationId, teamId))
    .returning({ id: applications.id })
  return stopped.length
}
