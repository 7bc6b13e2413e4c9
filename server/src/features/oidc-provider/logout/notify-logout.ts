import { SECOND } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Outbound } from '../../../platform/http/outbound.js'
import type { ApplicationId, SessionId, UserId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { isJwsAlgorithm, signCompactJwt } from '../../../protocols/jws/index.js'
import { SESSION_ENDED_JOB } from '../../sessions/index.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer } from '../model/find-issuer.js'
import { parseIssuerPath } from '../model/issuer.js'

const TOKEN_LIFE = 120
/** Tried for about half an hour. */
const ATTEMPTS = 9

/** Nobody asked for it: the job is its own origin. */
const BY_JOB = { ip: null, userAgent: null, requestId: SESSION_ENDED_JOB }

/**
 * Tells an application that a session in which it was used has ended for it (OpenID Connect Back-Channel Logout 2.4). Outside every
 * request and transaction: an application that hangs holds nobody up. An answer other than 200 or 204 is tried again later.
 */
export const notifyLogout = (deps: OidcProviderDeps & { outbound: Outbound }): JobKind => ({
  kind: SESSION_ENDED_JOB,
  attempts: ATTEMPTS,
  // An application that hangs delays no other job, and none of another team.
  aside: true,
  atOnce: 20,
  perTeam: 2,
  run: async (payload) => {
    const { db, clock, clients, audit, outbound } = deps
    const { application, user, session, issuer: path } = payload as Record<string, string>
    const client = await clients.of(db, application as ApplicationId)
    if (!client?.backchannelLogoutUri) return
    const issuer = await findIssuer(db, deps, parseIssuerPath(path ?? ''), BY_JOB)
    const { kid, algorithm, privateKey } = issuer.keys.idToken
    if (!isJwsAlgorithm(algorithm)) throw new Error(`A key of ours has the algorithm ${algorithm}`)
    const iat = Math.floor(clock.ms() / SECOND)
    const token = await signCompactJwt(
      { typ: 'logout+jwt', kid, alg: algorithm },
      {
        iss: issuer.url,
        sub: user,
        aud: client.clientId,
        iat,
        exp: iat + TOKEN_LIFE,
        jti: uuidv7<string>(clock),
        sid: session as SessionId,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      },
      privateKey,
    )
    const told = await outbound
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
    const heard = told.status === 200 || told.status === 204
    await db.transaction((tx) =>
      audit.record(tx, { userId: user as UserId, teamId: client.teamId, origin: BY_JOB }, 'application.logout_told', {
        result: heard ? 'SUCCESS' : 'FAILURE',
        resource: `application:${client.id}`,
        metadata: { session, ...(told.status && { status: told.status }), ...(told.error && { error: told.error }) },
      }),
    )
    if (!heard) throw new Error(told.error ?? `The application answered ${told.status}`)
  },
})
