import type { Errors } from '../../../ui/form/form-fields'
import { filledRows } from '../../../ui/form/rows-field'
import { applicationWords as words } from '../../../words'
import { faultOfRedirect } from './uri-rules'

/** While the service itself is reached by http, so may applications be: a laptop, a test network. */
export const plainHttp = () => location.protocol === 'http:'

/** For `useForm`: what is wrong with each row of addresses under `name`. */
export function wrongRedirects<Name extends string>(name: Name, value: string, ownSchemes: boolean): Errors<Name> {
  const errors: Record<string, string> = {}
  value.split('\n').forEach((row, place) => {
    const fault = row.trim() && faultOfRedirect(row.trim(), { ownSchemes, plainHttp: plainHttp() })
    if (fault) errors[`${name}/${place}`] = words.uriFaults[fault]
  })
  return errors as Errors<Name>
}

/** The addresses that were typed, each once. */
export function redirectsOf(value: string): string[] {
  return [...new Set(filledRows(value))]
}
