import { rejection } from '../../errors.js'

/** The body of a form (`application/x-www-form-urlencoded`) as the client sent it. */
export class FormBody {
  constructor(readonly text: string) {}

  /** Names and values in the order of the body. */
  get entries(): [name: string, value: string][] {
    return [...new URLSearchParams(this.text)]
  }

  /** The fields. @throws invalid_request if a field is repeated (RFC 6749 3.1) */
  get values(): Record<string, string> {
    const { entries } = this
    const values = Object.fromEntries(entries)
    if (Object.keys(values).length < entries.length)
      throw rejection('invalid_request', { detail: 'A parameter is repeated' })
    return values
  }
}
