import type { components, paths } from './schema.gen'

// Short names for what the service answers. The shapes themselves are generated from its OpenAPI document.
type Schema = components['schemas']
type Read<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } }
}
  ? Answer
  : never

interface Asker {
  name: string
  logoUrl?: string | null
}

/** With who asks for the sign-in, which the service fills in from the version on that has applications. */
export type Boot = Schema['Boot'] & { team?: Asker; application?: Asker; loginHint?: string }
export type PasswordPolicy = Boot['passwordPolicy']
export type SessionUser = Schema['SessionUser']
export type SessionTeam = Schema['SessionTeam']
export type Team = Schema['Team']
export type Me = Read<'/api/v1/auth/me'>
export type SignedInDevice = Read<'/api/v1/auth/sessions'>['data'][number]

/** The answer of every way of signing in: a session, or the challenge for a second factor. */
export type SessionAnswer = Schema['Session']

export type OpenSession = SessionAnswer & Required<Pick<SessionAnswer, 'accessToken' | 'expiresIn' | 'user'>>

/** What a proof by mail removed from an account that somebody had registered without proving the address. */
export type Cleaned = NonNullable<SessionAnswer['cleaned']>

/** False for a right password of an account whose second factor is still due: there are no tokens yet. */
export function isOpen(answer: SessionAnswer): answer is OpenSession {
  return answer.accessToken !== undefined && answer.expiresIn !== undefined && answer.user !== undefined
}
