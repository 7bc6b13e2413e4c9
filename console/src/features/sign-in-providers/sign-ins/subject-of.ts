import type { SsoSignIn } from '../../../api/contract'
import { ssoWords as words } from '../../../words'

/** Whom a sign-in is about, by what the provider said. */
export function whoOf({ attributes: { mapped = {}, received = {} } }: SsoSignIn): string {
  return mapped.email ?? received.sub ?? received.NameID ?? words.somebody
}
