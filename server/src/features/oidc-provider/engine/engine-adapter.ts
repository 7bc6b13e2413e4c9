import { fromNow, SECOND } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, GrantId } from '../../../platform/ids.js'
import { LIFETIMES } from '../model/lifetimes.js'
import { isProofUsed, useProof } from '../model/used-proofs.js'
import { createGrant } from './create-grant.js'
import { metadataOf } from './engine-client.js'
import { type EngineContext, type EngineGrant, engineContext, requireClient } from './engine-context.js'
import { errors } from './engine-library.js'
import { revokeReplayedGrant } from './token-reuse.js'
import { withoutToken } from './write-token-use.js'

type Payload = Record<string, unknown>

const upsertInteraction = namedQuery<
  never,
  {
    hash: Buffer
    applicationId: ApplicationId
    generation: number
    issuer: string
    browserHash: Buffer | null
    payload: Payload
    now: Date
    expiresAt: Date
  }
>(
  'oidc_provider.upsert_interaction',
  `INSERT INTO interactions (hash, application_id, generation, issuer, browser_hash, payload, created_at, expires_at) VALUES (:hash, :applicationId, :generation, :issuer, :browserHash, :payload, :now, :expiresAt)
   ON CONFLICT (hash) DO UPDATE SET payload = excluded.payload`,
)

const findInteraction = namedQuery<{ payload: Payload }, [Buffer, Date, ApplicationId]>(
  'oidc_provider.find_interaction',
  'SELECT payload FROM interactions WHERE hash = $1 AND expires_at > $2 AND application_id = $3',
)

const deleteInteraction = namedQuery<never, [Buffer]>(
  'oidc_provider.delete_interaction',
  'DELETE FROM interactions WHERE hash = $1',
)

const insertPushed = namedQuery<
  never,
  {
    hash: Buffer
    applicationId: ApplicationId
    generation: number
    issuer: string
    parameters: string
    now: Date
    expiresAt: Date
  }
>(
  'oidc_provider.insert_pushed_request',
  'INSERT INTO pushed_requests (hash, application_id, generation, issuer, parameters, created_at, expires_at) VALUES (:hash, :applicationId, :generation, :issuer, :parameters, :now, :expiresAt)',
)

const insertDevice = namedQuery<
  { hash: Buffer },
  {
    hash: Buffer
    userCodeHash: Buffer
    applicationId: ApplicationId
    generation: number
    issuer: string
    payload: Payload
    ip: string | null
    userAgent: string | null
    pollInterval: number
    now: Date
    expiresAt: Date
  }
>(
  'oidc_provider.insert_device',
  `INSERT INTO device_codes (hash, user_code_hash, application_id, generation, issuer, payload, ip_address, user_agent, poll_interval, created_at, expires_at)
   VALUES (:hash, :userCodeHash, :applicationId, :generation, :issuer, :payload, :ip, :userAgent, :pollInterval, :now, :expiresAt) ON CONFLICT (user_code_hash) DO NOTHING RETURNING hash`,
)

/** Removes `returnTo`, a URL that contains the uid. */
const withoutUid = ({ returnTo: _address, ...payload }: Payload): Payload => withoutToken(payload)

/** Removes the user code, which is stored as a hash, and the device's IP address and user agent, which have columns. */
const withoutUserCode = ({ userCode: _code, deviceInfo: _info, ...payload }: Payload): Payload => withoutToken(payload)

/** The storage of the engine's models. A model that is not listed cannot be stored. */
const MODELS: Record<
  string,
  {
    upsert?: (context: EngineContext, id: string, payload: Payload, ttl: number) => Promise<void>
    find?: (context: EngineContext, id: string) => Promise<Payload | undefined> | Payload | undefined
    consume?: (context: EngineContext, id: string) => Promise<void>
    destroy?: (context: EngineContext, id: string) => Promise<void>
  }
> = {
  Client: {
    find: (context, id) =>
      context.client?.clientId === id
        ? metadataOf(context.client, context.skipsClientAuthentication ?? false, context.idTokenAlgorithm)
        : undefined,
  },

  // The engine's session is built from the stored session for each run. Its changes are discarded.
  Session: {
    find: ({ session, client }) =>
      session && {
        kind: 'Session',
        uid: session.id,
        accountId: session.userId,
        loginTs: Math.floor(session.authenticatedAt.getTime() / SECOND),
        amr: session.amr,
        authorizations: client ? { [client.clientId]: { sid: session.id } } : {},
      },
    upsert: async () => {},
    destroy: async () => {},
  },

  Interaction: {
    async upsert(context, uid, payload, ttl) {
      const { tx, clock, issuer, browserHash } = context
      context.outcome.interactionUid = uid
      const client = requireClient()
      await tx.run(upsertInteraction, {
        hash: tokenHash(uid),
        applicationId: client.id,
        generation: client.generation,
        issuer: issuer.path,
        browserHash: browserHash ?? null,
        payload: withoutUid(payload),
        now: clock.now(),
        expiresAt: fromNow(clock, ttl * SECOND),
      })
    },
    // Without a client there is no interaction: the engine deletes the interaction before it verifies the client.
    async find({ tx, clock, client }, uid) {
      const [row] = client ? await tx.run(findInteraction, [tokenHash(uid), clock.now(), client.id]) : []
      return row && { ...row.payload, jti: uid }
    },
    destroy: async ({ tx }, uid) => void (await tx.run(deleteInteraction, [tokenHash(uid)])),
  },

  // A grant is a row of `sessions`, written together with its code.
  Grant: {
    find: ({ presented, issuer, client }, id) =>
      presented?.grant.id === id
        ? grantPayload(presented.grant, [issuer.url, ...(client?.resources ?? [])])
        : undefined,
    async destroy(context, id) {
      const { tx, clock, presented } = context
      if (presented?.grant.id !== id) throw new Error('The engine revokes a grant whose token was not presented')
      context.outcome.isReplayed = true
      await revokeReplayedGrant(tx, clock, presented)
    },
  },

  AuthorizationCode: {
    async upsert({ tx, clock, session, issuer, outcome }, code, payload, ttl) {
      const client = requireClient()
      if (!session) throw new Error('The engine issues a code without a session')
      const grantId = payload.grantId as GrantId
      const scopes = String(payload.scope ?? '')
        .split(' ')
        .filter(Boolean)
      const given = await createGrant(tx, clock, {
        id: grantId,
        client,
        session,
        issuer: issuer.path,
        scopes,
        code: { kind: 'AuthorizationCode', hash: tokenHash(code), payload, lifetime: ttl },
      })
      if (!given) throw new errors.ConsentRequired('the user has withdrawn the consent')
      Object.assign(outcome, { grantId, scopes })
    },
    find: findPresented,
    consume: consumePresented,
  },

  RefreshToken: {
    // `writeTokenUse` stores the token, because the engine saves it before the whole request is verified.
    // The engine binds only tokens of public clients to the key of the proof; here every token of a request with a proof is bound.
    upsert: async ({ outcome }, token, payload, ttl) => {
      outcome.refreshToken = { token, payload: outcome.jkt ? { ...payload, jkt: outcome.jkt } : payload, ttl }
    },
    find: findPresented,
    consume: consumePresented,
    // The used token remains stored, so that further reuse is detected; its grant was revoked.
    destroy: async () => {},
  },

  AccessToken: {},

  // Stores the pushed parameters: the authorization request continues with them.
  PushedAuthorizationRequest: {
    async upsert({ tx, clock, issuer, pushedParameters }, id, { dpopJkt }, ttl) {
      const client = requireClient()
      const parameters = new URLSearchParams(pushedParameters)
      if (typeof dpopJkt === 'string') parameters.set('dpop_jkt', dpopJkt)
      await tx.run(insertPushed, {
        hash: tokenHash(id),
        applicationId: client.id,
        generation: client.generation,
        issuer: issuer.path,
        parameters: parameters.toString(),
        now: clock.now(),
        expiresAt: fromNow(clock, ttl * SECOND),
      })
    },
  },

  DeviceCode: {
    async upsert({ tx, clock, issuer, outcome, origin }, deviceCode, payload, ttl) {
      const client = requireClient()
      const [made] = await tx.run(insertDevice, {
        hash: tokenHash(deviceCode),
        userCodeHash: tokenHash(String(payload.userCode)),
        applicationId: client.id,
        generation: client.generation,
        issuer: issuer.path,
        payload: withoutUserCode(payload),
        ip: origin?.ip ?? null,
        userAgent: origin?.userAgent ?? null,
        pollInterval: LIFETIMES.devicePoll,
        now: clock.now(),
        expiresAt: fromNow(clock, ttl * SECOND),
      })
      outcome.isUserCodeTaken = !made
    },
    find: (context, deviceCode) => findPresented(context, deviceCode) ?? findPendingDevice(context, deviceCode),
    consume: async (context, deviceCode) => {
      if (context.presented) await consumePresented(context, deviceCode)
    },
  },

  ReplayDetection: {
    // The engine calls `find` before `upsert`. The insert of the second concurrent request fails.
    async upsert({ tx, clock }, id, _payload, ttl) {
      if (!(await useProof(tx, id, fromNow(clock, ttl * SECOND))))
        throw new errors.InvalidRequest('the proof was already used')
    },
    find: async ({ tx }, id) => ((await isProofUsed(tx, id)) ? { jti: id, kind: 'ReplayDetection' } : undefined),
  },
}

/** Returns the engine's representation of a grant: its scopes apply to the user's claims and to each resource. */
export const grantPayload = ({ id, userId, scopes, claims, clientId }: EngineGrant, resources: string[]): Payload => ({
  jti: id,
  kind: 'Grant',
  accountId: userId,
  clientId,
  openid: { scope: scopes.join(' '), claims },
  resources: Object.fromEntries(resources.map((resource) => [resource, scopes.join(' ')])),
})

function findPresented({ presented, clock }: EngineContext, token: string): Payload | undefined {
  if (!presented || presented.token !== token) return undefined
  const { payload, expiresAt, consumedAt } = presented
  return {
    ...payload,
    jti: token,
    // The engine checks the expiry before it checks for reuse, so a used token must not appear expired.
    exp: consumedAt ? Math.ceil(clock.ms() / SECOND) + 1 : Math.floor(expiresAt.getTime() / SECOND),
    ...(consumedAt && { consumed: Math.floor(consumedAt.getTime() / SECOND) }),
  }
}

/** Returns a device code without a grant: expired, denied or pending. */
function findPendingDevice({ pendingDevice, clock, outcome }: EngineContext, deviceCode: string): Payload | undefined {
  if (pendingDevice?.deviceCode !== deviceCode) return undefined
  const { payload, expiresAt, isRejected, wasNotified } = pendingDevice
  outcome.wasNotified = wasNotified
  const isOver = expiresAt.getTime() <= clock.ms()
  return {
    ...payload,
    jti: deviceCode,
    exp: Math.floor(expiresAt.getTime() / SECOND),
    ...(isRejected && !isOver && { error: 'access_denied', errorDescription: 'the user denied the request' }),
  }
}

/** Marks the token as used. Its row is locked since it was read, so `writeTokenUse` can write it at the end of the run. */
async function consumePresented({ presented, outcome }: EngineContext, token: string): Promise<void> {
  if (presented?.token !== token) throw new Error('The engine consumes a token that was not presented')
  outcome.isConsumed = true
}

/** The engine creates one instance for each of its models. */
export class EngineAdapter {
  readonly #model
  constructor(readonly name: string) {
    this.#model = MODELS[name] ?? {}
  }
  async upsert(id: string, payload: Payload, ttl: number): Promise<void> {
    if (!this.#model.upsert) throw new Error(`The engine model ${this.name} has no storage`)
    await this.#model.upsert(engineContext(), id, payload, ttl)
  }
  async find(id: string): Promise<Payload | undefined> {
    return this.#model.find?.(engineContext(), id)
  }
  async consume(id: string): Promise<void> {
    await this.#model.consume?.(engineContext(), id)
  }
  async destroy(id: string): Promise<void> {
    await this.#model.destroy?.(engineContext(), id)
  }
  // Tokens are verified together with their grant, so revoking the grant is enough.
  async revokeByGrantId(): Promise<void> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

/** Returns an ID for a new grant. */
export const newGrantId = ({ clock }: EngineContext): GrantId => uuidv7<GrantId>(clock)
