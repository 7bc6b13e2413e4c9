import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../../../platform/clock.js'
import type { ServerKey } from '../../../platform/crypto/key-ring.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, GrantId, SessionId, TeamId, UserId } from '../../../platform/ids.js'
import type { Person } from '../../oidc-config/index.js'
import type { Client } from '../model/client.js'

/** The session that the browser (or the Bearer of a confirmation) has, as far as the engine may know of it. */
export interface EngineSession {
  id: SessionId
  userId: UserId
  authenticatedAt: Date
  amr: string[]
  /** How the session was opened. */
  method: string
  /** The role of its user in the application's team. */
  role: string
  /** Whether the rules of sign-in of that team were asked for the session. */
  admitted: boolean
  /** Whether that team has second factors of its own, of which the session has verified none. */
  factorDue: boolean
  /** It is restricted to the team. */
  restricted: boolean
  /** The user's own password is older than the application's team allows. */
  passwordDue: boolean
  /** Whether its user may use the application that asks. */
  mayUse: boolean
  person: Person
  /**
   * The user has no confirmed membership in the application's team and the session is not restricted to it: the team learns nothing of the
   * user. A user who may use the application gets the consent page, and consent confirms the membership.
   */
  unconfirmed: boolean
  /** What the user has allowed the application so far. */
  consent: { scopes: string[]; claims: string[] }
}

/** What a user allowed a client, as the engine reads it. */
export interface EngineGrant {
  id: GrantId
  userId: UserId
  scopes: string[]
  claims: string[]
  clientId: string
}

/** A code, a refresh token or an answered device code that was presented, with the grant behind it: read, and locked, before the engine runs. */
export interface PresentedToken {
  kind: 'AuthorizationCode' | 'RefreshToken' | 'DeviceCode'
  token: string
  payload: Record<string, unknown>
  expiresAt: Date
  consumedAt: Date | null
  /** The key that derives its successor: that of its first use, else the one in use now. */
  successorKey: ServerKey
  /** `endsAt`: its absolute end. */
  grant: EngineGrant & { endsAt: Date }
  person: Person
}

/** The token of a user that an agent brings to get one of its own for it (RFC 8693 2.1), with what stands behind it. */
export interface ExchangedSubject {
  token: {
    claims: Record<string, unknown>
    /** Seconds since the epoch. */
    exp: number
    scopes: string[]
    applicationId: ApplicationId
    grantId: GrantId
    person: Person
  }
  /** The user may use the agent, and has not taken back what they had allowed it. */
  allowed: boolean
  amr: string[]
  authenticatedAt: Date
  /** Every grant, and by the SHA-256 of its `jti` every access token, that the new one hangs on: if one ends, it does. */
  grants: GrantId[]
  tokens: Buffer[]
}

/** A device that nobody has let in: it waits, was refused, or its time is over. */
export interface WaitingDevice {
  hash: Buffer
  deviceCode: string
  applicationId: ApplicationId
  /** Path of the issuer that it asked. */
  issuer: string
  payload: Record<string, unknown>
  rejected: boolean
  polledAt: Date | null
  /** Seconds that it must leave between two questions. */
  pollInterval: number
  /** It was told before that it is refused or too late. */
  wasNotified: boolean
  expiresAt: Date
}

/**
 * What one run of the engine works on. The engine knows nothing of transactions, teams and tenants: its adapter and its hooks
 * find them here.
 */
export interface EngineContext {
  tx: Transaction
  clock: Clock
  teamId: TeamId
  issuer: { path: string; url: string }
  /** The one client that this run may find, and undefined for an unknown one. */
  client: Client | undefined
  /** The client proved itself by other means than its credentials: an administrator tries it out. */
  trusted?: boolean
  /** The scopes as the authorize request named them. */
  requestedScope?: string | undefined
  /** The algorithm of the issuer's ID tokens. */
  idTokenAlgorithm: string
  session?: EngineSession
  presented?: PresentedToken
  waitingDevice?: WaitingDevice
  /** The user's token that an agent wants to exchange. */
  subject?: ExchangedSubject
  /** What a pushed request is kept as. */
  pushed?: string
  /** From where a device asks. */
  from?: RequestOrigin
  /** SHA-256 of the cookie of the browser that asks, kept with an interaction that begins. */
  browserHash?: Buffer
  /** What the person was just asked, and allowed. */
  allowed?: { scopes: string[]; claims: string[] }
  /** Found out by the run: what it began, gave, used or ended. */
  outcome: EngineOutcome
}

export interface EngineOutcome {
  grantId?: GrantId
  scopes?: string[]
  replayed?: boolean
  /** The presented token is used up. */
  used?: boolean
  /** The refresh token that was made. */
  refreshToken?: { token: string; payload: Record<string, unknown>; ttl: number }
  /** The uid of an interaction that began. */
  interaction?: string
  /** The access token that was made last. */
  accessToken?: string
  /** The key that it is bound to (RFC 9449 6.1). */
  jkt?: string | undefined
  /** A device that waits was told before that it is refused or too late. */
  wasNotified?: boolean
  /** The device's code for a person was taken already: the run is made again. */
  userCodeTaken?: boolean
  /** What broke inside the engine: the run is undone and the error is ours. */
  failure?: unknown
}

const contexts = new AsyncLocalStorage<EngineContext>()

export const withEngineContext = <T>(context: EngineContext, work: () => T): T => contexts.run(context, work)

export function engineContext(): EngineContext {
  const context = contexts.getStore()
  if (!context) throw new Error('The engine runs only inside runEngine')
  return context
}
