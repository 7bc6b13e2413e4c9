import { randomBytes } from 'node:crypto'
import { type LdapDouble, startLdapDouble } from '../../doubles/ldap-double.js'
import { registerApp, type TestApp } from '../../doubles/relying-party.js'
import { type ScriptedProvider, startScriptedProvider } from '../../doubles/scripted-provider.js'
import { onboardAdmin, registerUser, type TestUser } from '../../factories/factories.js'
import { type Directory, makeDirectory } from '../../factories/scim.js'
import { addProvider, oidcProvider } from '../../factories/sso.js'
import { startService, type TestService } from '../../harness/service.js'
import { COMPANY_MARK } from './marks.js'
import { openPostOffice, type PostOffice } from './post-office.js'

/** The friendly team (B), which all scenarios share. */
export interface Company extends TestUser {
  scim: Directory
  providerId: string
  app: TestApp
  groupId: string
}

export interface World {
  service: TestService
  post: PostOffice
  /** The OpenID provider of all teams. Each team has its own registration. */
  idp: ScriptedProvider
  ldap: LdapDouble
  /** The entry and the password in the LDAP server, by base DN. */
  entries: Map<string, { email: string; password: string }>
  company: Company
  /** The team that administers the instance. */
  instanceTeamId: string
  close(): Promise<void>
}

/** Turns off the limits for one source, which have their own tests. */
const UNLIMITED = Object.fromEntries(
  ['SOURCE_FAILURES', 'REGISTRATIONS', 'LINKS', 'MAILS', 'TEAM_MAILS', 'REJECTED_BODIES', 'DISCOVERIES'].map((name) => [
    `LIMIT_${name}`,
    '0',
  ]),
)

export const READER_PASSWORD = 'directory reader password'
export const readerOf = (base: string): string => `cn=reader,${base}`
const entryOf = (base: string): string => `cn=user,${base}`

/** Starts everything that scenarios share. They differ only in email address and hostile team. */
export async function openWorld(): Promise<World> {
  const service = await startService({ env: { ...UNLIMITED, LIMIT_ACCOUNT_FAILURES: '10000' } })
  const idp = await startScriptedProvider()
  const entries: World['entries'] = new Map()
  const ldap = await startLdapDouble(({ base, isBase, filter }) => {
    const top = base.slice(base.lastIndexOf('dc='))
    const entry = entries.get(top)
    const values = {
      objectClass: ['inetOrgPerson'],
      entryUUID: [`uuid-${top}`],
      cn: ['user'],
      givenName: ['Written'],
      sn: ['By-the-hostile-team'],
      mail: [entry?.email ?? ''],
    }
    const user = { dn: entryOf(top), attributes: values }
    if (isBase) return { entries: [base === user.dn ? user : { dn: base, attributes: { objectClass: ['top'] } }] }
    return { entries: entry && filter.includes('inetOrgPerson') ? [user] : [] }
  })
  ldap.accepts = (name, password) => {
    const top = name.slice(name.lastIndexOf('dc='))
    return name === readerOf(top) ? password === READER_PASSWORD : password === entries.get(top)?.password
  }
  const admin = await onboardAdmin(service)
  const owner = await registerUser(service)
  const { body: group } = await service.api('POST', '/api/v1/groups', {
    token: owner.token,
    body: { name: `${COMPANY_MARK} group` },
  })
  await service.api('PUT', `/api/v1/organizations/${owner.teamId}`, {
    token: owner.token,
    body: { name: `${COMPANY_MARK} team` },
  })
  const provider = await addProvider(
    service,
    owner,
    oidcProvider(idp, { autoProvision: true, allowedDomains: ['example.com'] }),
  )
  const company = {
    ...owner,
    groupId: group.id,
    providerId: provider.id,
    scim: await makeDirectory(service, owner),
    app: await registerApp(service, owner),
  }
  const post = openPostOffice(service.dataDir)
  return {
    service,
    post,
    idp,
    ldap,
    entries,
    company,
    instanceTeamId: admin.teamId,
    async close() {
      post.close()
      await service.close()
      await idp.close()
      await ldap.close()
    },
  }
}

export const newBase = (): string => `dc=${randomBytes(6).toString('hex')}`
