import { expectFound, expectStatus, expectValue, idOf, Mismatch } from './expectations.js'
import { createFictionalUser } from './fictional-user.js'
import { valueAt } from './json.js'
import { filterQuery, patchOf, USER_SCHEMA, type Vendor } from './vendor.js'

/**
 * Google Workspace ("automatic user provisioning"): searches for a user by name, creates it, changes single attributes with paths or
 * replaces the whole user, suspends with `active`, and deletes former users some days later. It does not push groups.
 */
export const google: Vendor = {
  name: 'Google Workspace',
  userAgent: 'Google-Auto-Provisioning (simulated)',
  async run(simulation, scim) {
    const user = createFictionalUser('google')
    const findByName = () =>
      scim.send('GET', `/Users?${filterQuery(`userName eq "${user.userName}"`)}&startIndex=1&count=1`)
    const userBody = (change: object = {}) => ({
      schemas: [USER_SCHEMA],
      externalId: user.externalId,
      userName: user.userName,
      name: {
        givenName: user.givenName,
        familyName: user.familyName,
        formatted: `${user.givenName} ${user.familyName}`,
      },
      displayName: `${user.givenName} ${user.familyName}`,
      emails: [{ value: user.userName, type: 'work', primary: true }],
      phoneNumbers: [{ value: '+1 555 0101', type: 'work' }],
      active: true,
      ...change,
    })

    await simulation.step('reads the service provider configuration', async () => {
      const { body } = expectStatus(await scim.send('GET', '/ServiceProviderConfig'), 200)
      expectValue(body, 'patch/supported', true)
    })
    await simulation.step('searches for the user by name and finds none', async () => {
      expectFound(await findByName(), 0)
    })
    const id = await simulation.requiredStep('creates the user', async () => {
      const { body } = expectStatus(await scim.send('POST', '/Users', userBody()), 201)
      expectValue(body, 'userName', user.userName)
      return idOf(body)
    })
    const userPath = `/Users/${id}`
    const readUser = async () => expectStatus(await scim.send('GET', userPath), 200).body
    simulation.finally('deletes the user twice', async () => {
      expectStatus(await scim.send('DELETE', userPath), 204)
      expectStatus(await scim.send('DELETE', userPath), 204, 404)
      const { status, body } = await scim.send('GET', userPath)
      if (status !== 404 && valueAt(body, 'active') !== false)
        throw new Mismatch('expected the deleted user to be gone or inactive')
    })
    await simulation.step('finds the user by name', async () => {
      const [found] = expectFound(await findByName(), 1)
      expectValue(found, 'id', id)
    })
    await simulation.step('changes single attributes', async () => {
      const change = patchOf(
        { op: 'replace', path: 'name.familyName', value: 'Renamed' },
        { op: 'replace', path: 'title', value: 'Lead' },
      )
      expectStatus(await scim.send('PATCH', userPath, change), 200, 204)
      const body = await readUser()
      expectValue(body, 'name/familyName', 'Renamed')
      expectValue(body, 'title', 'Lead')
    })
    await simulation.step('replaces the user', async () => {
      expectStatus(await scim.send('PUT', userPath, userBody({ id, title: 'Principal' })), 200)
      const body = await readUser()
      expectValue(body, 'name/familyName', user.familyName)
      expectValue(body, 'title', 'Principal')
    })
    await simulation.step('suspends the user', async () => {
      const change = patchOf({ op: 'replace', path: 'active', value: false })
      expectStatus(await scim.send('PATCH', userPath, change), 200, 204)
      expectValue(await readUser(), 'active', false)
    })
    await simulation.step('reactivates the user', async () => {
      const change = patchOf({ op: 'replace', path: 'active', value: true })
      expectStatus(await scim.send('PATCH', userPath, change), 200, 204)
      expectValue(await readUser(), 'active', true)
    })
  },
}
