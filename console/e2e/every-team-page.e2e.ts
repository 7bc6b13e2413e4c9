import { describe, it } from 'vitest'
import { certifiedKey } from '../../server/test/doubles/metadata-server'
import { cannotRun, newPage, useBrowser } from './browser'
import { checkPages } from './every-view'
import { newAddress, signInByApi } from './people'
import { createApplication, registerProgram } from './programs'
import { scimBase, scimDirectory } from './scim-directory'

useBrowser()

/** Pages of the team and application of a test. */
const teamPages = [
  '',
  '/applications',
  '/applications/new',
  '/applications/no-such-application',
  '/settings',
  '/settings/audit-retention',
]
const applicationPages = ['', '/settings', '/access', '/tokens', '/activity', '/try', '/no-such-tab']

/** Pages of a SAML application. */
const samlPages = ['', '/settings', '/access', '/saml', '/activity']

/** Pages of a SCIM directory. */
const scimPages = ['', '?from=entra', '?show=rejected']

const providersPages = ['/sso', '/sso/new', '/sso/no-such-provider']
const providerPages = [
  '',
  '/settings',
  '/attributes',
  '/sign-ins',
  '/no-such-tab',
  '/sign-ins/no-such-sign-in',
  '/tests/no-such-test',
]

/** Pages of directories. */
const ldapPages = ['/ldap', '/ldap/settings', '/ldap/runs', '/ldap/runs/no-such-run', '/ldap/no-such-page']

const below = (folder: string, paths: string[]) => paths.map((path) => folder + path)

/** A page of a team owner; the team's pages are below `team`. */
async function administrator(emailName = 'person') {
  const page = await newPage()
  const email = newAddress(emailName)
  const owner = await registerProgram(email)
  await signInByApi(page, email)
  return { page, owner, team: `/t/${owner.slug}` }
}

describe.skipIf(cannotRun)('application pages in each width and color scheme', () => {
  it('have no WCAG 2.2 AA violations and no horizontal scroll', { timeout: 180_000 }, async () => {
    const { page, owner, team } = await administrator()
    const name = 'team'
    await checkPages(page, [`${team}/applications`], `${name}-empty`)
    const settings = {
      description: 'Where customers buy, with a description that is rather long and so needs more than one line.',
      redirectUris: ['https://shop.example/signed-in/with/a/rather/long/path/that/never/ends?tenant=everything'],
      logoUrl: 'https://shop.invalid/logo.png',
    }
    const { id } = await createApplication(owner, 'The-shop-with-an-uncommonly-long-name-without-spaces', settings)
    await createApplication(owner, 'Robot', { isAiAgent: true })
    await createApplication(owner, 'At night', { grantTypes: ['client_credentials'] })
    // A logo that does not load is not an error of the page.
    await page.route('https://shop.invalid/**', (route) =>
      route.fulfill({ status: 200, contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    )
    const application = `${team}/applications/${id}`
    await checkPages(page, [...below(team, teamPages), ...below(application, applicationPages)], name)
    const saml = await owner.post('/applications', {
      name: 'A-payroll-with-an-uncommonly-long-name-without-spaces',
      type: 'SAML',
      samlSpEntityId: 'https://payroll.example/with/a/rather/long/path/that/never/ends/and/goes/on/and/on/metadata',
      samlSpAcsUrl: 'https://payroll.example/with/a/rather/long/path/that/never/ends/and/goes/on/and/on/acs',
      samlAllowIdpInitiated: true,
      samlAttributeMapping: { 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': 'email' },
    })
    await checkPages(page, below(`${team}/applications/${saml.id}`, samlPages), `${name}-saml`)
  })
})

describe.skipIf(cannotRun)('sign-in provider pages in each width and color scheme', () => {
  it('have no WCAG 2.2 AA violations and no horizontal scroll', { timeout: 180_000 }, async () => {
    const { page, owner, team } = await administrator()
    const name = 'team'
    await checkPages(page, [`${team}/sso`], `${name}-empty`)
    const { id } = await owner.post('/sso/providers', {
      name: 'A-provider-with-an-uncommonly-long-name-without-spaces',
      type: 'GENERIC_OIDC',
      protocol: 'OIDC',
      oidcIssuer: 'https://login.example.com/with/a/rather/long/path/that/never/ends/and/goes/on/and/on',
      oidcClientId: 'client',
      oidcClientSecret: 'secret',
      // Not the domain of other tests' users, to whom the sign-in page would offer this provider.
      allowedDomains: ['pages.example', 'a-domain-that-is-rather-long.pages.example'],
      attributeMapping: { 'https://login.example.com/claims/department-of-the-person': 'department' },
    })
    await owner.post(`/organizations/${owner.teamId}/domains`, { domain: 'pages.example' })
    await checkPages(page, [...below(team, providersPages), ...below(`${team}/sso/${id}`, providerPages)], name)
    const { certificate } = certifiedKey('A provider with an uncommonly long name that needs more than one line', {
      until: 9,
    })
    const saml = await owner.post('/sso/providers', {
      name: 'Another-provider-with-an-uncommonly-long-name-without-spaces',
      type: 'VENDORA',
      protocol: 'SAML2',
      samlEntityId: 'https://login.example.com/with/a/rather/long/path/that/never/ends/and/goes/on/and/on',
      samlSsoUrl: 'https://login.example.com/with/a/rather/long/path/that/never/ends/and/goes/on/and/on/sso',
      samlCertificate: certificate,
    })
    const providers = `${team}/sso`
    await checkPages(page, [providers, ...below(`${providers}/${saml.id}`, providerPages)], `${name}-saml`)
  })
})

describe.skipIf(cannotRun)('SCIM pages in each width and color scheme', () => {
  it('have no WCAG 2.2 AA violations and no horizontal scroll', { timeout: 180_000 }, async () => {
    const { page, owner, team } = await administrator('a-rather-long-name-of-a-user')
    const directories = `${team}/directory`
    const name = 'scim'
    await checkPages(page, [directories], `${name}-empty`)
    const named = (what: string) => `${what}-with-an-uncommonly-long-name-without-spaces`
    const { token } = await owner.post('/directory/scim/token', { name: named('A-directory'), expiresInDays: 9 })
    await createApplication(owner, named('The-shop'))
    const directory = scimDirectory(scimBase(owner.slug), String(token))
    await directory.createUser({ userName: newAddress('ann') })
    await directory.createUser({ userName: named('unassigned') })
    await directory.send('GET', `/Users?filter=${'externalId%20pr%20or%20'.repeat(20)}externalId%20pr`)
    await owner.post('/directory/scim/token', { name: named('Another') })
    await checkPages(page, below(directories, scimPages), name)
  })
})

describe.skipIf(cannotRun)('directory pages in each width and color scheme', () => {
  it('have no WCAG 2.2 AA violations and no horizontal scroll', { timeout: 180_000 }, async () => {
    const { page, owner, team } = await administrator()
    const directories = `${team}/directory`
    const name = 'team'
    await checkPages(page, below(directories, ldapPages), `${name}-empty`)
    const dn =
      'ou=a-part-of-the-company-with-an-uncommonly-long-name,ou=another-one-without-any-spaces,dc=example,dc=com'
    await owner.post('/directory/ldap/config', {
      ldapUrl: 'ldap://a-directory-with-an-uncommonly-long-name-without-spaces.invalid:10389',
      ldapBaseDn: dn,
      ldapBindDn: `cn=reader,${dn}`,
      ldapBindPassword: 'secret',
      ldapUserFilter: '(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
      attributeMapping: { 'extensionAttribute15-with-an-uncommonly-long-name-of-its-own': 'department' },
      scheduleMinutes: 45,
      startTls: true,
    })
    const { runId } = await owner.post('/directory/ldap/sync', {})
    await checkPages(page, below(directories, [...ldapPages, `/ldap/runs/${runId}`]), name)
  })
})
