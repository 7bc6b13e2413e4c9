import { afterAll, describe, expect, it } from 'vitest'
import { newEmail, registerUser } from '../../../../test/factories/factories.js'
import { addSamlSite, signInBySaml } from '../../../../test/factories/saml-sso.js'
import { fetchMe } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
afterAll(() => service.close())

const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'

describe('the attribute names of a vendor', () => {
  it.each([
    ['VENDORA', 'login', 'firstName', 'lastName'],
    ['VENDORB_AD', `${XMLSOAP}name`, `${XMLSOAP}givenname`, `${XMLSOAP}surname`],
    ['VENDORC_WORKSPACE', 'Primary email', 'First name', 'Last name'],
  ])('maps the attributes of %s without a mapping', async (type, address, first, last) => {
    const owner = await registerUser(service)
    const site = await addSamlSite(service, owner, { type, autoProvision: true })
    const email = newEmail()
    const attributes = { [address]: [email], [first]: ['Ada'], [last]: ['Lovelace'] }
    const nameId = '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">lasting</saml:NameID>'
    const { token } = await signInBySaml(site, { email, attributes }, { nameId })
    expect((await fetchMe(service, token)).user).toMatchObject({ email, firstName: 'Ada', lastName: 'Lovelace' })
  })
})
