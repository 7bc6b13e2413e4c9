import { randomUUID } from 'node:crypto'
import { expectFound, expectMembers, expectStatus, expectValue, idOf, Mismatch } from './expectations.js'
import { type Json, valueAt } from './json.js'
import { makeUpGroupName, makeUpPerson } from './person.js'
import { ENTERPRISE_SCHEMA, filterQuery, GROUP_SCHEMA, patchOf, USER_SCHEMA, type Vendor } from './vendor.js'

/**
 * Microsoft Entra ID: it writes the operations of a PATCH with a capital letter, `active` as a text, single attributes by value paths,
 * reads groups without their members, and asks whether somebody is in a group by a filter.
 */
export const entra: Vendor = {
  name: 'Microsoft Entra ID',
  userAgent: 'Microsoft Entra ID provisioning (simulated)',
  async play(rehearsal, scim) {
    const person = makeUpPerson('entra')
    const manager = makeUpPerson('entra-manager')
    const lookFor = (userName: string) => scim.send('GET', `/Users?${filterQuery(`userName eq "${userName}"`)}`)
    const create = async ({ userName, givenName, familyName, externalId }: typeof person) => {
      const answer = await scim.send('POST', '/Users', {
        schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
        externalId,
        userName,
        active: true,
        displayName: `${givenName} ${familyName}`,
        emails: [{ primary: true, type: 'work', value: userName }],
        meta: { resourceType: 'User' },
        name: { formatted: `${givenName} ${familyName}`, familyName, givenName },
        roles: [],
        title: 'Analyst',
        [ENTERPRISE_SCHEMA]: { department: 'Finance', employeeNumber: '4711' },
      })
      const { body } = expectStatus(answer, 201)
      expectValue(body, 'userName', userName)
      expectValue(body, 'externalId', externalId)
      expectValue(body, `${ENTERPRISE_SCHEMA}/department`, 'Finance')
      return idOf(body)
    }

    await rehearsal.step('tests the connection: looks for somebody who cannot be there', async () => {
      expectFound(await lookFor(randomUUID()), 0)
    })
    await rehearsal.step('looks for the user by name and finds nobody', async () => {
      expectFound(await lookFor(person.userName), 0)
    })
    const id = await rehearsal.make('creates the user with the enterprise extension', () => create(person))
    const user = `/Users/${id}`
    const readUser = async () => expectStatus(await scim.send('GET', user), 200).body
    const patchUser = async (...operations: Json[]) =>
      expectStatus(await scim.send('PATCH', user, patchOf(...operations)), 200, 204)
    rehearsal.finally('deletes the user', async () => {
      expectStatus(await scim.send('DELETE', user), 204)
      const { status, body } = await scim.send('GET', user)
      if (status !== 404 && valueAt(body, 'active') !== false)
        throw new Mismatch('expected a user who was deleted to be gone or inactive')
    })
    await rehearsal.step('finds the user by its object id', async () => {
      const [found] = expectFound(
        await scim.send('GET', `/Users?${filterQuery(`externalId eq "${person.externalId}"`)}`),
        1,
      )
      expectValue(found, 'id', id)
    })
    const managerId = await rehearsal.make('creates the manager', () => create(manager))
    rehearsal.finally('deletes the manager', async () => {
      expectStatus(await scim.send('DELETE', `/Users/${managerId}`), 204)
    })
    await rehearsal.step('changes attributes one by one', async () => {
      await patchUser(
        { op: 'Replace', path: 'displayName', value: 'Simone S.' },
        { op: 'Replace', path: 'name.givenName', value: 'Simona' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: person.userName },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
        { op: 'Replace', path: `${ENTERPRISE_SCHEMA}:department`, value: 'Research' },
      )
      const body = await readUser()
      expectValue(body, 'name/givenName', 'Simona')
      expectValue(body, 'name/familyName', person.familyName)
      expectValue(body, `${ENTERPRISE_SCHEMA}/department`, 'Research')
      expectValue(body, `${ENTERPRISE_SCHEMA}/employeeNumber`, '4711')
    })
    await rehearsal.step('sets the manager', async () => {
      await patchUser({ op: 'Add', path: `${ENTERPRISE_SCHEMA}:manager`, value: managerId })
      expectValue(await readUser(), `${ENTERPRISE_SCHEMA}/manager/value`, managerId)
    })
    await rehearsal.step('changes several attributes at once, without a path', async () => {
      await patchUser({
        op: 'replace',
        value: { displayName: 'Simone Two', 'name.familyName': 'Two', title: 'Director' },
      })
      const body = await readUser()
      expectValue(body, 'name/familyName', 'Two')
      expectValue(body, 'name/givenName', 'Simona')
      expectValue(body, 'title', 'Director')
    })
    await rehearsal.step('renames the user', async () => {
      const renamed = `renamed-${person.userName}`
      await patchUser(
        { op: 'Replace', path: 'userName', value: renamed },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: renamed },
      )
      expectValue(await readUser(), 'userName', renamed)
      expectFound(await lookFor(renamed), 1)
      expectFound(await lookFor(person.userName), 0)
    })
    await rehearsal.step('deactivates the user by the text False', async () => {
      await patchUser({ op: 'Replace', path: 'active', value: 'False' })
      expectValue(await readUser(), 'active', false)
    })
    await rehearsal.step('reactivates the user by the text True', async () => {
      await patchUser({ op: 'Replace', path: 'active', value: 'True' })
      expectValue(await readUser(), 'active', true)
    })

    const displayName = makeUpGroupName('entra')
    await rehearsal.step('looks for the group without its members and finds none', async () => {
      const query = `excludedAttributes=members&${filterQuery(`displayName eq "${displayName}"`)}`
      expectFound(await scim.send('GET', `/Groups?${query}`), 0)
    })
    const groupId = await rehearsal.make('creates the group', async () => {
      const answer = await scim.send('POST', '/Groups', {
        schemas: [GROUP_SCHEMA, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: randomUUID(),
        displayName,
        meta: { resourceType: 'Group' },
      })
      expectValue(expectStatus(answer, 201).body, 'displayName', displayName)
      return idOf(answer.body)
    })
    const group = `/Groups/${groupId}`
    const patchGroup = async (...operations: Json[]) =>
      expectStatus(await scim.send('PATCH', group, patchOf(...operations)), 200, 204)
    rehearsal.finally('deletes the group', async () => {
      expectStatus(await scim.send('DELETE', group), 204)
      expectStatus(await scim.send('GET', group), 404)
    })
    await rehearsal.step('reads the group without its members', async () => {
      const { body } = expectStatus(await scim.send('GET', `${group}?excludedAttributes=members`), 200)
      if (valueAt(body, 'members') !== undefined) throw new Mismatch('expected no members, as asked for')
    })
    await rehearsal.step('adds two members', async () => {
      const value = [
        { $ref: null, value: id },
        { $ref: null, value: managerId },
      ]
      await patchGroup({ op: 'Add', path: 'members', value })
      expectMembers((await scim.send('GET', group)).body, [id, managerId])
    })
    await rehearsal.step('asks whether somebody is a member', async () => {
      const query = filterQuery(`id eq "${groupId}" and members eq "${id}"`)
      expectFound(await scim.send('GET', `/Groups?excludedAttributes=members&${query}`), 1)
    })
    await rehearsal.step('removes a member by its value', async () => {
      await patchGroup({ op: 'Remove', path: 'members', value: [{ $ref: null, value: managerId }] })
      expectMembers((await scim.send('GET', group)).body, [id])
    })
    await rehearsal.step('renames the group', async () => {
      await patchGroup({ op: 'Replace', path: 'displayName', value: `${displayName} renamed` })
      expectValue((await scim.send('GET', group)).body, 'displayName', `${displayName} renamed`)
    })
  },
}
