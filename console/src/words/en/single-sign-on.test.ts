import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explain } from '../../api/explain'
import { Problem } from '../../api/problem'

import saml from '../../messages/en/saml-sign-in.json'
import signOut from '../../messages/en/sign-out.json'
import callback from '../../messages/en/sso-callback.json'

import { ssoReportWords } from './sso-report'

const docs = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const namesIn = (text: string) => [...text.matchAll(/`([a-z_0-9]+)`/g)].map(([, name = '']) => name)

/** First cells of the rows of tables. */
const rows = (text: string) => [...text.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell)

const [, told = ''] = /The callback page receives[^:]*:([\s\S]*?)\n\n/.exec(docs('guides/single-sign-on.md')) ?? []
const toldAfterProvider = namesIn(told)

const codes = rows(docs('reference/errors.md')).flatMap(namesIn)
const ofSingleSignOn = codes.filter((code) => /^(sso|saml)_/.test(code))

/** Answered to a browser on its way between two sites, before any page of ours is there. */
const beforeAnyPage = [
  'saml_request_invalid',
  'saml_idp_initiated_refused',
  'saml_response_too_large',
  'saml_session_not_shown',
  'sso_ecp_unsupported',
  'sso_logout_not_found',
]
/** Said at the field that they are about, in the service's own words: only it knows what the document lacks. */
const atTheirField = [
  'saml_metadata_unreadable',
  'sso_metadata_invalid',
  'sso_metadata_unreachable',
  'sso_secret_needed',
]

const nothing = 'no_such_code'
const isSaid = (code: string) =>
  callback.causeText({ code }) !== callback.causeText({ code: nothing }) ||
  signOut.causeText({ code }) !== signOut.causeText({ code: nothing }) ||
  saml.causeTitle({ code }) !== saml.causeTitle({ code: nothing }) ||
  explain(new Problem({ code, status: 400, detail: nothing })) !== nothing

describe('the words of single sign-on', () => {
  it('are there for every code that a page can meet', () => {
    expect(ofSingleSignOn.length).toBeGreaterThan(20)
    expect(ofSingleSignOn.filter((code) => !isSaid(code)).sort()).toEqual([...beforeAnyPage, ...atTheirField].sort())
  })

  it('are there for everything that the page after a provider is told', () => {
    expect(toldAfterProvider).toContain('sso_idp_initiated')
    expect(
      toldAfterProvider.filter((code) => callback.causeText({ code }) === callback.causeText({ code: nothing })),
    ).toEqual([])
  })

  it('tell administrators what to do about each refusal of a sign-in', () => {
    expect(toldAfterProvider.filter((code) => ssoReportWords.refusal(code) === undefined)).toEqual([])
  })

  it('name every check of a sign-in and of a provider', () => {
    const tables = docs('guides/single-sign-on.md')
      .split(/^\| Check/m)
      .slice(1)
    const checks = tables.flatMap((table) => rows(table.split('\n\n')[0] ?? '').flatMap(namesIn))
    expect(checks).toContain('used_once')
    expect(checks.filter((id) => ssoReportWords.check(id) === id.replaceAll('_', ' '))).toEqual([])
  })
})
