import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionId, TeamId } from '../../../platform/ids.js'
import { NAME_ID_FORMATS, type ResponseAttribute, type ResponseOptions } from '../../../protocols/saml/index.js'
import type { ApplicationSession } from '../../oidc-provider/index.js'
import { sessionEnd } from '../../sessions/index.js'
import { rejection } from '../errors.js'
import type { SamlProviderDeps } from '../model/deps.js'
import type { UsableServiceProvider } from '../model/service-provider.js'
import type { StoredRequest } from '../sign-in/stored-request.js'
import { assertionAttributes, includesGroups } from './attributes.js'
import { formatFor, nameOf } from './name-ids.js'
import { recordNotified, wasNotified } from './notified-sessions.js'

const moreOfSession = namedQuery<{ ends_at: Date; groups: string[] | null }, [SessionId, TeamId, boolean]>(
  'saml_provider.more_of_session',
  `SELECT ${sessionEnd('s', 's.organization_id', '$2')} AS ends_at, CASE WHEN $3::boolean THEN ARRAY(SELECT g.name FROM group_members gm JOIN groups g ON g.id = gm.group_id
     WHERE gm.user_id = s.user_id AND g.organization_id = $2 ORDER BY g.name COLLATE "C") END AS groups
   FROM sessions s WHERE s.id = $1`,
)

/** Limit of the encoded attributes, so that the encrypted base64 message stays below the limits of common peers. */
const MAX_CHARACTERS = 100_000
/** The characters of the element around a value. */
const MARKUP_PER_VALUE = 64

/** The content of an assertion, before it is signed. */
export type AssertionContent = Omit<ResponseOptions, 'now' | 'acsUrl' | 'issuer'>

/**
 * Returns the content of an assertion about the signed-in user and records its NameID, by which a sign-out finds the session. Returns
 * undefined if the request names another subject. Runs in the caller's transaction.
 * @throws saml_response_too_large
 */
export async function assertionContent(
  tx: Transaction,
  { clock }: Pick<SamlProviderDeps, 'clock'>,
  sp: UsableServiceProvider,
  request: StoredRequest,
  session: ApplicationSession,
  context: string,
): Promise<AssertionContent | undefined> {
  const { userAttributes } = session
  const named = { session: session.id, application: sp.id }
  const name = await nameOf(tx, sp.id, userAttributes, formatFor(sp, request.nameIdFormat ?? undefined))
  if (request.subject !== null) {
    // A transient NameID identifies a user only in the session for which it was issued.
    const isSame =
      name.format === NAME_ID_FORMATS.transient
        ? await wasNotified(tx, named, { ...name, value: request.subject })
        : name.value === request.subject
    if (!isSame) return undefined
  }
  const [more] = await tx.run(moreOfSession, [session.id, sp.teamId, includesGroups(sp)])
  if (!more) throw new Error('The session was deleted')
  const recorded = await recordNotified(tx, clock, named, name)
  const attributes = assertionAttributes(sp, userAttributes, more.groups ?? [])
  if (charactersOf(attributes) > MAX_CHARACTERS) throw rejection('saml_response_too_large')
  return {
    inResponseTo: request.id ?? undefined,
    audience: sp.entityId,
    nameId: { format: name.format, value: request.subject ?? recorded.nameId },
    attributes,
    authnInstant: session.authenticatedAt.getTime(),
    authnContext: context,
    sessionIndex: recorded.sessionIndex,
    sessionNotOnOrAfter: more.ends_at.getTime(),
    encryptTo: sp.encryptAssertion && sp.certificate !== null ? sp.certificate : undefined,
  }
}

/** Counts characters that XML escapes with their escaped length. */
const charactersOf = (attributes: readonly ResponseAttribute[]): number =>
  attributes
    .flatMap(({ name, values }) => [name, ...values])
    .reduce((sum, text) => sum + Buffer.byteLength(text.replace(/[&<>"'\t\n\r]/g, '&quot;')) + MARKUP_PER_VALUE, 0)
