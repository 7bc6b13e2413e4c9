import { check, minLength, pipe, string, trim } from 'valibot'
import m from '../../../messages/en/saml.json'

/** Returns whether `text` is an https URL. Accepts http as long as the service itself is reached by http. */
export const isUrl = (text: string) =>
  (location.protocol === 'http:' ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i).test(text.trim())

/** The two values without which no user can sign in to a SAML application. */
export const serviceProviderEntries = () => ({
  samlSpEntityId: pipe(string(), trim(), minLength(1, m.missing())),
  samlSpAcsUrl: pipe(string(), check(isUrl, m.urlWrong())),
})
