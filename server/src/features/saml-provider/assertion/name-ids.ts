import { randomToken } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, UserId } from '../../../platform/ids.js'
import { NAME_ID_FORMATS, newId } from '../../../protocols/saml/index.js'
import type { ServiceProvider } from '../model/service-provider.js'

/** The NameID formats that we support; the first is the default. */
export const OUR_NAME_ID_FORMATS = [
  NAME_ID_FORMATS.email,
  NAME_ID_FORMATS.persistent,
  NAME_ID_FORMATS.transient,
  NAME_ID_FORMATS.unspecified,
]

export interface Name {
  value: string
  format: string
}

/**
 * Returns the NameID format for an application: the one in its request, else the registered one (the URN or only its last part), else
 * the email address.
 */
export function formatFor({ nameIdFormat }: Pick<ServiceProvider, 'nameIdFormat'>, wanted: string | undefined): string {
  if (wanted !== undefined) return wanted
  const lastPart = (format: string) => format.slice(format.lastIndexOf(':') + 1).toLowerCase()
  const registered = lastPart(nameIdFormat ?? '')
  return OUR_NAME_ID_FORMATS.find((format) => lastPart(format) === registered) ?? NAME_ID_FORMATS.email
}

const persistentId = namedQuery<{ value: string }, [ApplicationId, UserId]>(
  'saml_provider.lasting_name',
  'SELECT value FROM saml_name_ids WHERE application_id = $1 AND user_id = $2',
)
// If concurrent sign-ins draw an ID, the first one is kept.
const drawId = namedQuery<{ value: string }, [ApplicationId, UserId, string]>(
  'saml_provider.draw_name',
  `INSERT INTO saml_name_ids (application_id, user_id, value) VALUES ($1, $2, $3)
   ON CONFLICT (application_id, user_id) DO UPDATE SET value = saml_name_ids.value RETURNING value`,
)

/** Returns the NameID of a user at an application (Core 8.3). A persistent one is created once per application. Runs in the caller's transaction. */
export async function nameOf(
  tx: Transaction,
  application: ApplicationId,
  { id, email }: { id: UserId; email: string },
  format: string,
): Promise<Name> {
  if (format === NAME_ID_FORMATS.transient) return { format, value: newId() }
  if (format !== NAME_ID_FORMATS.persistent) return { format, value: email }
  const [known] = await tx.run(persistentId, [application, id])
  const [row] = known ? [known] : await tx.run(drawId, [application, id, randomToken()])
  if (!row) throw new Error('The persistent NameID was not written')
  return { format, value: row.value }
}
