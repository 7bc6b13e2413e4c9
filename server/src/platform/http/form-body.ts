import { oauthError } from './oauth-dialect.js'

/** The body of a form (`application/x-www-form-urlencoded`) as it was sent; JSON text never is one. */
export class FormBody {
  constructor(readonly text: string) {}

  /** Names and values in their order, for looking at each of them. */
  get entries(): [name: string, value: string][] {
    return [...new URLSearchParams(this.text)]
  }

  /** The fields, each at most once (RFC 6749 3.1). @throws invalid_request */
  get values(): Record<string, string> {
    const { entries } = this
    const values = Object.fromEntries(entries)
    if (Object.keys(values).length < entries.length)
      throw oauthError('invalid_request', { detail: 'A parameter is repeated' })
    return values
  }
}
