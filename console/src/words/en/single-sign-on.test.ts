import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../api/problem'
import m from '../../messages/en/saml-sign-in.json'
import { explain } from './explain'
import { signOutWords } from './sign-out'
import { callbackWords } from './sso-callback'

const docs = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const namesIn = (text: string) => [...text.matchAll(/`([a-z_0-9]+)`/g)].map(([, name = '']) => name)

/** The first cells of the rows of a table. */
const rows = (text: string) => [...text.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell)

const [, list = ''] = /The callback page receives[^:]*:([\s\S]*?)\n\n/.exec(docs('guides/single-sign-on.md')) ?? []
const callbackCodes = namesIn(list)

const codes = rows(docs('reference/errors.md')).flatMap(namesIn)
const ofSingleSignOn = codes.filter((code) => /^(sso|saml)_/.test(code))

/** Responses to a browser between two sites, before a page of the console is loaded. */
const beforeAnyPage = [
  'saml_request_invalid',
  'saml_idp_initiated_refused',
  'saml_response_too_large',
  'saml_session_not_shown',
  'sso_ecp_unsupported',
  'sso_logout_not_found',
]
/** Shown at their field with the message of the service. */
const atTheirField = [
  'saml_metadata_unreadable',
  'sso_metadata_invalid',
  'sso_metadata_unreachable',
  'sso_secret_needed',
]

const unknown = 'no_such_code'
const isExplained = (code: string) =>
  callbackWords.cause(code) !== callbackWords.cause(unknown) ||
  signOutWords.cause(code) !== signOutWords.cause(unknown) ||
  m.causeTitle({ code }) !== m.causeTitle({ code: unknown }) ||
  explain(new Problem({ code, status: 400, detail: unknown })) !== unknown

describe('the messages about single sign-on', () => {
  it('explains every error code that a page can receive', () => {
    expect(ofSingleSignOn.length).toBeGreaterThan(20)
    expect(ofSingleSignOn.filter((code) => !isExplained(code)).sort()).toEqual(
      [...beforeAnyPage, ...atTheirField].sort(),
    )
  })

  it('explains every error code of the callback page', () => {
    expect(callbackCodes).toContain('sso_idp_initiated')
    expect(callbackCodes.filter((code) => callbackWords.cause(code) === callbackWords.cause(unknown))).toEqual([])
  })
})
