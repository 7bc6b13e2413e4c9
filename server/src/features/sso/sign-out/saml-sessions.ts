import { and, eq, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { SessionId } from '../../../platform/ids.js'
import { type LogoutRequest, NAME_ID_FORMATS } from '../../../protocols/saml/index.js'
import { sessions } from '../../sessions/index.js'
import { logoutServicesOf, type Provider } from '../model/provider.js'
import { storedIndex, subjectOf } from '../saml/saml-subject.js'
import { type SamlName, ssoProviders, ssoSessions } from '../tables.js'
import type { KnownBy } from './end-named-sessions.js'

/**
 * Returns the condition for the sessions that a LogoutRequest names. A session without a stored SessionIndex matches every index of its
 * name. A transient NameID is compared with the stored NameID, because the session's subject comes from an attribute.
 */
export const matchesRequest = (
  request: LogoutRequest,
  parties: Parameters<typeof subjectOf>[1],
  { subject, sessionIndex, nameId }: KnownBy,
): SQL | undefined => {
  const { sessionIndexes } = request
  return and(
    request.nameIdFormat === NAME_ID_FORMATS.transient
      ? eq(nameId, request.nameId)
      : eq(subject, subjectOf(request, parties)),
    sessionIndexes.length === 0
      ? undefined
      : or(inArray(sessionIndex, sessionIndexes.map(storedIndex)), isNull(sessionIndex)),
  )
}

/** The names that a SAML provider has for a session that it started. */
export interface NamedSession {
  provider: Provider
  name: SamlName
  sessionIndex: string | null
}

/** Returns the names of a session at its SAML provider; undefined if no SAML provider started it. Runs in the caller's transaction. */
export async function nameOfSession(tx: Transaction, session: SessionId): Promise<NamedSession | undefined> {
  const [row] = await tx
    .select({ provider: ssoProviders, name: ssoSessions.samlName, sessionIndex: ssoSessions.sessionIndex })
    .from(ssoSessions)
    .innerJoin(ssoProviders, eq(ssoProviders.id, ssoSessions.providerId))
    .where(and(eq(ssoSessions.sessionId, session), eq(ssoProviders.protocol, 'SAML2')))
  return row?.name ? { ...row, name: row.name } : undefined
}

/** Whether a SAML provider with a sign-out URL started the session. Runs in the caller's transaction. */
export async function isNotifiedOfEnd(tx: Transaction, session: SessionId): Promise<boolean> {
  const named = await nameOfSession(tx, session)
  return named !== undefined && logoutServicesOf(named.provider) !== undefined
}

/** Whether the session of a browser's cookie has ended. Runs in the caller's transaction. */
export async function isSessionOfCookieEnded(tx: Transaction, ssoToken: string): Promise<boolean> {
  const ofCookie = and(eq(sessions.ssoHash, tokenHash(ssoToken)), isNotNull(sessions.endedAt))
  return (await tx.select({ id: sessions.id }).from(sessions).where(ofCookie)).length > 0
}
