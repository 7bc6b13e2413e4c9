import { randomUUID } from 'node:crypto'
import { expectFound, expectMembers, expectStatus, expectValue, idOf, Mismatch } from './expectations.js'
import { createFictionalUser, createGroupName } from './fictional-user.js'
import { type Json, valueAt } from './json.js'
import { ENTERPRISE_SCHEMA, filterQuery, GROUP_SCHEMA, patchOf, USER_SCHEMA, type Vendor } from './vendor.js'

/**
 * Microsoft Entra ID: capitalizes the operations of a PATCH, sends `active` as a string, changes single attributes with value paths,
 * reads groups without their members, and checks memberships with a filter.
 */
export const entra: Vendor = {
  name: 'Microsoft Entra ID',
  userAgent: 'Microsoft Entra ID provisioning (simulated)',
  async run(simulation, scim) {
    const user = createFictionalUser('entra')
    const manager = createFictionalUser('entra-manager')
    const findByName = (userName: string) => scim.send('GET', `/Users?${filterQuery(`userName eq "${userName}"`)}`)
    const create = async ({ userName, givenName, familyName, externalId }: typeof user) => {
      const response = await scim.send('POST', '/Users', {
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
      const { body } = expectStatus(response, 201)
      expectValue(body, 'userName', userName)
      expectValue(body, 'externalId', externalId)
      expectValue(body, `${ENTERPRISE_SCHEMA}/department`, 'Finance')
      return idOf(body)
    }

    await simulation.step('tests the connection: searches for an unknown user', async () => {
      expectFound(await findByName(randomUUID()), 0)
    })
    await simulation.step('searches for the user by name and finds none', async () => {
      expectFound(await findByName(user.userName), 0)
    })
    const id = await simulation.requiredStep('creates the user with the enterprise extension', () => create(user))
    const userPath = `/Users/${id}`
    const readUser = async () => expectStatus(await scim.send('GET', userPath), 200).body
    const patchUser = async (...operations: Json[]) =>
      expectStatus(await scim.send('PATCH', userPath, patchOf(...operations)), 200, 204)
    simulation.finally('deletes the user', async () => {
      expectStatus(await scim.send('DELETE', userPath), 204)
      const { status, body } = await scim.send('GET', userPath)
      if (status !== 404 && valueAt(body, 'active') !== false)
        throw new Mismatch('expected the deleted user to be gone or inactive')
    })
    await simulation.step('finds the user by its object ID', async () => {
      const [found] = expectFound(
        await scim.send('GET', `/Users?${filterQuery(`externalId eq "${user.externalId}"`)}`),
        1,
      )
      expectValue(found, 'id', id)
    })
    const managerId = await simulation.requiredStep('creates the manager', () => create(manager))
    simulation.finally('deletes the manager', async () => {
      expectStatus(await scim.send('DELETE', `/Users/${managerId}`), 204)
    })
    await simulation.step('changes attributes one by one', async () => {
      await patchUser(
        { op: 'Replace', path: 'displayName', value: 'Simone S.' },
        { op: 'Replace', path: 'name.givenName', value: 'Simona' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: user.userName },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
        { op: 'Replace', path: `${ENTERPRISE_SCHEMA}:department`, value: 'Research' },
      )
      const body = await readUser()
      expectValue(body, 'name/givenName', 'Simona')
      expectValue(body, 'name/familyName', user.familyName)
      expectValue(body, `${ENTERPRISE_SCHEMA}/department`, 'Research')
      expectValue(body, `${ENTERPRISE_SCHEMA}/employeeNumber`, '4711')
    })
    await simulation.step('sets the manager', async () => {
      await patchUser({ op: 'Add', path: `${ENTERPRISE_SCHEMA}:manager`, value: managerId })
      expectValue(await readUser(), `${ENTERPRISE_SCHEMA}/manager/value`, managerId)
    })
    await simulation.step('changes several attributes at once, without a path', async () => {
      await patchUser({
        op: 'replace',
        value: { displayName: 'Simone Two', 'name.familyName': 'Two', title: 'Director' },
      })
      const body = await readUser()
      expectValue(body, 'name/familyName', 'Two')
      expectValue(body, 'name/givenName', 'Simona')
      expectValue(body, 'title', 'Director')
    })
    await simulation.step('renames the user', async () => {
      const renamed = `renamed-${user.userName}`
      await patchUser(
        { op: 'Replace', path: 'userName', value: renamed },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: renamed },
      )
      expectValue(await readUser(), 'userName', renamed)
      expectFound(await findByName(renamed), 1)
      expectFound(await findByName(user.userName), 0)
    })
    await simulation.step('deactivates the user with the string False', async () => {
      await patchUser({ op: 'Replace', path: 'active', value: 'False' })
      expectValue(await readUser(), 'active', false)
    })
    await simulation.step('reactivates the user with the string True', async () => {
      await patchUser({ op: 'Replace', path: 'active', value: 'True' })
      expectValue(await readUser(), 'active', true)
    })

    const displayName = createGroupName('entra')
    await simulation.step('searches for the group without its members and finds none', async () => {
      const query = `excludedAttributes=members&${filterQuery(`displayName eq "${displayName}"`)}`
      expectFound(await scim.send('GET', `/Groups?${query}`), 0)
    })
    const groupId = await simulation.requiredStep('creates the group', async () => {
      const response = await scim.send('POST', '/Groups', {
        schemas: [GROUP_SCHEMA, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: randomUUID(),
        displayName,
        meta: { resourceType: 'Group' },
      })
      expectValue(expectStatus(response, 201).body, 'displayName', displayName)
      return idOf(response.body)
    })
    const group = `/Groups/${groupId}`
    const patchGroup = async (...operations: Json[]) =>
      expectStatus(await scim.send('PATCH', group, patchOf(...operations)), 200, 204)
    simulation.finally('deletes the group', async () => {
      expectStatus(await scim.send('DELETE', group), 204)
      expectStatus(await scim.send('GET', group), 404)
    })
    await simulation.step('reads the group without its members', async () => {
      const { body } = expectStatus(await scim.send('GET', `${group}?excludedAttributes=members`), 200)
      if (valueAt(body, 'members') !== undefined) throw new Mismatch('expected no members, as requested')
    })
    await simulation.step('adds two members', async () => {
      const value = [
        { $ref: null, value: id },
        { $ref: null, value: managerId },
      ]
      await patchGroup({ op: 'Add', path: 'members', value })
      expectMembers((await scim.send('GET', group)).body, [id, managerId])
    })
    await simulation.step('checks a membership', async () => {
      const query = filterQuery(`id eq "${groupId}" and members eq "${id}"`)
      expectFound(await scim.send('GET', `/Groups?excludedAttributes=members&${query}`), 1)
    })
    await simulation.step('removes a member by its value', async () => {
      await patchGroup({ op: 'Remove', path: 'members', value: [{ $ref: null, value: managerId }] })
      expectMembers((await scim.send('GET', group)).body, [id])
    })
    await simulation.step('renames the group', async () => {
      await patchGroup({ op: 'Replace', path: 'displayName', value: `${displayName} renamed` })
      expectValue((await scim.send('GET', group)).body, 'displayName', `${displayName} renamed`)
    })
  },
}
