import { and, eq, inArray, isNull, or, type SQL } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { SessionId } from '../../platform/ids.js'
import { type LogoutRequest, NAME_ID_FORMATS } from '../../protocols/saml/index.js'
import type { KnownBy } from './end-named.js'
import type { Provider } from './provider.js'
import { storedIndex, subjectOf } from './saml-subject.js'
import { type SamlName, ssoProviders, ssoSessions } from './tables.js'

/**
 * Whom a provider means by the name and the indexes of its sign-out. A session that it did not number at the sign-in may be any of that
 * name; a NameID that is another one at each sign-in is not what its session is known by here.
 */
export const meantBy = (
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

/** What a provider of SAML calls a session that it opened. */
export interface NamedSession {
  provider: Provider
  name: SamlName
  sessionIndex: string | null
}

/** A step: by what name a provider of SAML knows a session; undefined for a session that none opened. */
export async function nameOfSession(tx: Transaction, session: SessionId): Promise<NamedSession | undefined> {
  const [row] = await tx
    .select({ provider: ssoProviders, name: ssoSessions.samlName, sessionIndex: ssoSessions.sessionIndex })
    .from(ssoSessions)
    .innerJoin(ssoProviders, eq(ssoProviders.id, ssoSessions.providerId))
    .where(and(eq(ssoSessions.sessionId, session), eq(ssoProviders.protocol, 'SAML2')))
  return row?.name ? { ...row, name: row.name } : undefined
}

/** A step: whether the session was opened by a provider of SAML that wants to hear of its end. */
export const isNotifiedOfEnd = async (tx: Transaction, session: SessionId): Promise<boolean> =>
  !!(await nameOfSession(tx, session))?.provider.samlSloUrl
