import { SEALED_AUDIT_KEYS } from './features/audit/index.js'
import { SEALED_BIND_PASSWORDS } from './features/ldap/index.js'
import { SEALED_TOTP } from './features/mfa/index.js'
import { SEALED_SIGNING_KEYS } from './features/oidc-config/index.js'
import { SEALED_FORM_RESPONSES } from './features/oidc-provider/index.js'
import { SEALED_SAML_KEYS } from './features/saml-keys/index.js'
import { PENDING_SIGN_IN_SECRETS, SEALED_CLIENT_SECRETS } from './features/sso/index.js'
import type { Envelope } from './platform/crypto/envelope.js'
import { SEALED_SERVER_KEYS } from './platform/crypto/key-ring.js'
import { rewrapColumn, type SealedColumn, type SealedValues } from './platform/crypto/rewrap-column.js'
import type { Database } from './platform/db/database.js'
import { SEALED_MAILS } from './platform/mail/mailer.js'

/** Every column that `ENCRYPTION_KEY` encrypts. A module with another one adds it here. */
const SEALED_COLUMNS: SealedColumn[] = [
  ...SEALED_SERVER_KEYS,
  ...SEALED_MAILS,
  ...SEALED_AUDIT_KEYS,
  ...SEALED_TOTP,
  ...SEALED_SAML_KEYS,
  ...SEALED_CLIENT_SECRETS,
  ...SEALED_SIGNING_KEYS,
  ...SEALED_FORM_RESPONSES,
  ...SEALED_BIND_PASSWORDS,
]

/** Everything that `ENCRYPTION_KEY` encrypts: the columns, and values that expire within minutes and are never encrypted again. */
export const SEALED_VALUES: SealedValues[] = [...SEALED_COLUMNS, ...PENDING_SIGN_IN_SECRETS]

/** Encrypts every column with the first `ENCRYPTION_KEY`. Run at startup, and by `keyward keys rotate`. */
export async function rewrapValues(deps: { db: Database; envelope: Envelope }): Promise<void> {
  for (const column of SEALED_COLUMNS) await rewrapColumn(deps, column)
}
