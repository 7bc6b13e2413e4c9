import { fromNow, SECOND } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, GrantId } from '../../../platform/ids.js'
import { endGrant } from '../../sessions/index.js'
import { LIFETIMES } from '../model/lifetimes.js'
import { isProofUsed, useProof } from '../model/used-proofs.js'
import { createGrant } from './create-grant.js'
import { metadataOf } from './engine-client.js'
import { type EngineContext, type EngineGrant, engineContext } from './engine-context.js'
import { errors } from './engine-library.js'
import { withoutToken } from './write-token-use.js'

type Payload = Record<string, unknown>

const upsertInteraction = namedQuery<
  never,
  [Buffer, ApplicationId, number, string, Buffer | null, Payload, Date, Date]
>(
  'oidc_provider.upsert_interaction',
  `INSERT INTO interactions (hash, application_id, generation, issuer, browser_hash, payload, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
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

const insertPushed = namedQuery<never, [Buffer, ApplicationId, number, string, string, Date, Date]>(
  'oidc_provider.insert_pushed_request',
  'INSERT INTO pushed_requests (hash, application_id, generation, issuer, parameters, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
)

const insertDevice = namedQuery<
  { hash: Buffer },
  [Buffer, Buffer, ApplicationId, number, string, Payload, string | null, string | null, number, Date, Date]
>(
  'oidc_provider.insert_device',
  `INSERT INTO device_codes (hash, user_code_hash, application_id, generation, issuer, payload, ip_address, user_agent, poll_interval, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (user_code_hash) DO NOTHING RETURNING hash`,
)

const requireClient = ({ client }: EngineContext) => {
  if (!client) throw new Error('The engine stores something for nobody')
  return client
}

/** The engine notes where a request goes on too, and that address ends with its uid. */
const withoutUid = ({ returnTo: _address, ...payload }: Payload): Payload => withoutToken(payload)

/** The code that a person types is found by its hash as well; from where the device asks stands in columns. */
const withoutUserCode = ({ userCode: _code, deviceInfo: _info, ...payload }: Payload): Payload => withoutToken(payload)

/** How the engine keeps what it makes, for each of its models. What is not here it may not keep. */
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
        ? metadataOf(context.client, context.trusted ?? false, context.idTokenAlgorithm)
        : undefined,
  },

  // The engine's own session is a shadow of ours: it is made from it for each run, and what the engine writes into it is dropped.
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
      context.outcome.interaction = uid
      const client = requireClient(context)
      await tx.run(upsertInteraction, [
        tokenHash(uid),
        client.id,
        client.generation,
        issuer.path,
        browserHash ?? null,
        withoutUid(payload),
        clock.now(),
        fromNow(clock, ttl * SECOND),
      ])
    },
    // In a run for nobody there is none: the engine takes away what it finds before it asks whose it is.
    async find({ tx, clock, client }, uid) {
      const [row] = client ? await tx.run(findInteraction, [tokenHash(uid), clock.now(), client.id]) : []
      return row && { ...row.payload, jti: uid }
    },
    destroy: async ({ tx }, uid) => void (await tx.run(deleteInteraction, [tokenHash(uid)])),
  },

  // A grant is a row of `sessions`, written with the code that stands for it.
  Grant: {
    find: ({ presented, issuer, client }, id) =>
      presented?.grant.id === id
        ? grantPayload(presented.grant, [issuer.url, ...(client?.resources ?? [])])
        : undefined,
    async destroy(context, id) {
      const { tx, clock, presented } = context
      if (presented?.grant.id !== id) throw new Error('The engine ends a grant that was not presented')
      context.outcome.replayed = true
      await endGrant(
        tx,
        clock,
        presented.grant.id,
        presented.kind === 'RefreshToken' ? 'refresh_reused' : 'code_replayed',
      )
    },
  },

  AuthorizationCode: {
    async upsert(context, code, payload, ttl) {
      const { tx, clock, session, issuer, outcome } = context
      const client = requireClient(context)
      if (!session) throw new Error('A code is given in a session alone')
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
        by: { kind: 'AuthorizationCode', hash: tokenHash(code), payload, lifetime: ttl },
      })
      if (!given) throw new errors.ConsentRequired('the user took back what they had allowed')
      Object.assign(outcome, { grantId, scopes })
    },
    find: findPresented,
    consume: consumePresented,
  },

  RefreshToken: {
    // Written by `writeTokenUse`: the engine saves it before it has judged the whole request.
    // The engine binds those of public clients to the key of the proof; here whoever brings a proof is held to it.
    upsert: async ({ outcome }, token, payload, ttl) => {
      outcome.refreshToken = { token, payload: outcome.jkt ? { ...payload, jkt: outcome.jkt } : payload, ttl }
    },
    find: findPresented,
    consume: consumePresented,
    // It stays, used, so that a third presentation is known for what it is; its grant has ended.
    destroy: async () => {},
  },

  AccessToken: {},

  // What is kept is the request as it was pushed: an authorize request brings it back as if it had been sent.
  PushedAuthorizationRequest: {
    async upsert(context, id, { dpopJkt }, ttl) {
      const { tx, clock, issuer, pushed = '' } = context
      const client = requireClient(context)
      const parameters = new URLSearchParams(pushed)
      if (typeof dpopJkt === 'string') parameters.set('dpop_jkt', dpopJkt)
      await tx.run(insertPushed, [
        tokenHash(id),
        client.id,
        client.generation,
        issuer.path,
        parameters.toString(),
        clock.now(),
        fromNow(clock, ttl * SECOND),
      ])
    },
  },

  DeviceCode: {
    async upsert(context, deviceCode, payload, ttl) {
      const { tx, clock, issuer, outcome, from } = context
      const client = requireClient(context)
      const [made] = await tx.run(insertDevice, [
        tokenHash(deviceCode),
        tokenHash(String(payload.userCode)),
        client.id,
        client.generation,
        issuer.path,
        withoutUserCode(payload),
        from?.ip ?? null,
        from?.userAgent ?? null,
        LIFETIMES.devicePoll,
        clock.now(),
        fromNow(clock, ttl * SECOND),
      ])
      outcome.userCodeTaken = !made
    },
    find: (context, deviceCode) => findPresented(context, deviceCode) ?? findWaitingDevice(context, deviceCode),
    consume: async (context, deviceCode) => {
      if (context.presented) await consumePresented(context, deviceCode)
    },
  },

  ReplayDetection: {
    // The engine looks before it writes; of two at once the second write finds the first.
    async upsert({ tx, clock }, id, _payload, ttl) {
      if (!(await useProof(tx, id, fromNow(clock, ttl * SECOND)))) throw new errors.InvalidRequest('the proof was used')
    },
    find: async ({ tx }, id) => ((await isProofUsed(tx, id)) ? { jti: id, kind: 'ReplayDetection' } : undefined),
  },
}

/** The engine's form of a grant: the scopes count for the person's claims, and for the resources that they open. */
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
    // The engine would call a used token too old before it saw that it was used.
    exp: consumedAt ? Math.ceil(clock.ms() / SECOND) + 1 : Math.floor(expiresAt.getTime() / SECOND),
    ...(consumedAt && { consumed: Math.floor(consumedAt.getTime() / SECOND) }),
  }
}

/** A device that nobody has let in, as the engine judges it: too old, refused, or waiting. */
function findWaitingDevice({ waitingDevice, clock, outcome }: EngineContext, deviceCode: string): Payload | undefined {
  if (waitingDevice?.deviceCode !== deviceCode) return undefined
  const { payload, expiresAt, rejected, wasNotified } = waitingDevice
  outcome.wasNotified = wasNotified
  const isOver = expiresAt.getTime() <= clock.ms()
  return {
    ...payload,
    jti: deviceCode,
    exp: Math.floor(expiresAt.getTime() / SECOND),
    ...(rejected && !isOver && { error: 'access_denied', errorDescription: 'the request was refused' }),
  }
}

/** Notes that the token is used up. Its row is locked since it was read, and so `writeTokenUse` may write it at the end of the run. */
async function consumePresented({ presented, outcome }: EngineContext, token: string): Promise<void> {
  if (presented?.token !== token) throw new Error('The engine uses up a token that was not presented')
  outcome.used = true
}

/** The class that the engine makes for each of its models. */
export class EngineAdapter {
  readonly #model
  constructor(readonly name: string) {
    this.#model = MODELS[name] ?? {}
  }
  async upsert(id: string, payload: Payload, ttl: number): Promise<void> {
    if (!this.#model.upsert) throw new Error(`${this.name} is not kept`)
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
  // Whatever hangs on a grant is judged together with it, so that there is nothing to take away one by one.
  async revokeByGrantId(): Promise<void> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

/** An id for a grant that is about to be given. */
export const newGrantId = ({ clock }: EngineContext): GrantId => uuidv7<GrantId>(clock)
