import { check, object, pipe } from 'valibot'
import m from '../../../messages/en/second-factor.json'
import { requiredText } from '../../../ui/form/required-text'

/** The characters that the service ignores as well. */
const compact = (typed: string) => typed.normalize('NFKC').replace(/[\s\p{Pd}.]/gu, '')

/** Attempts are limited, so an incomplete code is not sent. */
export const appCodeSchema = object({
  code: pipe(
    requiredText(m.codeMissing()),
    check((typed) => /^\d{6}$/.test(compact(typed)), m.codeIncomplete()),
  ),
})

export const backupCodeSchema = object({
  code: pipe(
    requiredText(m.codeMissing()),
    check((typed) => /^[\da-z]{6,8}$/i.test(compact(typed)), m.backupIncomplete()),
  ),
})
