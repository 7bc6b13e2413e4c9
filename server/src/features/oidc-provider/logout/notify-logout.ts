import { SECOND } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Outbound } from '../../../platform/http/outbound.js'
import type { ApplicationId, SessionId, UserId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { signCompactJwt } from '../../../protocols/jws/index.js'
import { SESSION_ENDED_JOB } from '../../sessions/index.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer } from '../model/find-issuer.js'
import { parseIssuerPath } from '../model/issuer.js'

/** The lifetime of a logout token, in seconds. */
const TOKEN_LIFETIME = 120
/** Retries for about half an hour. */
const ATTEMPTS = 9

/** The origin of audit entries: there is no request. */
const BY_JOB = { ip: null, userAgent: null, requestId: SESSION_ENDED_JOB }

/**
 * Notifies an application of the end of a session in which it was used (OpenID Connect Back-Channel Logout 2.4). Runs outside requests and
 * transactions, so a slow application blocks no user. Retries after any status other than 200 or 204.
 */
export const notifyLogout = (deps: OidcProviderDeps & { outbound: Outbound }): JobKind => ({
  kind: SESSION_ENDED_JOB,
  attempts: ATTEMPTS,
  // A slow application must not delay other jobs or other teams.
  aside: true,
  concurrency: 20,
  perTeam: 2,
  run: async (payload) => {
    const { db, clock, clients, audit, outbound } = deps
    const { application, user, session, issuer: path } = payload as Record<string, string>
    const client = await clients.of(db, application as ApplicationId)
    if (!client?.backchannelLogoutUri) return
    const issuer = await findIssuer(deps, parseIssuerPath(path ?? ''), BY_JOB)
    const iat = Math.floor(clock.ms() / SECOND)
    const claims = {
      iss: issuer.url,
      sub: user,
      aud: client.clientId,
      iat,
      exp: iat + TOKEN_LIFETIME,
      jti: uuidv7<string>(clock),
      sid: session as SessionId,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    }
    const token = await signCompactJwt('logout+jwt', claims, issuer.keys.idToken)
    const delivery = await outbound
      .ofTeam(client.teamId)
      .send(client.backchannelLogoutUri, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
      })
      .then(
        ({ status }) => ({ status, error: undefined }),
        (error: Error) => ({ status: undefined, error: error.message }),
      )
    const delivered = delivery.status === 200 || delivery.status === 204
    await db.transaction((tx) =>
      audit.record(tx, { userId: user as UserId, teamId: client.teamId, origin: BY_JOB }, 'application.logout_told', {
        result: delivered ? 'SUCCESS' : 'FAILURE',
        resource: `application:${client.id}`,
        metadata: {
          session,
          ...(delivery.status && { status: delivery.status }),
          ...(delivery.error && { error: delivery.error }),
        },
      }),
    )
    if (!delivered) throw new Error(delivery.error ?? `The application responded with ${delivery.status}`)
  },
})
