import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId, TeamId } from '../../platform/ids.js'
import { NAME_ID_FORMATS, type ResponseAttribute, type ResponseOptions } from '../../protocols/saml/index.js'
import type { ApplicationSession } from '../oidc-provider/index.js'
import { sessionEnd } from '../sessions/index.js'
import type { SamlProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { formatFor, nameOf } from './name-ids.js'
import { notifiedAttributes, tellsGroups } from './notified-attributes.js'
import { recordNotified, wasNotified } from './notified-sessions.js'
import type { UsableServiceProvider } from './service-provider.js'
import type { StoredRequest } from './stored-request.js'

const moreOfSession = namedQuery<{ ends_at: Date; groups: string[] | null }, [SessionId, TeamId, boolean]>(
  'saml_provider.more_of_session',
  `SELECT ${sessionEnd('s', 's.organization_id', '$2')} AS ends_at, CASE WHEN $3::boolean THEN ARRAY(SELECT g.name FROM group_members gm JOIN groups g ON g.id = gm.group_id
     WHERE gm.user_id = s.user_id AND g.organization_id = $2 ORDER BY g.name COLLATE "C") END AS groups
   FROM sessions s WHERE s.id = $1`,
)

/** More than this of attributes, as they are written, does not fit into what peers take, encrypted and in base64. */
const MOST_CHARACTERS = 100_000
const AROUND_A_VALUE = 64

/** What an application is told, before it is signed. */
export type Notified = Omit<ResponseOptions, 'now' | 'acsUrl' | 'issuer'>

/**
 * A step: what an application is told of who has signed in, and the note of it, by which a sign-out finds it. Undefined where the service
 * provider wants somebody else to be signed in.
 * @throws saml_response_too_large
 */
export async function notify(
  tx: Transaction,
  { clock }: Pick<SamlProviderDeps, 'clock'>,
  sp: UsableServiceProvider,
  request: StoredRequest,
  session: ApplicationSession,
  context: string,
): Promise<Notified | undefined> {
  const { person } = session
  const named = { session: session.id, application: sp.id }
  const name = await nameOf(tx, sp.id, person, formatFor(sp, request.nameIdFormat ?? undefined))
  if (request.subject !== null) {
    // A passing name says who somebody is only where it was given: in this very session.
    const isMeant =
      name.format === NAME_ID_FORMATS.transient
        ? await wasNotified(tx, named, { ...name, value: request.subject })
        : name.value === request.subject
    if (!isMeant) return undefined
  }
  const [more] = await tx.run(moreOfSession, [session.id, sp.teamId, tellsGroups(sp)])
  if (!more) throw new Error('The session is gone')
  const told = await recordNotified(tx, clock, named, name)
  const attributes = notifiedAttributes(sp, person, more.groups ?? [])
  if (charactersOf(attributes) > MOST_CHARACTERS) throw rejection('saml_response_too_large')
  return {
    inResponseTo: request.id ?? undefined,
    audience: sp.entityId,
    nameId: { format: name.format, value: request.subject ?? told.nameId },
    attributes,
    authnInstant: session.authenticatedAt.getTime(),
    authnContext: context,
    sessionIndex: told.sessionIndex,
    sessionNotOnOrAfter: more.ends_at.getTime(),
    encryptTo: sp.encryptAssertion && sp.certificate !== null ? sp.certificate : undefined,
  }
}

/** Marks that XML escapes count as what they become. */
const charactersOf = (attributes: readonly ResponseAttribute[]): number =>
  attributes
    .flatMap(({ name, values }) => [name, ...values])
    .reduce((sum, text) => sum + Buffer.byteLength(text.replace(/[&<>"'\t\n\r]/g, '&quot;')) + AROUND_A_VALUE, 0)
