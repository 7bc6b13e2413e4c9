import { randomToken } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, UserId } from '../../platform/ids.js'
import { NAME_ID_FORMATS, newId } from '../../protocols/saml/index.js'
import type { ServiceProvider } from './service-provider.js'

/** What we can name people by, the usual one first. */
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
 * The format in which an application is told who somebody is: as its request wants it, else as it is registered (the URN, or its last
 * part alone), else the address.
 */
export function formatFor({ nameIdFormat }: Pick<ServiceProvider, 'nameIdFormat'>, wanted: string | undefined): string {
  if (wanted !== undefined) return wanted
  const lastPart = (format: string) => format.slice(format.lastIndexOf(':') + 1).toLowerCase()
  const registered = lastPart(nameIdFormat ?? '')
  return OUR_NAME_ID_FORMATS.find((format) => lastPart(format) === registered) ?? NAME_ID_FORMATS.email
}

const lastingName = namedQuery<{ value: string }, [ApplicationId, UserId]>(
  'saml_provider.lasting_name',
  'SELECT value FROM saml_name_ids WHERE application_id = $1 AND user_id = $2',
)
// Of many that draw one at once the first one's holds.
const drawName = namedQuery<{ value: string }, [ApplicationId, UserId, string]>(
  'saml_provider.draw_name',
  `INSERT INTO saml_name_ids (application_id, user_id, value) VALUES ($1, $2, $3)
   ON CONFLICT (application_id, user_id) DO UPDATE SET value = saml_name_ids.value RETURNING value`,
)

/** A step: the name of a user towards an application (Core 8.3). A lasting one is drawn once; the same user has another one elsewhere. */
export async function nameOf(
  tx: Transaction,
  application: ApplicationId,
  { id, email }: { id: UserId; email: string },
  format: string,
): Promise<Name> {
  if (format === NAME_ID_FORMATS.transient) return { format, value: newId() }
  if (format !== NAME_ID_FORMATS.persistent) return { format, value: email }
  const [known] = await tx.run(lastingName, [application, id])
  const [row] = known ? [known] : await tx.run(drawName, [application, id, randomToken()])
  if (!row) throw new Error('The lasting name was not written')
  return { format, value: row.value }
}
