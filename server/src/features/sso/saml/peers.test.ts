import { afterAll, describe, expect, it } from 'vitest'
import { newEmail, registerUser } from '../../../../test/factories/factories.js'
import { addSamlSite, beginSaml, bring, lastRecorded } from '../../../../test/factories/saml-sso.js'
import { fetchMe, resultOf } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'
import { startSamlIdpPeer } from '../../../../test/peers/saml-idp-peer.js'

const service = await startService()
afterAll(() => service.close())

describe('interoperability with a third-party SAML provider', () => {
  it.each([
    ['without encryption', false],
    ['encrypted for us', true],
  ])('signs a user in with a signed request and an assertion %s', async (_, encrypted) => {
    const owner = await registerUser(service)
    const email = newEmail()
    const metadata = await service.api('GET', `/api/v1/sso/saml/${owner.teamId}/metadata`)
    const peer = startSamlIdpPeer(metadata.text, email, () => service.clock.ms(), encrypted)
    const site = await addSamlSite(service, owner, { autoProvision: true, ...peer.fields })
    const { location, cookies } = await beginSaml(site)
    const forged = new URL(location)
    forged.searchParams.set('RelayState', '_another')
    await expect(peer.answer(forged)).rejects.toThrow()
    const field = Buffer.from(await peer.answer(location))
    const result = resultOf(await bring(site, field, { cookies }))
    const { outcome, detail } = await lastRecorded(site, owner)
    expect([outcome, detail]).toEqual(['signed_in', undefined])
    const { user, team } = await fetchMe(service, result.token)
    expect([user.email, user.firstName, team.id]).toEqual([email, 'Grace', owner.teamId])
  })
})
