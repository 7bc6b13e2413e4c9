import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { SessionId, UserId } from '../../platform/ids.js'
import { type LogoutRequest, NAME_ID_FORMATS } from '../../protocols/saml/index.js'
import { sessions } from '../sessions/index.js'
import type { Provider } from './provider.js'
import { keptIndex, subjectOf } from './saml-subject.js'
import { type SamlName, ssoProviders, ssoSessions } from './tables.js'

/**
 * A step: the living sessions that a provider means by the name and the indexes of its sign-out, by user. One that it did not number at
 * the sign-in may be any of that name.
 */
export async function namedSessions(
  tx: Transaction,
  { id, samlEntityId }: Pick<Provider, 'id' | 'samlEntityId'>,
  spEntityId: string,
  request: LogoutRequest,
): Promise<Map<UserId, SessionId[]>> {
  const { sessionIndexes } = request
  const rows = await tx
    .select({ session: ssoSessions.sessionId, user: sessions.userId })
    .from(ssoSessions)
    .innerJoin(sessions, eq(sessions.id, ssoSessions.sessionId))
    .where(
      and(
        eq(ssoSessions.providerId, id),
        named(request, { idpEntityId: samlEntityId ?? '', spEntityId }),
        sessionIndexes.length === 0
          ? undefined
          : or(inArray(ssoSessions.sessionIndex, sessionIndexes.map(keptIndex)), isNull(ssoSessions.sessionIndex)),
        isNull(sessions.endedAt),
      ),
    )
    .orderBy(sessions.userId)
  const byUser = new Map<UserId, SessionId[]>()
  for (const { user, session } of rows) byUser.set(user, [...(byUser.get(user) ?? []), session])
  return byUser
}

/** A NameID that is another one at each sign-in is not what its session is known by here. */
const named = (request: LogoutRequest, parties: Parameters<typeof subjectOf>[1]): SQL =>
  request.nameIdFormat === NAME_ID_FORMATS.transient
    ? sql`${ssoSessions.samlName} ->> 'value' = ${request.nameId}`
    : eq(ssoSessions.subject, subjectOf(request, parties))

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
