import { expectFound, expectMembers, expectStatus, expectValue, idOf, Mismatch } from './expectations.js'
import { valueAt } from './json.js'
import { makeUpGroupName, makeUpPerson } from './person.js'
import { filterQuery, GROUP_SCHEMA, patchOf, USER_SCHEMA, type Vendor } from './vendor.js'

/**
 * Okta, by an application with "SCIM provisioning": it looks for a user before it makes one, replaces the whole user at each change (PUT),
 * switches `active` by a PATCH without a path, never deletes users, and pushes groups by their name.
 */
export const okta: Vendor = {
  name: 'Okta',
  userAgent: 'Okta SCIM Client 1.0.0',
  async play(rehearsal, scim) {
    const person = makeUpPerson('okta')
    const asOkta = (change: object = {}) => ({
      schemas: [USER_SCHEMA],
      userName: person.userName,
      name: { givenName: person.givenName, familyName: person.familyName },
      emails: [{ primary: true, value: person.userName, type: 'work' }],
      displayName: `${person.givenName} ${person.familyName}`,
      locale: 'en-US',
      externalId: person.externalId,
      groups: [],
      active: true,
      ...change,
    })
    const lookedFor = `/Users?${filterQuery(`userName eq "${person.userName}"`)}&startIndex=1&count=100`

    await rehearsal.step('tests the connection: reads two users', async () => {
      const answer = expectStatus(await scim.send('GET', '/Users?startIndex=1&count=2'), 200)
      if (typeof valueAt(answer.body, 'totalResults') !== 'number')
        throw new Mismatch('expected totalResults, got none')
    })
    await rehearsal.step('looks for the user by name and finds nobody', async () => {
      expectFound(await scim.send('GET', lookedFor), 0)
    })
    const id = await rehearsal.make('creates the user', async () => {
      const answer = expectStatus(await scim.send('POST', '/Users', asOkta({ password: 'Okta-sends-one-1' })), 201)
      expectValue(answer.body, 'userName', person.userName)
      expectValue(answer.body, 'active', true)
      expectValue(answer.body, 'externalId', person.externalId)
      if (valueAt(answer.body, 'password') !== undefined) throw new Mismatch('a password is never told')
      return idOf(answer.body)
    })
    const user = `/Users/${id}`
    rehearsal.finally('deactivates the user for good', async () => {
      expectStatus(await scim.send('PATCH', user, patchOf({ op: 'replace', value: { active: false } })), 200, 204)
    })
    await rehearsal.step('reads the user', async () => {
      const { body } = expectStatus(await scim.send('GET', user), 200)
      expectValue(body, 'name/givenName', person.givenName)
      expectValue(body, 'emails/0/value', person.userName)
    })
    await rehearsal.step('finds the user by name', async () => {
      const [found] = expectFound(await scim.send('GET', lookedFor), 1)
      expectValue(found, 'id', id)
    })
    await rehearsal.step('changes the profile by replacing the user', async () => {
      const name = { givenName: 'Simon', familyName: person.familyName }
      expectStatus(await scim.send('PUT', user, asOkta({ id, name, title: 'Engineer' })), 200)
      const { body } = expectStatus(await scim.send('GET', user), 200)
      expectValue(body, 'name/givenName', 'Simon')
      expectValue(body, 'title', 'Engineer')
    })
    await rehearsal.step('deactivates the user', async () => {
      expectStatus(await scim.send('PATCH', user, patchOf({ op: 'replace', value: { active: false } })), 200, 204)
      expectValue((await scim.send('GET', user)).body, 'active', false)
    })
    await rehearsal.step('reactivates the user', async () => {
      expectStatus(await scim.send('PATCH', user, patchOf({ op: 'replace', value: { active: true } })), 200, 204)
      expectValue((await scim.send('GET', user)).body, 'active', true)
    })
    await rehearsal.step('imports the users page by page', async () => {
      const first = expectStatus(await scim.send('GET', '/Users?startIndex=1&count=100'), 200)
      expectValue(first.body, 'startIndex', 1)
    })

    const displayName = makeUpGroupName('okta')
    const looksForGroup = `/Groups?${filterQuery(`displayName eq "${displayName}"`)}&startIndex=1&count=100`
    await rehearsal.step('looks for the group by name and finds none', async () => {
      expectFound(await scim.send('GET', looksForGroup), 0)
    })
    const groupId = await rehearsal.make('pushes the group', async () => {
      const answer = await scim.send('POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName, members: [] })
      expectValue(expectStatus(answer, 201).body, 'displayName', displayName)
      return idOf(answer.body)
    })
    const group = `/Groups/${groupId}`
    rehearsal.finally('deletes the group', async () => {
      expectStatus(await scim.send('DELETE', group), 204)
      expectStatus(await scim.send('GET', group), 404)
    })
    await rehearsal.step('adds the member', async () => {
      const add = { op: 'add', path: 'members', value: [{ value: id, display: person.userName }] }
      expectStatus(await scim.send('PATCH', group, patchOf(add)), 200, 204)
      expectMembers((await scim.send('GET', group)).body, [id])
    })
    await rehearsal.step('renames the group', async () => {
      const value = { id: groupId, displayName: `${displayName} renamed` }
      expectStatus(await scim.send('PATCH', group, patchOf({ op: 'replace', value })), 200, 204)
      const { body } = await scim.send('GET', group)
      expectValue(body, 'displayName', `${displayName} renamed`)
      expectMembers(body, [id])
    })
    await rehearsal.step('removes the member', async () => {
      const remove = { op: 'remove', path: `members[value eq "${id}"]` }
      expectStatus(await scim.send('PATCH', group, patchOf(remove)), 200, 204)
      expectMembers((await scim.send('GET', group)).body, [])
    })
    await rehearsal.step('pushes all members once more', async () => {
      const replace = { op: 'replace', path: 'members', value: [{ value: id, display: person.userName }] }
      expectStatus(await scim.send('PATCH', group, patchOf(replace)), 200, 204)
      expectMembers((await scim.send('GET', group)).body, [id])
    })
  },
}
