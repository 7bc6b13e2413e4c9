import { expectFound, expectStatus, expectValue, idOf, Mismatch } from './expectations.js'
import { valueAt } from './json.js'
import { makeUpPerson } from './person.js'
import { filterQuery, patchOf, USER_SCHEMA, type Vendor } from './vendor.js'

/**
 * Google Workspace, "automatic user provisioning": it looks for a user by name, makes it, changes single attributes by paths or replaces
 * the whole user, suspends by `active`, and deletes whoever has left some days later. It pushes no groups.
 */
export const google: Vendor = {
  name: 'Google Workspace',
  userAgent: 'Google-Auto-Provisioning (simulated)',
  async play(rehearsal, scim) {
    const person = makeUpPerson('google')
    const lookFor = () =>
      scim.send('GET', `/Users?${filterQuery(`userName eq "${person.userName}"`)}&startIndex=1&count=1`)
    const asGoogle = (change: object = {}) => ({
      schemas: [USER_SCHEMA],
      externalId: person.externalId,
      userName: person.userName,
      name: {
        givenName: person.givenName,
        familyName: person.familyName,
        formatted: `${person.givenName} ${person.familyName}`,
      },
      displayName: `${person.givenName} ${person.familyName}`,
      emails: [{ value: person.userName, type: 'work', primary: true }],
      phoneNumbers: [{ value: '+1 555 0101', type: 'work' }],
      active: true,
      ...change,
    })

    await rehearsal.step('reads what the service can do', async () => {
      const { body } = expectStatus(await scim.send('GET', '/ServiceProviderConfig'), 200)
      expectValue(body, 'patch/supported', true)
    })
    await rehearsal.step('looks for the user by name and finds nobody', async () => {
      expectFound(await lookFor(), 0)
    })
    const id = await rehearsal.make('creates the user', async () => {
      const { body } = expectStatus(await scim.send('POST', '/Users', asGoogle()), 201)
      expectValue(body, 'userName', person.userName)
      return idOf(body)
    })
    const user = `/Users/${id}`
    const readUser = async () => expectStatus(await scim.send('GET', user), 200).body
    rehearsal.finally('deletes the user, and once more', async () => {
      expectStatus(await scim.send('DELETE', user), 204)
      expectStatus(await scim.send('DELETE', user), 204, 404)
      const { status, body } = await scim.send('GET', user)
      if (status !== 404 && valueAt(body, 'active') !== false)
        throw new Mismatch('expected a user who was deleted to be gone or inactive')
    })
    await rehearsal.step('finds the user by name', async () => {
      const [found] = expectFound(await lookFor(), 1)
      expectValue(found, 'id', id)
    })
    await rehearsal.step('changes single attributes', async () => {
      const change = patchOf(
        { op: 'replace', path: 'name.familyName', value: 'Renamed' },
        { op: 'replace', path: 'title', value: 'Lead' },
      )
      expectStatus(await scim.send('PATCH', user, change), 200, 204)
      const body = await readUser()
      expectValue(body, 'name/familyName', 'Renamed')
      expectValue(body, 'title', 'Lead')
    })
    await rehearsal.step('replaces the user', async () => {
      expectStatus(await scim.send('PUT', user, asGoogle({ id, title: 'Principal' })), 200)
      const body = await readUser()
      expectValue(body, 'name/familyName', person.familyName)
      expectValue(body, 'title', 'Principal')
    })
    await rehearsal.step('suspends the user', async () => {
      const change = patchOf({ op: 'replace', path: 'active', value: false })
      expectStatus(await scim.send('PATCH', user, change), 200, 204)
      expectValue(await readUser(), 'active', false)
    })
    await rehearsal.step('takes the suspension back', async () => {
      const change = patchOf({ op: 'replace', path: 'active', value: true })
      expectStatus(await scim.send('PATCH', user, change), 200, 204)
      expectValue(await readUser(), 'active', true)
    })
  },
}
