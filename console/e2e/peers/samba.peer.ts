import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  HAS_SAMBA,
  SAMBA_ADMIN_DN,
  SAMBA_ADMIN_PASSWORD,
  SAMBA_BASE_DN,
  type Samba,
  startSamba,
} from '../../../server/test/peers/samba'
import { cannotRun } from '../browser'
import { connect, people } from '../ldap-directory'
import { newAddress } from '../people'
import { type Program, registerProgram, signInToTeam } from '../programs'

if (!HAS_SAMBA)
  process.stdout.write('skipped: Samba (its domain controller is not installed, or the user is not root)\n')

const passwordOf = (name: string) => `Passw0rd of ${name}`

describe.skipIf(cannotRun || !HAS_SAMBA)('Samba as the Active Directory of a team', () => {
  const [ann, bob, cid, dot] = [newAddress('ann'), newAddress('bob'), newAddress('cid'), newAddress('dot')]
  let owner: Program
  let samba: Samba

  beforeAll(async () => {
    samba = await startSamba()
    const create = (name: string, email: string, ...options: string[]) =>
      samba.tool('user', 'create', name, passwordOf(name), `--mail-address=${email}`, `--surname=${name}`, ...options)
    create('ann', ann)
    create('bob', bob)
    create('cid', cid)
    create('dot', dot, '--must-change-at-next-login')
    samba.tool('user', 'disable', 'cid')
    samba.tool('group', 'add', 'staff')
    samba.tool('group', 'addmembers', 'staff', 'ann,bob')
    owner = await registerProgram(newAddress('owner'))
    await connect(owner, 0, {
      ldapUrl: 'ldaps://localhost',
      ldapBaseDn: SAMBA_BASE_DN,
      ldapBindDn: SAMBA_ADMIN_DN,
      ldapBindPassword: SAMBA_ADMIN_PASSWORD,
      preset: 'active-directory',
      caCertificate: samba.caCertificate,
      signInEnabled: true,
    })
  }, 120_000)
  afterAll(() => samba?.close())

  it('imports users and groups without those of the system, and suspends disabled users', async () => {
    expect(await owner.post('/directory/ldap/test', {})).toMatchObject({ success: true })
    const { run } = await owner.post('/directory/ldap/sync', {})
    expect(run).toMatchObject({ created: 4, groupsCreated: 1, membersAdded: 2, failures: 0 })
    expect(await people(owner)).toMatchObject({ [ann]: 'active', [bob]: 'active', [cid]: 'suspended', [dot]: 'active' })
  })

  it('signs users in with their domain password', async () => {
    expect((await signInToTeam(ann, passwordOf('ann'), owner.teamId)).teamId).toBe(owner.teamId)
    await expect(signInToTeam(ann, passwordOf('bob'), owner.teamId)).rejects.toThrow('invalid_credentials')
    await expect(signInToTeam(cid, passwordOf('cid'), owner.teamId)).rejects.toThrow('invalid_credentials')
  })

  it('reports a password that must be changed', async () => {
    await expect(signInToTeam(dot, passwordOf('dot'), owner.teamId)).rejects.toThrow('directory_password_expired')
  })

  it('finds renamed users and new group members, and suspends users who are gone', async () => {
    samba.tool('user', 'rename', 'ann', '--samaccountname=anna', '--force-new-cn=Anna')
    samba.tool('group', 'addmembers', 'staff', 'dot')
    samba.tool('user', 'delete', 'bob')
    const { run } = await owner.post('/directory/ldap/sync', {})
    expect(run).toMatchObject({ created: 0, suspended: 1, membersAdded: 1, failures: 0 })
    expect(await people(owner)).toMatchObject({ [ann]: 'active', [bob]: 'suspended' })
  })
})
