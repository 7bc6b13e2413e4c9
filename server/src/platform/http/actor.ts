import type { ApiTokenId, ScimTokenId, SessionId, TeamId, UserId } from '../ids.js'

/** Where a request came from: kept on sessions and in every audit entry. */
export interface RequestOrigin {
  /** The socket's address, or what a configured proxy says of it. */
  ip: string | null
  userAgent: string | null
  requestId: string
  /** The API token that carried the request: with the origin it comes into every audit entry, by whatever way. */
  apiTokenId?: ApiTokenId | undefined
  /** The same of a SCIM token. */
  scimTokenId?: ScimTokenId | undefined
}

/** The origin without address and browser, for the log of a team that must not learn where the user is. */
export const withoutPlace = ({ requestId }: RequestOrigin): RequestOrigin => ({ ip: null, userAgent: null, requestId })

/** What is due in the team of the request alone: a new password, a second factor, a sign-in by the rules of the team. */
export const DUE_IN_TEAM = ['team_password_change', 'team_mfa_enrollment', 'team_sign_in'] as const
/** Why a session can do little else than fulfill what is due, until it has. */
export const RESTRICTIONS = ['password_change', 'mfa_enrollment', ...DUE_IN_TEAM] as const
export type Restriction = (typeof RESTRICTIONS)[number]

/** Who asks, as far as it is the same for a person in a session and for a program with an API token of that person. */
interface Caller {
  /** Of a token: who made it. */
  userId: UserId
  teamId: TeamId
  /** The role stored with the user's membership in `teamId`. */
  role: string
  /** Of a token: those of its scopes that its maker's role still has. */
  permissions: ReadonlySet<string>
  /** What the same read brought along, for answers that show it. */
  user: {
    email: string
    firstName: string | null
    lastName: string | null
    /** The user's own names, whatever the team writes. */
    own: { firstName: string | null; lastName: string | null }
    emailVerified: boolean
    hasPassword: boolean
  }
  team: {
    name: string
    slug: string
    /** ACTIVE or SUSPENDED. */
    status: string
    /** Counts the changes of the team's policies; read with the session, so that no older compiled policy decides. */
    policyVersion: number
  }
  origin: RequestOrigin
}

/** A person in a session: made by the one authentication hook from the session row joined with its user, membership and team. */
export interface SessionActor extends Caller {
  via: 'session'
  sessionId: SessionId
  instanceAdmin: boolean
  /** Set when the session was opened by what one team controls: it opens nothing else. */
  restrictedToTeam: TeamId | null
  /** The account has unrestricted second factors and the session has verified none: it acts in its team, and not on the account. */
  lacksAccountFactor: boolean
  authenticatedAt: Date
  restriction: Restriction | null
  session: { method: string; mustChangePassword: boolean }
  /** Whether the account has a second factor, and what the instance asks for. */
  mfa: { enabled: boolean; required: boolean; graceEndsAt: Date | null }
}

/** A program with an API token of a team. It never administers the instance and opens no other team. */
export interface TokenActor extends Caller {
  via: 'api-token'
  apiTokenId: ApiTokenId
  instanceAdmin: false
  restrictedToTeam: TeamId
}

/** Who asks. What only a person in a session has stands behind `via === 'session'` (`requireSession` of access). */
export type Actor = SessionActor | TokenActor

/**
 * A directory with a SCIM token of a team. It calls the routes of SCIM and no other, and acts with the permissions that whoever made
 * the token had then and still has.
 */
export interface ScimActor {
  via: 'scim-token'
  scimTokenId: ScimTokenId
  /** It is nobody in person. */
  userId: null
  /** The user who created the token. */
  createdBy: UserId
  teamId: TeamId
  permissions: ReadonlySet<string>
  /** The ID against which the limits of concurrent requests count: of the user who created the team, where that is known. */
  limitKey: string
  /** What the directory calls the team in its addresses. */
  orgRef: string
  origin: RequestOrigin
}

/** Opens the routes of SCIM: who the token stands for, in the team that the path names. */
export type AuthenticateScim = (credentials: {
  token: string
  orgRef: string
  origin: RequestOrigin
}) => Promise<ScimActor>

/** What the hook needs to know of a request to authenticate it. */
export interface Credentials {
  token: string
  /** The header that it came by: `x-api-token` carries API tokens alone. */
  header: 'authorization' | 'x-api-token'
  /** The team that the path names (`/organizations/{orgId}…`); it wins over the header. */
  teamInPath: string | undefined
  /** The header `x-org-id`. */
  teamInHeader: string | undefined
  origin: RequestOrigin
}

export type Authenticate<Kind extends Actor = Actor> = (credentials: Credentials) => Promise<Kind>
