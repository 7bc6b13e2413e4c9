import type { Page } from 'playwright-core'
import { afterEach } from 'vitest'
import {
  BASE_DN,
  BIND_DN,
  BIND_PASSWORD,
  HAS_SLAPD,
  personDn,
  type Slapd,
  startSlapd,
} from '../../server/test/peers/slapd'
import { at, cannotRun, newPage } from './browser'
import { newAddress, signInByApi } from './people'
import { type Program, registerProgram } from './programs'

export const cannotRunLdap = cannotRun || !HAS_SLAPD
if (!HAS_SLAPD) process.stdout.write('skipped: the pages of LDAP directories (slapd is not installed)\n')

export const textbox = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name, exact: true })

/** Returns a total of a run. */
export const fact = (page: Page, name: string) =>
  page.getByText(name, { exact: true }).locator('..').getByRole('definition').textContent()

/** Connects the team to this directory, with default settings for the tests. */
export const connect = (owner: Program, port: number, settings: object = {}) =>
  owner.post('/directory/ldap/config', {
    ldapUrl: `ldap://127.0.0.1:${port}`,
    ldapBaseDn: BASE_DN,
    ldapBindDn: BIND_DN,
    ldapBindPassword: BIND_PASSWORD,
    preset: 'openldap',
    ...settings,
  })

/** Returns the status of each user of the team by email address. */
export async function people(owner: Program): Promise<Record<string, string>> {
  const { data } = (await owner.get('/users?limit=100')) as { data: { email: string; status: string }[] }
  return Object.fromEntries(data.map(({ email, status }) => [email, status.toLowerCase()]))
}

/** Starts a slapd and signs in an administrator for each test of a `describe`. */
export function useDirectory() {
  let slapd: Slapd | undefined
  afterEach(async () => {
    await slapd?.close()
    slapd = undefined
  })

  return {
    async administrator(ldif = '') {
      slapd = await startSlapd({ ldif })
      const email = newAddress('admin')
      const owner = await registerProgram(email)
      const page = await newPage()
      await signInByApi(page, email)
      return { owner, page, email, port: slapd.port, ldap: at(`/t/${owner.slug}/directory/ldap`) }
    },
    /** Deletes entries of the directory. */
    remove: (...uids: string[]) =>
      slapd?.modify(uids.map((uid) => `dn: ${personDn(uid)}\nchangetype: delete\n`).join('\n')),
    stop: () => slapd?.stop(),
  }
}
