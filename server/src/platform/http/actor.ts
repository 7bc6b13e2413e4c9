import type { SessionId, TeamId, UserId } from '../ids.js'

/** Where a request came from: kept on sessions and in every audit entry. */
export interface RequestOrigin {
  /** The socket's address, or what a configured proxy says of it. */
  ip: string | null
  userAgent: string | null
  requestId: string
}

/** Why a session may for now do little else than mend the reason. */
export type Restriction = 'password_change' | 'mfa_enrollment'

/** Who asks: made by the one authentication hook from the session row joined with its user, membership and team. */
export interface Actor {
  userId: UserId
  teamId: TeamId
  sessionId: SessionId
  /** The role stored with the membership in `teamId`. */
  role: string
  permissions: ReadonlySet<string>
  instanceAdmin: boolean
  /** Set when the session was opened by what one team controls: it opens nothing else. */
  confinedTo: TeamId | null
  authenticatedAt: Date
  restriction: Restriction | null
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
  team: { name: string; slug: string }
  session: { method: string; mustChangePassword: boolean }
  mfa: { required: boolean; graceEndsAt: Date | null }
  origin: RequestOrigin
}

/** What the hook needs to know of a request to authenticate it. */
export interface Credentials {
  bearer: string
  /** The team that the path names (`/organizations/{orgId}…`); it wins over the header. */
  teamInPath: string | undefined
  /** The header `x-org-id`. */
  teamInHeader: string | undefined
  origin: RequestOrigin
}

export type Authenticate = (credentials: Credentials) => Promise<Actor>
