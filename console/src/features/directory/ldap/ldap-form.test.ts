import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { LdapDirectory } from '../../../api/contract'
import m from '../../../messages/en/ldap.json'
import { every } from './every'
import { directoryChanges, isPlain, type LdapValues, ldapErrors, ldapValues } from './ldap-form'
import { defaultAttributes, defaultFilters, presets } from './presets'

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

/** The values of the form after it was filled with `of` and then with `typed`. */
function values(typed: Partial<LdapValues> = {}, of: LdapDirectory | null = saved): LdapValues {
  const filled = ldapValues(of)
  // A textarea normalizes line ends.
  return { ...filled, caCertificate: filled.caCertificate.replaceAll('\r\n', '\n'), ...typed }
}

describe('the form of an LDAP directory', () => {
  it('sends changed settings only', () => {
    expect(directoryChanges(saved, values())).toEqual({})
    expect(ldapErrors(saved, values())).toEqual({})
    expect(directoryChanges(saved, values({ ldapBaseDn: ' dc=other ', interval: '0' }))).toEqual({
      ldapBaseDn: 'dc=other',
      scheduleMinutes: 0,
    })
  })

  it('never contains the mask of the password, and sends a typed password only', () => {
    expect(JSON.stringify(ldapValues(saved))).not.toContain('*')
    expect(directoryChanges(saved, values({ ldapBindPassword: ' spaces count ' }))).toEqual({
      ldapBindPassword: ' spaces count ',
    })
  })

  it('requires the password for another server, account or encryption only', () => {
    for (const typed of [
      { ldapUrl: 'ldap://elsewhere.example.com' },
      { ldapBindDn: 'cn=other' },
      { startTls: false },
      { caCertificate: '' },
    ]) {
      expect(ldapErrors(saved, values(typed)), JSON.stringify(typed)).toEqual({
        ldapBindPassword: m.passwordNeeded(),
      })
      expect(ldapErrors(saved, values({ ...typed, ldapBindPassword: 'x' }))).toEqual({})
    }
    expect(ldapErrors(saved, values({ ldapBaseDn: 'dc=other', title: 'role' }))).toEqual({})
  })

  it('sends the default filter of the directory type for an empty field', () => {
    expect(directoryChanges(saved, values({ preset: 'active-directory', ldapGroupFilter: '' }))).toEqual({
      preset: 'active-directory',
      ldapUserFilter: defaultFilters['active-directory'].users,
      ldapGroupFilter: defaultFilters['active-directory'].groups,
    })
    expect(directoryChanges(saved, values({ preset: 'active-directory' }))).toEqual({
      preset: 'active-directory',
      ldapUserFilter: defaultFilters['active-directory'].users,
    })
  })

  it('keeps and accepts a custom interval', () => {
    const odd = { ...saved, scheduleMinutes: 45 }
    expect(directoryChanges(odd, values({}, odd))).toEqual({})
    expect(directoryChanges(saved, values({ interval: 'other', scheduleMinutes: '90' }))).toEqual({
      scheduleMinutes: 90,
    })
    for (const scheduleMinutes of ['', '4', '10081', '7.5', 'x'])
      expect(ldapErrors(saved, values({ interval: 'other', scheduleMinutes })), scheduleMinutes).toEqual({
        scheduleMinutes: m.minutesWrong(),
      })
  })

  it('accepts a page size from 1 to 1000, or an empty field', () => {
    expect(directoryChanges(saved, values({ pageSize: ' 50 ' }))).toEqual({ pageSize: 50 })
    expect(directoryChanges(saved, values({ pageSize: '' }))).toEqual({ pageSize: null })
    for (const pageSize of ['0', '1001', '7.5', 'x'])
      expect(ldapErrors(saved, values({ pageSize })), pageSize).toEqual({ pageSize: m.pageSizeWrong() })
  })

  it('rejects an attribute that fills two fields', () => {
    expect(ldapErrors(saved, values({ title: 'ou' }))).toEqual({ title: m.attributeTwice() })
    expect(ldapErrors(saved, values({ title: 'two words' }))).toEqual({
      title: m.attributeWrong({ name: 'two words' }),
    })
    expect(ldapErrors(saved, values({ title: '2.5.4.12, job-title' }))).toEqual({})
    expect(directoryChanges(saved, values({ title: 'role, position', phone: '' }))).toEqual({
      attributeMapping: { ou: 'department', role: 'title', position: 'title' },
    })
  })

  it('requires the connection of a new directory, and sends all settings', () => {
    expect(Object.keys(ldapErrors(null, values({}, null))).sort()).toEqual([
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

  it('detects unencrypted connections', () => {
    expect(isPlain({ ldapUrl: ' LDAP://a', startTls: false })).toBe(true)
    expect(isPlain({ ldapUrl: 'ldap://a', startTls: true })).toBe(false)
    expect(isPlain({ ldapUrl: 'ldaps://a', startTls: false })).toBe(false)
    expect(isPlain({ ldapUrl: '', startTls: false })).toBe(false)
  })

  it('has the default filters and attributes of the service', () => {
    const source = readFileSync(
      new URL('../../../../../server/src/features/ldap/model/ldap-attributes.ts', import.meta.url),
      'utf8',
    )
    for (const preset of presets)
      for (const filter of Object.values(defaultFilters[preset])) expect(source).toContain(`'${filter}'`)
    for (const [field, names] of Object.entries(defaultAttributes))
      expect(source).toContain(`${field}: [${names.map((name) => `'${name}'`).join(', ')}]`)
  })
})

describe('every', () => {
  it('returns the schedule in the largest unit', () => {
    expect([0, 5, 60, 360, 1440, 2880, 10_080].map(every)).toEqual([
      'Manual only',
      'Every 5 minutes',
      'Every hour',
      'Every 6 hours',
      'Every day',
      'Every 2 days',
      'Every week',
    ])
  })
})
