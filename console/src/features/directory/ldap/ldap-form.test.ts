import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { LdapDirectory } from '../../../api/contract'
import { ldapWords as words } from '../../../words'
import { directoryChanges, filledWith, isPlain, ldapNames, wrongDirectory } from './ldap-form'
import { presets, usualAttributes, usualFilters } from './presets'

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'

const saved: LdapDirectory = {
  id: 'one',
  teamId: 'team',
  type: 'LDAP',
  enabled: true,
  ldapUrl: 'ldap://ldap.example.com',
  url: 'ldap://ldap.example.com',
  ldapBaseDn: 'dc=example,dc=com',
  baseDn: 'dc=example,dc=com',
  ldapBindDn: 'cn=reader,dc=example,dc=com',
  bindDn: 'cn=reader,dc=example,dc=com',
  ldapBindPassword: '********',
  bindPassword: '********',
  ldapUserFilter: '(objectClass=inetOrgPerson)',
  userFilter: '(objectClass=inetOrgPerson)',
  ldapGroupFilter: '(cn=mine)',
  groupFilter: '(cn=mine)',
  preset: 'openldap',
  startTls: true,
  caCertificate: PEM.replaceAll('\n', '\r\n'),
  attributeMapping: { ou: 'department', work: 'phone' },
  pageSize: 200,
  scheduleMinutes: 60,
  signInEnabled: false,
  lastSyncAt: null,
  nextSyncAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

/** What the form reads when it was filled with `saved` and `typed` over it. */
function values(typed: Partial<Record<(typeof ldapNames)[number], string>> = {}, of: LdapDirectory | null = saved) {
  const filled = filledWith(of)
  const blank = Object.fromEntries(ldapNames.map((name) => [name, ''])) as Record<(typeof ldapNames)[number], string>
  const fields = Object.keys(usualAttributes) as (keyof typeof usualAttributes)[]
  return {
    ...blank,
    ...Object.fromEntries(fields.map((field) => [field, filled.mapping(field)])),
    preset: filled.preset,
    ldapUrl: of?.ldapUrl ?? '',
    startTls: of?.startTls ? 'on' : '',
    caCertificate: (of?.caCertificate ?? '').replaceAll('\r\n', '\n'),
    ldapBindDn: of?.ldapBindDn ?? '',
    ldapBaseDn: of?.ldapBaseDn ?? '',
    ldapUserFilter: filled.ldapUserFilter,
    ldapGroupFilter: filled.ldapGroupFilter,
    pageSize: filled.pageSize,
    interval: filled.interval,
    scheduleMinutes: filled.scheduleMinutes,
    ...typed,
  }
}

describe('the form of a directory', () => {
  it('writes nothing when nothing was changed, and only what was changed', () => {
    expect(directoryChanges(saved, values())).toEqual({})
    expect(wrongDirectory(saved, values())).toEqual({})
    expect(directoryChanges(saved, values({ ldapBaseDn: ' dc=other ', interval: '0' }))).toEqual({
      ldapBaseDn: 'dc=other',
      scheduleMinutes: 0,
    })
  })

  it('never sends the mask of a password, and a password only where it was typed', () => {
    expect(JSON.stringify(filledWith(saved))).not.toContain('*')
    expect(directoryChanges(saved, values({ ldapBindPassword: ' spaces count ' }))).toEqual({
      ldapBindPassword: ' spaces count ',
    })
  })

  it('wants the password again for another server, name or way, and not for anything else', () => {
    for (const typed of [
      { ldapUrl: 'ldap://elsewhere.example.com' },
      { ldapBindDn: 'cn=other' },
      { startTls: '' },
      { caCertificate: '' },
    ]) {
      expect(wrongDirectory(saved, values(typed)), JSON.stringify(typed)).toEqual({
        ldapBindPassword: words.passwordNeeded,
      })
      expect(wrongDirectory(saved, values({ ...typed, ldapBindPassword: 'x' }))).toEqual({})
    }
    expect(wrongDirectory(saved, values({ ldapBaseDn: 'dc=other', title: 'role' }))).toEqual({})
  })

  it('takes an empty filter for that of the kind of directory', () => {
    expect(directoryChanges(saved, values({ preset: 'active-directory', ldapGroupFilter: '' }))).toEqual({
      preset: 'active-directory',
      ldapUserFilter: usualFilters['active-directory'].users,
      ldapGroupFilter: usualFilters['active-directory'].groups,
    })
    expect(directoryChanges(saved, values({ preset: 'active-directory' }))).toEqual({
      preset: 'active-directory',
      ldapUserFilter: usualFilters['active-directory'].users,
    })
  })

  it('keeps an interval that it does not offer by name, and takes one', () => {
    const odd = { ...saved, scheduleMinutes: 45 }
    expect(directoryChanges(odd, values({}, odd))).toEqual({})
    expect(directoryChanges(saved, values({ interval: 'other', scheduleMinutes: '90' }))).toEqual({
      scheduleMinutes: 90,
    })
    for (const scheduleMinutes of ['', '4', '10081', '7.5', 'x'])
      expect(wrongDirectory(saved, values({ interval: 'other', scheduleMinutes })), scheduleMinutes).toEqual({
        scheduleMinutes: words.minutesWrong,
      })
  })

  it('accepts a page size from 1 to 1000, or an empty field', () => {
    expect(directoryChanges(saved, values({ pageSize: ' 50 ' }))).toEqual({ pageSize: 50 })
    expect(directoryChanges(saved, values({ pageSize: '' }))).toEqual({ pageSize: null })
    for (const pageSize of ['0', '1001', '7.5', 'x'])
      expect(wrongDirectory(saved, values({ pageSize })), pageSize).toEqual({ pageSize: words.pageSizeWrong })
  })

  it('lets an attribute fill one field only', () => {
    expect(wrongDirectory(saved, values({ title: 'ou' }))).toEqual({ title: words.mappingTwice })
    expect(wrongDirectory(saved, values({ title: 'two words' }))).toEqual({ title: words.mappingWrong('two words') })
    expect(wrongDirectory(saved, values({ title: '2.5.4.12, job-title' }))).toEqual({})
    expect(directoryChanges(saved, values({ title: 'role, position', phone: '' }))).toEqual({
      attributeMapping: { ou: 'department', role: 'title', position: 'title' },
    })
  })

  it('says what is missing of a new one, and sends everything', () => {
    expect(Object.keys(wrongDirectory(null, values({}, null))).sort()).toEqual([
      'ldapBaseDn',
      'ldapBindDn',
      'ldapBindPassword',
      'ldapUrl',
    ])
    const body = directoryChanges(null, values({ ldapUrl: 'ldaps://a', ldapBindDn: 'cn=a', ldapBaseDn: 'dc=a' }, null))
    expect(body).toMatchObject({
      ldapUrl: 'ldaps://a',
      preset: 'active-directory',
      caCertificate: null,
      startTls: false,
    })
  })

  it('knows what goes over the network in the clear', () => {
    expect(isPlain({ ldapUrl: ' LDAP://a', startTls: '' })).toBe(true)
    expect(isPlain({ ldapUrl: 'ldap://a', startTls: 'on' })).toBe(false)
    expect(isPlain({ ldapUrl: 'ldaps://a', startTls: '' })).toBe(false)
    expect(isPlain({ ldapUrl: '', startTls: '' })).toBe(false)
  })

  it('names the filters and attributes that the service has by itself', () => {
    const source = readFileSync(
      new URL('../../../../../server/src/features/ldap/model/ldap-attributes.ts', import.meta.url),
      'utf8',
    )
    for (const preset of presets)
      for (const filter of Object.values(usualFilters[preset])) expect(source).toContain(`'${filter}'`)
    for (const [field, names] of Object.entries(usualAttributes))
      expect(source).toContain(`${field}: [${names.map((name) => `'${name}'`).join(', ')}]`)
  })
})
