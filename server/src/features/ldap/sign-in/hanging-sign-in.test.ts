import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LdapDouble, startLdapDouble } from '../../../../test/doubles/ldap-double.js'
import { expectError, newEmail, PASSWORD, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { syncDirectory, writeDirectory } from '../../../../test/peers/ldap-directory.js'

/** The number of users in a directory that does not respond. */
const PEOPLE = 20

describe('a sign-in with a directory that does not respond', () => {
  let service: TestService
  /** Users of three directories of one creator, whose sign-ins hang. */
  const people: string[] = []
  const directories: LdapDouble[] = []
  /** The unanswered binds of all directories: the current number and the maximum. */
  let begun = 0
  let hanging = 0
  let most = 0

  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { HASH_QUEUE: '40' } })
    const hostile = await registerUser(service)
    for (let team = 0; team < 3; team++) people.push(...(await teamWithDirectory(hostile, PEOPLE, true)))
  })
  afterAll(async () => {
    for (const directory of directories) await directory.close()
    await service.close()
  })
  beforeEach(() => {
    begun = hanging = most = 0
  })

  const logIn = (email: string, password = PASSWORD) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password } })

  /** Creates a team of the user with a directory. @returns the email addresses of the directory's users */
  async function teamWithDirectory(
    { token }: Pick<TestUser, 'token'>,
    count: number,
    hangs: boolean,
  ): Promise<string[]> {
    const { body: team } = await service.api('POST', '/api/v1/organizations', { token, body: { name: 'Team' } })
    const { body: switched } = await service.api('POST', '/api/v1/auth/switch-team', {
      token,
      body: { teamId: team.id },
    })
    const mails = Array.from({ length: count }, () => newEmail())
    const entries = mails.map((mail, index) => ({
      dn: `uid=u${index},dc=example,dc=com`,
      attributes: { objectClass: ['inetOrgPerson'], entryUUID: [randomUUID()], mail: [mail], uid: [`u${index}`] },
    }))
    const directory = await startLdapDouble(({ base, isBase, filter }) => {
      if (isBase) return { entries: entries.filter(({ dn }) => dn === base) }
      return { entries: filter.includes('inetOrgPerson') ? entries : [] }
    })
    directories.push(directory)
    directory.accepts = (name) => {
      if (!hangs || !name.startsWith('uid=')) return true
      begun++
      most = Math.max(most, ++hanging)
      // The count drops shortly before the timeout of the service, so that it never counts a bind that the service has abandoned.
      setTimeout(() => hanging--, 2_400)
      return new Promise(() => {})
    }
    const user = { token: switched.accessToken }
    await writeDirectory(service, user, directory, { signInEnabled: true })
    expect(await syncDirectory(service, user)).toMatchObject({ status: 'completed', created: count })
    return mails
  }

  /** Signs in the users, ten at a time, until each has a response or waits for a directory. */
  async function logInAll(people: string[]): Promise<Promise<void>[]> {
    let answered = 0
    const signIns: Promise<void>[] = []
    for (const email of people) {
      const signIn = logIn(email).then((answer) => {
        expectError(answer, 503, 'unavailable')
        answered++
      })
      signIns.push(signIn)
      if (signIns.length % 10 === 0)
        await expect
          .poll(() => begun + answered, { interval: 5, timeout: 10_000 })
          .toBeGreaterThanOrEqual(signIns.length)
    }
    return signIns
  }

  it('occupies no slot of the hash queue', async () => {
    const user = await registerUser(service)
    const waiting = await logInAll(people.slice(0, 30))
    // More than the slots that the teams of one creator may take. On a busy machine, some sign-ins end before they reach the directory.
    expect(begun).toBeGreaterThan(20)
    expect((await logIn(user.email)).status).toBe(200)
    await Promise.all(waiting)
  })

  it('rejects sign-ins above 40 concurrent ones to directories of one creator, and affects no other team', async () => {
    const other = await teamWithDirectory(await registerUser(service), 1, false)
    const waiting = await logInAll(people)
    expect((await logIn(other[0] as string)).status).toBe(200)
    await Promise.all(waiting)
    expect(most).toBeLessThanOrEqual(40)
  })
})
