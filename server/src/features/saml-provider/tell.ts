import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, SessionId, TeamId } from '../../platform/ids.js'
import { NAME_ID_FORMATS, newId, type ResponseAttribute, type ResponseOptions } from '../../protocols/saml/index.js'
import type { ApplicationSession } from '../oidc-provider/index.js'
import type { SamlProviderDeps } from './deps.js'
import { refusal } from './errors.js'
import type { KeptRequest } from './kept-request.js'
import { formatFor, type Name, nameOf } from './name-ids.js'
import type { UsableServiceProvider } from './service-provider.js'
import { tellsGroups, toldAttributes } from './told-attributes.js'

const moreOfSession = namedQuery<{ expires_at: Date; groups: string[] | null }, [SessionId, TeamId, boolean]>(
  'saml_provider.more_of_session',
  `SELECT s.expires_at, CASE WHEN $3::boolean THEN ARRAY(SELECT g.name FROM group_members gm JOIN groups g ON g.id = gm.group_id
     WHERE gm.user_id = s.user_id AND g.organization_id = $2 ORDER BY g.name COLLATE "C") END AS groups
   FROM sessions s WHERE s.id = $1`,
)

interface ToldSession {
  session_index: string
  name_id: string
  name_id_format: string
}

const toldSession = namedQuery<ToldSession, [SessionId, ApplicationId]>(
  'saml_provider.told_session',
  'SELECT session_index, name_id, name_id_format FROM saml_sessions WHERE session_id = $1 AND application_id = $2',
)
const noteSession = namedQuery<ToldSession, [SessionId, ApplicationId, string, string, string, Date]>(
  'saml_provider.note_session',
  `INSERT INTO saml_sessions (session_id, application_id, session_index, name_id, name_id_format, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (session_id, application_id) DO UPDATE SET name_id = excluded.name_id, name_id_format = excluded.name_id_format
   RETURNING session_index, name_id, name_id_format`,
)

/** A step: what the session and its user are called towards the application; the same each time, and a passing name as long as the session lasts. */
async function noted(
  tx: Transaction,
  clock: Clock,
  session: SessionId,
  application: ApplicationId,
  { value, format }: Name,
): Promise<ToldSession> {
  // Read first: many sign-ins of one session at once do not wait for each other.
  const [known] = await tx.run(toldSession, [session, application])
  const isSame = known?.name_id_format === format && (known.name_id === value || format === NAME_ID_FORMATS.transient)
  if (known && isSame) return known
  const [written] = await tx.run(noteSession, [session, application, newId(), value, format, clock.now()])
  if (!written) throw new Error('The session was not noted')
  return written
}

/** More than this of attributes, as they are written, does not fit into what peers take, encrypted and in base64. */
const MOST_CHARACTERS = 100_000
const AROUND_A_VALUE = 64

/** What an application is told, before it is signed. */
export type Told = Omit<ResponseOptions, 'now' | 'acsUrl' | 'issuer'>

/**
 * A step: what an application is told of who has signed in, and the note of it, by which a sign-out finds it. Undefined where the service
 * provider wants somebody else to be signed in.
 * @throws saml_response_too_large
 */
export async function tell(
  tx: Transaction,
  { clock }: Pick<SamlProviderDeps, 'clock'>,
  sp: UsableServiceProvider,
  request: KeptRequest,
  session: ApplicationSession,
  context: string,
): Promise<Told | undefined> {
  const { person } = session
  const wanted = await nameOf(tx, sp.id, person, formatFor(sp, request.nameIdFormat ?? undefined))
  if (request.subject !== null && request.subject !== wanted.value) return undefined
  const [more] = await tx.run(moreOfSession, [session.id, sp.teamId, tellsGroups(sp)])
  if (!more) throw new Error('The session is gone')
  const told = await noted(tx, clock, session.id, sp.id, wanted)
  const attributes = toldAttributes(sp, person, more.groups ?? [])
  if (charactersOf(attributes) > MOST_CHARACTERS) throw refusal('saml_response_too_large')
  return {
    inResponseTo: request.id ?? undefined,
    audience: sp.entityId,
    nameId: { format: wanted.format, value: told.name_id },
    attributes,
    authnInstant: session.authenticatedAt.getTime(),
    authnContext: context,
    sessionIndex: told.session_index,
    sessionNotOnOrAfter: more.expires_at.getTime(),
    encryptTo: sp.encryptAssertion && sp.certificate !== null ? sp.certificate : undefined,
  }
}

/** Marks that XML escapes count as what they become. */
const charactersOf = (attributes: readonly ResponseAttribute[]): number =>
  attributes
    .flatMap(({ name, values }) => [name, ...values])
    .reduce((sum, text) => sum + Buffer.byteLength(text.replace(/[&<>"'\t\n\r]/g, '&quot;')) + AROUND_A_VALUE, 0)
