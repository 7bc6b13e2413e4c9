import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../../../platform/clock.js'
import type { ServerKey } from '../../../platform/crypto/key-ring.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, GrantId, SessionId, UserId } from '../../../platform/ids.js'
import type { UserAttributes } from '../../oidc-config/index.js'
import type { CountedRefresh } from '../../sessions/index.js'
import type { Client } from '../model/client.js'

/** The session of the browser, or of the caller that confirms an interaction. */
export interface EngineSession {
  id: SessionId
  userId: UserId
  authenticatedAt: Date
  amr: string[]
  /** The sign-in method of the session. */
  method: string
  /** The role of its user in the application's team. */
  role: string
  /** Whether the session has passed the sign-in policies of that team. */
  hasPassedSignInPolicies: boolean
  /** Whether the user has factors that only that team requires, and the session has verified none of them. */
  isFactorDue: boolean
  /** The session is restricted to the team. */
  isRestricted: boolean
  /** The user's own password is older than the application's team allows. */
  isPasswordDue: boolean
  /** Whether its user may use the requesting application. */
  mayUse: boolean
  userAttributes: UserAttributes
  /**
   * The user has no confirmed membership in the application's team and the session is not restricted to it: nothing about the user is
   * disclosed to the team. A user who may use the application gets the consent page, and consent confirms the membership.
   */
  isMembershipUnconfirmed: boolean
  /** The user's consent so far. */
  consent: { scopes: string[]; claims: string[] }
}

/** The grant of a user to a client. */
export interface EngineGrant {
  id: GrantId
  userId: UserId
  scopes: string[]
  claims: string[]
  clientId: string
}

/** A presented code, refresh token or approved device code with its grant, read before the request is verified. */
export interface PresentedToken {
  kind: 'AuthorizationCode' | 'RefreshToken' | 'DeviceCode'
  token: string
  payload: Record<string, unknown>
  expiresAt: Date
  consumedAt: Date | null
  /** The key that derives its successor: the key of its first use, otherwise the current key. */
  successorKey: ServerKey
  /** `endsAt`: its absolute end. */
  grant: EngineGrant & { endsAt: Date }
  userAttributes: UserAttributes
}

/** The subject token of a token exchange (RFC 8693 2.1): the access token of a user, which an agent presents. */
export interface ExchangedSubject {
  token: {
    claims: Record<string, unknown>
    /** Seconds since the epoch. */
    exp: number
    scopes: string[]
    applicationId: ApplicationId
    grantId: GrantId
    userAttributes: UserAttributes
  }
  /** The user may use the agent and has not withdrawn the consent. */
  isAllowed: boolean
  amr: string[]
  authenticatedAt: Date
  /** The grants, and the SHA-256 of the `jti` of the access tokens, that the new token depends on. Revoking any of them revokes it. */
  grants: GrantId[]
  tokens: Buffer[]
}

/** A device code without a grant: pending, denied or expired. */
export interface PendingDevice {
  hash: Buffer
  deviceCode: string
  applicationId: ApplicationId
  /** Path of the requested issuer. */
  issuer: string
  payload: Record<string, unknown>
  /** The user denied the request, or the tokens of the application were revoked since. */
  isRejected: boolean
  polledAt: Date | null
  /** Minimum interval between two polls, in seconds. */
  pollInterval: number
  /** The device was already notified of the denial or expiry. */
  wasNotified: boolean
  expiresAt: Date
}

/** The data of one request that the caller of the engine has read or verified. */
export interface EngineInput {
  /** The client needs no credentials, because an administrator tests the application. */
  skipsClientAuthentication?: boolean
  /** The scopes of the authorization request. */
  requestedScope?: string | undefined
  session?: EngineSession | undefined
  presented?: PresentedToken | undefined
  pendingDevice?: PendingDevice | undefined
  /** The subject token of a token exchange. */
  subjectToken?: ExchangedSubject | undefined
  /** The form to store as a pushed request. */
  pushedParameters?: string | undefined
  /** The origin of a token request or of a device's request. */
  origin?: RequestOrigin
  /** SHA-256 of the browser's cookie, stored with a new interaction. */
  browserHash?: Buffer
  /** The consent that the user has just given. */
  newConsent?: { scopes: string[]; claims: string[] } | undefined
}

/**
 * The context of one run of the engine. The engine knows no transactions and teams: its adapter and hooks read them here.
 */
export interface EngineContext extends EngineInput {
  tx: Transaction
  clock: Clock
  issuer: { path: string; url: string }
  /** The only client that this run can find; undefined if the client is unknown. */
  client: Client | undefined
  /** The algorithm of the issuer's ID tokens. */
  idTokenAlgorithm: string
  /** The results of the run. */
  outcome: EngineOutcome
}

/** An authorization response for the redirect URI (OAuth 2.0 Form Post Response Mode 2). */
export interface FormResponse {
  redirectUri: string
  fields: Record<string, string>
}

export interface EngineOutcome {
  /** The response of a request with `response_mode=form_post`. */
  form?: FormResponse
  grantId?: GrantId
  scopes?: string[]
  /** The presented code or refresh token was already used. */
  isReplayed?: boolean
  /** The presented token was consumed. */
  isConsumed?: boolean
  /** The count of the refresh, or of the code exchange. */
  counted?: CountedRefresh | undefined
  /** The new refresh token. */
  refreshToken?: { token: string; payload: Record<string, unknown>; ttl: number }
  /** The uid of a new interaction. */
  interactionUid?: string
  /** The new access token. */
  accessToken?: string
  /** Thumbprint of the key that it is bound to (RFC 9449 6.1). */
  jkt?: string | undefined
  /** The device was already notified of the denial or expiry. */
  wasNotified?: boolean
  /** The random user code already exists: the run is repeated. */
  isUserCodeTaken?: boolean
  /** The error of the client assertion. */
  clientError?: string | undefined
  /** An internal error of the engine: the run is rolled back and the error is thrown. */
  internalError?: unknown
}

const contexts = new AsyncLocalStorage<EngineContext>()

export const withEngineContext = <T>(context: EngineContext, work: () => T): T => contexts.run(context, work)

export function engineContext(): EngineContext {
  const context = contexts.getStore()
  if (!context) throw new Error('The engine runs only inside runEngine')
  return context
}

/** Returns the client of the run. @throws for an unknown client, which the engine rejects before it needs its data */
export function requireClient(): Client {
  const { client } = engineContext()
  if (!client) throw new Error('No client in the engine context')
  return client
}
