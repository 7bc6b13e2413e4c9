import { expectFound, expectMembers, expectStatus, expectValue, idOf, Mismatch } from './expectations.js'
import { createFictionalUser, createGroupName } from './fictional-user.js'
import { valueAt } from './json.js'
import { filterQuery, GROUP_SCHEMA, patchOf, USER_SCHEMA, type Vendor } from './vendor.js'

/**
 * Okta, with an application with "SCIM provisioning": searches for a user before creating it, replaces the whole user on each change
 * (PUT), changes `active` with a PATCH without a path, never deletes users, and pushes groups by name.
 */
export const okta: Vendor = {
  name: 'Okta',
  userAgent: 'Okta SCIM Client 1.0.0',
  async run(simulation, scim) {
    const user = createFictionalUser('okta')
    const userBody = (change: object = {}) => ({
      schemas: [USER_SCHEMA],
      userName: user.userName,
      name: { givenName: user.givenName, familyName: user.familyName },
      emails: [{ primary: true, value: user.userName, type: 'work' }],
      displayName: `${user.givenName} ${user.familyName}`,
      locale: 'en-US',
      externalId: user.externalId,
      groups: [],
      active: true,
      ...change,
    })
    const searchPath = `/Users?${filterQuery(`userName eq "${user.userName}"`)}&startIndex=1&count=100`

    await simulation.step('tests the connection: reads two users', async () => {
      const response = expectStatus(await scim.send('GET', '/Users?startIndex=1&count=2'), 200)
      if (typeof valueAt(response.body, 'totalResults') !== 'number')
        throw new Mismatch('expected totalResults, got none')
    })
    await simulation.step('searches for the user by name and finds none', async () => {
      expectFound(await scim.send('GET', searchPath), 0)
    })
    const id = await simulation.requiredStep('creates the user', async () => {
      const response = expectStatus(await scim.send('POST', '/Users', userBody({ password: 'Okta-sends-one-1' })), 201)
      expectValue(response.body, 'userName', user.userName)
      expectValue(response.body, 'active', true)
      expectValue(response.body, 'externalId', user.externalId)
      if (valueAt(response.body, 'password') !== undefined) throw new Mismatch('expected no password in the response')
      return idOf(response.body)
    })
    const userPath = `/Users/${id}`
    simulation.finally('deactivates the user at the end', async () => {
      expectStatus(await scim.send('PATCH', userPath, patchOf({ op: 'replace', value: { active: false } })), 200, 204)
    })
    await simulation.step('reads the user', async () => {
      const { body } = expectStatus(await scim.send('GET', userPath), 200)
      expectValue(body, 'name/givenName', user.givenName)
      expectValue(body, 'emails/0/value', user.userName)
    })
    await simulation.step('finds the user by name', async () => {
      const [found] = expectFound(await scim.send('GET', searchPath), 1)
      expectValue(found, 'id', id)
    })
    await simulation.step('changes the profile by replacing the user', async () => {
      const name = { givenName: 'Simon', familyName: user.familyName }
      expectStatus(await scim.send('PUT', userPath, userBody({ id, name, title: 'Engineer' })), 200)
      const { body } = expectStatus(await scim.send('GET', userPath), 200)
      expectValue(body, 'name/givenName', 'Simon')
      expectValue(body, 'title', 'Engineer')
    })
    await simulation.step('deactivates the user', async () => {
      expectStatus(await scim.send('PATCH', userPath, patchOf({ op: 'replace', value: { active: false } })), 200, 204)
      expectValue((await scim.send('GET', userPath)).body, 'active', false)
    })
    await simulation.step('reactivates the user', async () => {
      expectStatus(await scim.send('PATCH', userPath, patchOf({ op: 'replace', value: { active: true } })), 200, 204)
      expectValue((await scim.send('GET', userPath)).body, 'active', true)
    })
    await simulation.step('imports the users in pages', async () => {
      const first = expectStatus(await scim.send('GET', '/Users?startIndex=1&count=100'), 200)
      expectValue(first.body, 'startIndex', 1)
    })

    const displayName = createGroupName('okta')
    const groupSearchPath = `/Groups?${filterQuery(`displayName eq "${displayName}"`)}&startIndex=1&count=100`
    await simulation.step('searches for the group by name and finds none', async () => {
      expectFound(await scim.send('GET', groupSearchPath), 0)
    })
    const groupId = await simulation.requiredStep('pushes the group', async () => {
      const response = await scim.send('POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName, members: [] })
      expectValue(expectStatus(response, 201).body, 'displayName', displayName)
      return idOf(response.body)
    })
    const group = `/Groups/${groupId}`
    simulation.finally('deletes the group', async () => {
      expectStatus(await scim.send('DELETE', group), 204)
      expectStatus(await scim.send('GET', group), 404)
    })
    await simulation.step('adds the member', async () => {
      const add = { op: 'add', path: 'members', value: [{ value: id, display: user.userName }] }
      expectStatus(await scim.send('PATCH', group, patchOf(add)), 200, 204)
      expectMembers((await scim.send('GET', group)).body, [id])
    })
    await simulation.step('renames the group', async () => {
      const value = { id: groupId, displayName: `${displayName} renamed` }
      expectStatus(await scim.send('PATCH', group, patchOf({ op: 'replace', value })), 200, 204)
      const { body } = await scim.send('GET', group)
      expectValue(body, 'displayName', `${displayName} renamed`)
      expectMembers(body, [id])
    })
    await simulation.step('removes the member', async () => {
      const remove = { op: 'remove', path: `members[value eq "${id}"]` }
      expectStatus(await scim.send('PATCH', group, patchOf(remove)), 200, 204)
      expectMembers((await scim.send('GET', group)).body, [])
    })
    await simulation.step('pushes all members again', async () => {
      const replace = { op: 'replace', path: 'members', value: [{ value: id, display: user.userName }] }
      expectStatus(await scim.send('PATCH', group, patchOf(replace)), 200, 204)
      expectMembers((await scim.send('GET', group)).body, [id])
    })
  },
}
