/**
 * The answers of the service that these pages read. Written by hand until the service's OpenAPI document exists;
 * `npm run generate` then makes `schema.gen.ts`, and these names become aliases of its types.
 */
export interface SessionUser {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
}

export interface SessionTeam {
  id: string
  name: string
  slug: string
  role: string
}

/** What a proof by mail removed from an account that somebody had registered without proving the address. */
export interface Cleaned {
  passwordRemoved: boolean
  sessionsEnded: number
  disownToken: string
}

export interface OpenSession {
  accessToken: string
  /** seconds */
  expiresIn: number
  user: SessionUser
  team?: SessionTeam | null
  mfaRequired?: false
  mustChangePassword?: boolean
  cleaned?: Cleaned
}

/** A right password of an account that has a second factor: no tokens yet. */
export interface Challenge {
  mfaRequired: true
  mfaToken: string
}

export type SessionAnswer = OpenSession | Challenge

export interface Me {
  user: SessionUser
  team: SessionTeam | null
  permissions: string[]
  emailVerified: boolean
  instanceAdmin: boolean
  mfa: { enabled: boolean; required: boolean; graceEndsAt: string | null }
  mustChangePassword: boolean
  hasPassword: boolean
  authenticatedAt: string
  session: { id: string; method: string; confined: boolean }
}

export interface SignedInDevice {
  id: string
  current: boolean
  method: string
  ipAddress: string | null
  userAgent: string | null
  device: string
  createdAt: string
  lastSeenAt: string
  team: { id: string; name: string } | null
}

export interface Team {
  id: string
  name: string
  slug: string
  role?: string
}

export interface PasswordPolicy {
  minLength: number
  requireUppercase: boolean
  requireLowercase: boolean
  requireNumbers: boolean
  requireSymbols: boolean
}

export interface Boot {
  instance: {
    name: string
    logoUrl: string | null
    primaryColor: string
    customLoginConfig: Record<string, unknown> | null
  }
  onboarded: boolean
  setupSecretRequired: boolean
  signUpAllowed: boolean
  methods: { password: boolean; magicLink: boolean; passkey: boolean }
  frontendUrl: string
  mail: { mode: 'smtp' | 'outbox'; outbox?: string }
  passwordPolicy: PasswordPolicy
  /** The identity provider's cookie came with the request for this page: a refresh is worth trying. */
  hasSession: boolean
  team?: { name: string; logoUrl?: string | null } | null
  application?: { name: string; logoUrl?: string | null } | null
  loginHint?: string | null
}
