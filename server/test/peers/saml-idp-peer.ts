import { createRequire } from 'node:module'
import { newSigningKey } from './saml-peer.js'

// Its own types would add browser globals to all other files.
const require = createRequire(import.meta.url)
const samlify = require('samlify') as Samlify

interface Samlify {
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void
  IdentityProvider(settings: Record<string, unknown>): PeerProvider
  ServiceProvider(settings: { metadata: string }): PeerService
  SamlLib: {
    replaceTagsByValue(template: string, values: Record<string, string>): string
    defaultLoginResponseTemplate: { context: string }
  }
}
interface PeerProvider {
  parseLoginRequest(
    sp: PeerService,
    binding: 'redirect',
    request: { query: Record<string, string>; octetString: string },
  ): Promise<{ extract: { request: { id: string } } }>
  createLoginResponse(
    sp: PeerService,
    request: object,
    binding: 'post',
    user: object,
    fill: (template: string) => { id: string; context: string },
  ): Promise<{ context: string }>
}
interface PeerService {
  entityMeta: { getAssertionConsumerService(binding: 'post'): string; getEntityID(): string }
}

/** A third-party identity provider with one signed-in user. */
export interface SamlIdpPeer {
  /** The configuration of a provider. */
  fields: { samlEntityId: string; samlSsoUrl: string; samlCertificate: string }
  /** Verifies the request and returns the form field of the response. @throws if the request does not match the metadata */
  answer(location: URL): Promise<string>
}

const FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/**
 * @param metadata the only configuration of the service provider
 * @param encrypted true to encrypt assertions to the service provider
 */
export function startSamlIdpPeer(metadata: string, email: string, now: () => number, encrypted: boolean): SamlIdpPeer {
  // It requires a schema validator but contains none.
  samlify.setSchemaValidator({ validate: async () => 'skipped' })
  const key = newSigningKey('peer.example')
  const fields = {
    samlEntityId: 'https://peer.example/metadata',
    samlSsoUrl: 'https://peer.example/sso',
    samlCertificate: key.certificate,
  }
  const idp = samlify.IdentityProvider({
    entityID: fields.samlEntityId,
    signingCert: key.certificate,
    privateKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    isAssertionEncrypted: encrypted,
    dataEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    wantAuthnRequestsSigned: true,
    nameIDFormat: [FORMAT],
    singleSignOnService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: fields.samlSsoUrl },
    ],
    loginResponseTemplate: {
      context: samlify.SamlLib.defaultLoginResponseTemplate.context,
      attributes: [
        {
          name: 'urn:oid:2.5.4.42',
          nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
          valueXsiType: 'xs:string',
          valueTag: 'user.firstName',
        },
      ],
    },
  })
  const sp = samlify.ServiceProvider({ metadata })
  const at = (seconds: number) => new Date(now() + seconds * 1_000).toISOString()

  const fill = (template: string, inResponseTo: string): string => {
    const acs = sp.entityMeta.getAssertionConsumerService('post')
    const statement = `<saml:AuthnStatement AuthnInstant="${at(-5)}" SessionIndex="_session"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
    return samlify.SamlLib.replaceTagsByValue(template.replace('{AuthnStatement}', statement), {
      ID: `_${now()}`,
      AssertionID: `_assertion-${now()}`,
      Destination: acs,
      SubjectRecipient: acs,
      Audience: sp.entityMeta.getEntityID(),
      Issuer: fields.samlEntityId,
      IssueInstant: at(0),
      StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      ConditionsNotBefore: at(-5),
      ConditionsNotOnOrAfter: at(300),
      SubjectConfirmationDataNotOnOrAfter: at(300),
      NameIDFormat: FORMAT,
      NameID: email,
      InResponseTo: inResponseTo,
      attrUserFirstName: 'Grace',
    })
  }

  return {
    fields,
    async answer({ searchParams }) {
      const octetString = ['SAMLRequest', 'RelayState', 'SigAlg']
        .map((name) => `${name}=${encodeURIComponent(searchParams.get(name) ?? '')}`)
        .join('&')
      const request = await idp.parseLoginRequest(sp, 'redirect', {
        query: Object.fromEntries(searchParams),
        octetString,
      })
      const { id } = request.extract.request
      const made = (template: string) => ({ id, context: fill(template, id) })
      return (await idp.createLoginResponse(sp, request, 'post', {}, made)).context
    },
  }
}
