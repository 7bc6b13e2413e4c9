import type { ApiTokenId, ScimTokenId, SessionId, TeamId, UserId } from '../ids.js'

/** The origin of a request: stored with sessions and in every audit entry. */
export interface RequestOrigin {
  /** The IP address of the socket, or the one that a trusted proxy reports. */
  ip: string | null
  userAgent: string | null
  requestId: string
  /** The API token of the request, which is part of the origin so that every audit entry has it. */
  apiTokenId?: ApiTokenId | undefined
  /** Like `apiTokenId`, for a SCIM token. */
  scimTokenId?: ScimTokenId | undefined
}

/** The origin of an act of the operator with the command line, which audit entries record without a user. */
export const COMMAND_LINE_ORIGIN: RequestOrigin = { ip: null, userAgent: null, requestId: 'command_line' }
/** The operator as the author of an audit entry in the log of the instance. */
export const BY_OPERATOR = { userId: null, teamId: null, origin: COMMAND_LINE_ORIGIN }

/** Returns the origin without IP address and browser, for the log of a team that must not learn where the user is. */
export const withoutLocation = ({ requestId }: RequestOrigin): RequestOrigin => ({
  ip: null,
  userAgent: null,
  requestId,
})

/** Requirements of the request's team alone: a new password, a factor, a sign-in that meets the rules of the team. */
export const TEAM_RESTRICTIONS = ['team_password_change', 'team_mfa_enrollment', 'team_sign_in'] as const
/** The reasons why a session is restricted to the routes that meet the requirement. */
export const RESTRICTIONS = ['password_change', 'mfa_enrollment', ...TEAM_RESTRICTIONS] as const
export type Restriction = (typeof RESTRICTIONS)[number]

/** The part of the caller that a session and an API token have in common. */
interface Caller {
  /** For a token: its creator. */
  userId: UserId
  teamId: TeamId
  /** The role stored with the user's membership in `teamId`. */
  role: string
  /** For a token: those of its scopes that its creator's role still has. */
  permissions: ReadonlySet<string>
  /** Read together with the session, for responses that include it. */
  user: {
    email: string
    firstName: string | null
    lastName: string | null
    /** The names of the user's own profile. */
    own: { firstName: string | null; lastName: string | null }
    emailVerified: boolean
    hasPassword: boolean
  }
  team: {
    name: string
    slug: string
    /** ACTIVE or SUSPENDED. */
    status: string
    /** Incremented with each change of the team's policies. Read with the session, so that no outdated compiled policy is used. */
    policyVersion: number
  }
  origin: RequestOrigin
  /** When the request was authenticated. */
  receivedAt: Date
}

/** A user in a session: created by the authentication hook from the session row joined with its user, membership and team. */
export interface SessionActor extends Caller {
  via: 'session'
  sessionId: SessionId
  instanceAdmin: boolean
  /** Set if a method that one team controls created the session, which then has no access to other teams. */
  restrictedToTeam: TeamId | null
  /** The account has unrestricted factors and the session has verified none: it acts in its team, not on the account. */
  lacksAccountFactor: boolean
  authenticatedAt: Date
  restriction: Restriction | null
  session: { method: string; mustChangePassword: boolean }
  /** Whether the account has a factor, and what the instance requires. */
  mfa: { enabled: boolean; required: boolean; graceEndsAt: Date | null }
}

/** A client with an API token of a team. It never administers the instance and has no access to other teams. */
export interface TokenActor extends Caller {
  via: 'api-token'
  apiTokenId: ApiTokenId
  instanceAdmin: false
  restrictedToTeam: TeamId
}

/** The caller. `via === 'session'` narrows it to a session (`requireSession` of permissions). */
export type Actor = SessionActor | TokenActor

/**
 * A SCIM client with a token of a team. It can call only the SCIM routes, with the permissions that the creator of the token had
 * then and still has.
 */
export interface ScimActor {
  via: 'scim-token'
  scimTokenId: ScimTokenId
  /** No user acts. */
  userId: null
  /** The user who created the token. */
  createdBy: UserId
  teamId: TeamId
  permissions: ReadonlySet<string>
  /** The ID against which the limits of concurrent requests count: of the user who created the team, where that is known. */
  limitKey: string
  /** The reference to the team in the client's URLs. */
  orgRef: string
  origin: RequestOrigin
}

/** Authenticates a SCIM token for the team in the path. */
export type AuthenticateScim = (credentials: {
  token: string
  orgRef: string
  origin: RequestOrigin
}) => Promise<ScimActor>

/** The credentials of a request. */
export interface Credentials {
  token: string
  /** The header of the token: `x-api-token` accepts API tokens only. */
  header: 'authorization' | 'x-api-token'
  /** The team in the path (`/organizations/{orgId}…`), which takes precedence over the header. */
  teamInPath: string | undefined
  /** The header `x-org-id`. */
  teamInHeader: string | undefined
  origin: RequestOrigin
}

export type Authenticate<Kind extends Actor = Actor> = (credentials: Credentials) => Promise<Kind>
