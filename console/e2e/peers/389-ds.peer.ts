import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_NS_SLAPD, type NsSlapd, startNsSlapd } from '../../../server/test/peers/ns-slapd'
import { BASE_DN, BIND_DN, BIND_PASSWORD, entry, person, personDn } from '../../../server/test/peers/slapd'
import { cannotRun } from '../browser'
import { connect, people } from '../ldap-directory'
import { newAddress } from '../people'
import { type Program, registerProgram, signInToTeam } from '../programs'

if (!HAS_NS_SLAPD) process.stdout.write('skipped: 389 Directory Server (389-ds-base is not installed)\n')

const READER = `(targetattr != "userPassword")(version 3.0; acl "reader"; allow (read, search, compare) userdn = "ldap:///${BIND_DN}";)`

describe.skipIf(cannotRun || !HAS_NS_SLAPD)('389 Directory Server as the directory of a team', () => {
  const [ann, bob, cid] = [newAddress('ann'), newAddress('bob'), newAddress('cid')]
  let owner: Program
  let directory: NsSlapd

  beforeAll(async () => {
    directory = await startNsSlapd(
      entry(BASE_DN, 'domain', { dc: 'example', aci: READER }) +
        entry(BIND_DN, 'person', { cn: 'reader', sn: 'reader', userPassword: BIND_PASSWORD }) +
        entry(`ou=people,${BASE_DN}`, 'organizationalUnit', { ou: 'people' }) +
        entry(`ou=groups,${BASE_DN}`, 'organizationalUnit', { ou: 'groups' }) +
        person('ann', { mail: ann }) +
        person('bob', { mail: bob }) +
        person('cid', { mail: cid, nsAccountLock: 'true' }) +
        entry(`cn=all,ou=groups,${BASE_DN}`, 'groupOfUniqueNames', {
          cn: 'all',
          uniqueMember: [personDn('ann'), personDn('bob')],
        }),
    )
    owner = await registerProgram(newAddress('owner'))
  })
  afterAll(() => directory?.close())

  it('imports users and groups, and suspends users whose account is locked', async () => {
    await connect(owner, directory.port, { signInEnabled: true })
    const tested = await owner.post('/directory/ldap/test', {})
    expect(tested).toMatchObject({ success: true, users: 3, groups: 1 })
    const { run } = await owner.post('/directory/ldap/sync', {})
    expect(run).toMatchObject({ created: 3, groupsCreated: 1, membersAdded: 2, failures: 0 })
    expect(await people(owner)).toMatchObject({ [ann]: 'active', [bob]: 'active', [cid]: 'suspended' })
  })

  it('signs users in with their directory password, for this team only', async () => {
    const session = await signInToTeam(ann, 'password of ann', owner.teamId)
    expect(session.teamId).toBe(owner.teamId)
    await expect(signInToTeam(ann, 'password of bob', owner.teamId)).rejects.toThrow('invalid_credentials')
    await expect(signInToTeam(cid, 'password of cid', owner.teamId)).rejects.toThrow('invalid_credentials')
  })

  it('identifies a renamed user, finds changes and suspends a user who is gone', async () => {
    const idOf = async (email: string) => {
      const { data } = (await owner.get('/users?limit=100')) as { data: { email: string; id: string }[] }
      return data.find((user) => user.email === email)?.id
    }
    const before = await idOf(ann)
    directory.modify(`dn: ${personDn('ann')}\nchangetype: modrdn\nnewrdn: uid=anna\ndeleteoldrdn: 1\n`)
    directory.modify(`dn: ${personDn('bob')}\nchangetype: delete\n`)
    const { run } = await owner.post('/directory/ldap/sync', { incremental: true })
    expect(run).toMatchObject({ created: 0, suspended: 1, failures: 0 })
    expect(await people(owner)).toMatchObject({ [ann]: 'active', [bob]: 'suspended' })
    expect(await idOf(ann)).toBe(before)
    expect((await signInToTeam(ann, 'password of ann', owner.teamId)).teamId).toBe(owner.teamId)
  })
})
