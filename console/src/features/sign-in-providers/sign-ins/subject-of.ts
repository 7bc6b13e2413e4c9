import type { SsoSignIn } from '../../../api/contract'
import m from '../../../messages/en/sign-in-report.json'

/** Returns the email address of a sign-in, or the subject if there is none. */
export function subjectOf({ attributes: { mapped = {}, received = {} } }: Pick<SsoSignIn, 'attributes'>): string {
  return mapped.email ?? received.sub ?? received.NameID ?? m.unknownUser()
}
