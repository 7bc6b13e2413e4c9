import { spawnSync } from 'node:child_process'
import { type KeyObject, type KeyPairKeyObjectResult, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../src/protocols/saml/index.js'
import { metadataOf } from '../doubles/metadata-server.js'
import { codeFor, exchangeCode, expectOAuthError, registerApp } from '../doubles/relying-party.js'
import { type ScriptedProvider, startScriptedProvider } from '../doubles/scripted-provider.js'
import { createAuthenticator, type Tamper } from '../factories/authenticator.js'
import { CERTIFICATE, CERTIFIED } from '../factories/certified-key.js'
import { assertionClaims, assertionFields, compactJwt, publicJwk, signerOf } from '../factories/client-assertion.js'
import { dpopKey, dpopProof } from '../factories/dpop.js'
import { expectError, newEmail, registerUser, type TestUser } from '../factories/factories.js'
import { configuredApp, pemOf, validationErrorsOf } from '../factories/oidc-configuration.js'
import { addProvider, oidcProvider, signInBy } from '../factories/sso.js'
import { nextRsaKeyPair, rejectedRsaKeyPair } from '../harness/rsa-keys.mjs'
import { startService, type TestService } from '../harness/service.js'

const long = rejectedRsaKeyPair('bits')
const largeExponent = rejectedRsaKeyPair('exponent')
const accepted = nextRsaKeyPair()

/** The rejected keys with the message of every rejection. */
const REJECTED: [what: string, pair: KeyPairKeyObjectResult, why: RegExp][] = [
  ['more than 4,096 bits', long, /has 81\d\d bits: RSA keys must have 2048 to 4096 bits/],
  ['a public exponent of more than 32 bits', largeExponent, /has a public exponent that is not odd or not between/],
]

const certificateOf = ({ privateKey }: { privateKey: KeyObject }) =>
  makeCertificate({ privateKey, commonName: 'peer', from: new Date(), until: new Date(Date.now() + 86_400_000) })

describe.each(REJECTED)('an RSA key with %s', (_what, pair, why) => {
  let service: TestService
  let provider: ScriptedProvider
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    provider = await startScriptedProvider()
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
  })
  beforeEach(async () => {
    owner = await registerUser(service)
    provider.script = {}
  })

  const send = (method: string, path: string, body: unknown) =>
    service.api(method, `/api/v1${path}`, { token: owner.token, body })
  const now = () => Math.floor(service.clock.ms() / 1_000)

  it('rejects the key in the key set of a client, in the API and at the registration endpoint', async () => {
    const jwks = (...pairs: KeyPairKeyObjectResult[]) => ({
      keys: pairs.map(({ publicKey }, index) => publicJwk(publicKey, `${index}`)),
    })
    const app = { name: 'App', type: 'OIDC', redirectUris: ['https://rp.example/callback'] }
    const message = expect.stringMatching(why)
    expect(validationErrorsOf(await send('POST', '/applications', { ...app, jwks: jwks(pair) }))).toEqual([
      ['/jwks/keys/0', message],
    ])
    const { id } = await registerApp(service, owner, { jwks: jwks(accepted) })
    expect(validationErrorsOf(await send('PUT', `/applications/${id}`, { jwks: jwks(accepted, pair) }))).toEqual([
      ['/jwks/keys/1', message],
    ])
    const { body } = await send('POST', '/api-tokens', { name: 'CI', scopes: ['applications:write'] })
    const registered = await service.api('POST', '/api/v1/oauth/register', {
      body: { client_name: 'App', team_id: owner.teamId, jwks: jwks(pair), grant_types: ['client_credentials'] },
      headers: { 'x-api-token': body.token },
    })
    expectOAuthError(registered, 'invalid_client_metadata')
    expect(registered.body.error_description).toMatch(why)
  })

  it('rejects the authentication of a client by a key that was stored before such keys were rejected', async () => {
    const tokenEndpointAuthMethod = 'private_key_jwt'
    const fields = { tokenEndpointAuthMethod, jwks: { keys: [publicJwk(accepted.publicKey, 'one')] } }
    const app = await registerApp(service, owner, { ...fields, grantTypes: ['client_credentials'], scopes: ['api'] })
    const requestTokens = async ({ privateKey }: KeyPairKeyObjectResult) => {
      const assertion = (audience: string) =>
        assertionFields(
          compactJwt(
            { alg: 'RS256', kid: 'one' },
            assertionClaims(app.clientId, audience, now()),
            signerOf(privateKey),
          ),
        )
      const post = (path: string, form: Record<string, string>) =>
        service.api('POST', path, {
          raw: new URLSearchParams(form).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      const token = { grant_type: 'client_credentials', scope: 'api', ...assertion(app.issuer) }
      const introspect = '/api/v1/oauth/introspect'
      return [
        await post(`${app.idp}/token`, token),
        await post(introspect, { token: 'x', ...assertion(`${service.baseUrl}${introspect}`) }),
      ]
    }
    expect((await requestTokens(accepted)).map(({ status }) => status)).toEqual([200, 200])
    await service.sql('UPDATE applications SET jwks = $2, version = version + 1 WHERE id = $1', [
      app.id,
      JSON.stringify({ keys: [publicJwk(pair.publicKey, 'one')] }),
    ])
    for (const answer of await requestTokens(pair)) expectOAuthError(answer, 'invalid_client', 401)
  })

  it('rejects the key in an import of a signing key and in its certificate chain', async () => {
    const app = await configuredApp(service, owner)
    const imported = { kid: 'mine', algorithm: 'RS256', ...pemOf(pair) }
    const message = expect.stringMatching(why)
    expect(validationErrorsOf(await app.call('POST', '/signing-keys', imported))).toEqual([
      ['/publicKey', message],
      ['/privateKey', message],
    ])
    const certChain = CERTIFICATE + certificateOf(pair)
    const chained = { kid: 'mine', algorithm: 'ES256', ...CERTIFIED, certChain }
    expect(validationErrorsOf(await app.call('POST', '/signing-keys', chained))).toEqual([['/certChain', message]])
  })

  it('rejects the certificate of a SAML provider and of a SAML application with this key', async () => {
    const certificate = certificateOf(pair)
    const saml = { name: 'P', type: 'GENERIC_SAML', protocol: 'SAML2', samlEntityId: 'https://idp.example' }
    const created = await send('POST', '/sso/providers', {
      ...saml,
      samlSsoUrl: 'https://idp.example/sso',
      samlCertificate: certificate,
    })
    expect(validationErrorsOf(created)).toEqual([['/samlCertificate', expect.stringMatching(why)]])
    const app = { name: 'S', type: 'SAML', samlSpEntityId: 'https://sp.example', samlSpCertificate: certificate }
    expect(validationErrorsOf(await send('POST', '/applications', app))).toEqual([
      ['/samlSpCertificate', expect.stringMatching(why)],
    ])
  })

  it('ignores the key in SAML metadata and adds a warning', async () => {
    const xml = metadataOf({
      entityId: 'https://idp.example',
      ssoUrl: 'https://idp.example/sso',
      certificates: [certificateOf(pair), CERTIFICATE],
    })
    const { status, body, text } = await send('POST', '/sso/metadata/parse', { xml })
    expect(status, text).toBe(200)
    expect(body.certificates.map(({ subject }: { subject: string }) => subject)).toEqual(['CN=own'])
    expect(body.warnings).toContainEqual(expect.stringMatching(why))
    expectError(
      await send('POST', '/sso/metadata/parse', {
        xml: xml.replaceAll(bodyOf(CERTIFICATE), bodyOf(certificateOf(pair))),
      }),
      400,
      'sso_metadata_invalid',
    )
  })

  it('ignores the key in the key set of an OpenID provider', async () => {
    const { id } = await addProvider(service, owner, oidcProvider(provider))
    const useProviderKey = ({ publicKey, privateKey }: KeyPairKeyObjectResult) => {
      provider.script = {
        keys: { keys: [publicJwk(publicKey, 'peer')] },
        header: { kid: 'peer' },
        signature: (input) => signerOf(privateKey)(input).toString('base64url'),
      }
    }
    const claims = () => ({
      sub: newEmail(),
      email: newEmail(),
      email_verified: true,
      given_name: 'A',
      family_name: 'B',
    })
    useProviderKey(pair)
    expect(await signInBy(service, id, provider, claims())).toMatchObject({ error: 'sso_token_invalid' })
    const tested = await send('POST', `/sso/providers/${id}/test`, {})
    expect(tested.body.checks).toContainEqual(
      expect.objectContaining({ id: 'keys', status: 'failed', detail: expect.stringContaining('2048 to 4096 bits') }),
    )
    const other = await addProvider(service, owner, oidcProvider(provider))
    useProviderKey(accepted)
    expect(await signInBy(service, other.id, provider, claims())).not.toMatchObject({ error: 'sso_token_invalid' })
  })

  it('rejects a DPoP proof with this key at the token endpoint and at userinfo', async () => {
    const app = await registerApp(service, owner)
    const header = { alg: 'RS256' }
    const [good, bad] = [dpopKey(accepted), dpopKey(pair)]
    const code = await codeFor(service, app, owner)
    const exchange = (key: typeof good) =>
      exchangeCode(service, app, code, {
        headers: { dpop: dpopProof(service, key, `${app.issuer}/token`, { header }) },
      })
    const rejectedExchange = await exchange(bad)
    expectOAuthError(rejectedExchange, 'invalid_dpop_proof')
    expect(rejectedExchange.body.error_description).toMatch(why)
    const { status, body } = await exchange(good)
    expect(status, JSON.stringify(body)).toBe(200)
    const userinfo = (key: typeof good) => {
      const proof = { method: 'GET', accessToken: body.access_token, header }
      return service.api('GET', `${app.idp}/userinfo`, {
        headers: {
          authorization: `DPoP ${body.access_token}`,
          dpop: dpopProof(service, key, `${app.issuer}/userinfo`, proof),
        },
      })
    }
    const rejected = await userinfo(bad)
    expectOAuthError(rejected, 'invalid_dpop_proof', 401)
    expect(rejected.body.error_description).toMatch(why)
    expect((await userinfo(good)).status).toBe(200)
  })

  it('rejects a passkey with this key and an attestation certificate with it', async () => {
    const enrol = async (tamper: Tamper) => {
      const { token } = await registerUser(service)
      const options = await service.api('GET', '/api/v1/auth/mfa/passkey/options', { token })
      const credential = createAuthenticator().create(options.body, tamper)
      return service.api('POST', '/api/v1/auth/mfa/passkey/enroll', { token, body: { credential } })
    }
    const attestedBy = ({ privateKey }: KeyPairKeyObjectResult) => ({
      attestedBy: { privateKey, certificate: attestationCertificate(privateKey) },
    })
    expect((await enrol({ keys: accepted })).status).toBe(200)
    expectError(await enrol({ keys: pair }), 400, 'passkey_invalid')
    expect((await enrol(attestedBy(accepted))).status).toBe(200)
    expectError(await enrol(attestedBy(pair)), 400, 'passkey_invalid')
  })

  it('rejects the CA certificate of an LDAP directory with this key', async () => {
    const directory = {
      ldapUrl: 'ldaps://ldap.example.com',
      ldapBaseDn: 'dc=example,dc=com',
      ldapBindDn: 'cn=reader,dc=example,dc=com',
      ldapBindPassword: 'the password of the reader',
    }
    const save = (caCertificate: string) => send('POST', '/directory/ldap/config', { ...directory, caCertificate })
    expect(validationErrorsOf(await save(CERTIFICATE + certificateOf(pair)))).toEqual([
      ['/caCertificate', expect.stringMatching(why)],
    ])
    expect((await save(certificateOf(accepted))).status).toBe(201)
  })
})

describe('an RSA key with an even public exponent', () => {
  it('rejects an even public exponent in the key set of a client', async () => {
    const service = await startService()
    const { token } = await registerUser(service)
    const key = { ...publicJwk(accepted.publicKey, 'even'), e: 'AQAA' }
    const body = { name: 'App', type: 'OIDC', redirectUris: ['https://rp.example/callback'], jwks: { keys: [key] } }
    const answer = await service.api('POST', '/api/v1/applications', { token, body })
    expect(validationErrorsOf(answer)).toEqual([['/jwks/keys/0', expect.stringContaining('has a public exponent')]])
    await service.close()
  })
})

const bodyOf = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, '')

/** Creates a self-signed attestation certificate (WebAuthn Level 3, 8.2.1). */
function attestationCertificate(privateKey: KeyObject): Buffer {
  const subject = '/C=DE/O=Test/OU=Authenticator Attestation/CN=Test'
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', `cat | openssl req -x509 -key /dev/stdin -subj '${subject}' -addext basicConstraints=critical,CA:FALSE`],
    { input: privateKey.export({ format: 'pem', type: 'pkcs8' }) },
  )
  if (stdout.length === 0) throw new Error(String(stderr))
  return new X509Certificate(stdout).raw
}
