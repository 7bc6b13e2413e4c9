import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApp, type TestApp, withIssuerPath } from '../../../../test/doubles/relying-party.js'
import { registerUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { jwksOf, metadataOf, pathOf } from '../../../../test/peers/conformance.js'

/** OIDCCConfigTestPlan of the conformance suite, with an https URL instead of loopback. */
const BASE_URL = 'https://id.example'

let service: TestService
let app: TestApp

beforeAll(async () => {
  service = await startService({ env: { BASE_URL } })
  app = await registerApp(service, await registerUser(service))
})
afterAll(() => service.close())

const LISTS = [
  'scopes_supported',
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'introspection_endpoint_auth_methods_supported',
  'introspection_endpoint_auth_signing_alg_values_supported',
  'revocation_endpoint_auth_methods_supported',
  'revocation_endpoint_auth_signing_alg_values_supported',
  'code_challenge_methods_supported',
  'dpop_signing_alg_values_supported',
  'claims_supported',
  'claim_types_supported',
]
const FLAGS = [
  'claims_parameter_supported',
  'request_parameter_supported',
  'require_pushed_authorization_requests',
  'request_uri_parameter_supported',
  'authorization_response_iss_parameter_supported',
  'backchannel_logout_supported',
  'backchannel_logout_session_supported',
]
const ADDRESSES = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'introspection_endpoint',
  'revocation_endpoint',
  'service_documentation',
]

/** The application at each of its issuer URLs. */
const issuerUrls = () =>
  [app.teamId, app.id, `${app.teamId}/${app.id}`].map((path) => withIssuerPath(service, path, app))

describe('discovery', () => {
  it('oidcc-discovery-endpoint-verification: publishes metadata with the required types and values for every issuer URL', async () => {
    for (const asked of issuerUrls()) {
      const metadata = await metadataOf(service, asked)
      for (const name of LISTS) {
        expect(Array.isArray(metadata[name]), name).toBe(true)
        expect(metadata[name].length, name).toBeGreaterThan(0)
        for (const value of metadata[name]) expect(value, name).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
        expect(new Set(metadata[name]).size, name).toBe(metadata[name].length)
      }
      for (const name of FLAGS) expect(typeof metadata[name], name).toBe('boolean')
      // Only the issuer of a team has a registration endpoint.
      const addresses = [...ADDRESSES, ...(asked.idp.endsWith(`/${asked.teamId}`) ? ['registration_endpoint'] : [])]
      for (const name of addresses) expect(typeof metadata[name], name).toBe('string')
      expect(Object.keys(metadata).sort()).toEqual([...LISTS, ...FLAGS, ...addresses].sort())

      expect(metadata).toMatchObject({
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'form_post'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        claims_parameter_supported: true,
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        authorization_response_iss_parameter_supported: true,
      })
      expect(metadata.scopes_supported.sort()).toEqual(['email', 'offline_access', 'openid', 'profile'])
      expect(metadata.grant_types_supported).toEqual(expect.arrayContaining(['authorization_code', 'refresh_token']))
      expect(metadata.token_endpoint_auth_methods_supported).toEqual(
        expect.arrayContaining(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']),
      )
      for (const endpoint of ['introspection', 'revocation']) {
        const methods = metadata[`${endpoint}_endpoint_auth_methods_supported`]
        expect(methods.sort()).toEqual(['client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt'])
        expect(metadata[`${endpoint}_endpoint_auth_signing_alg_values_supported`]).toEqual(
          metadata.token_endpoint_auth_signing_alg_values_supported,
        )
      }
      expect(metadata.claims_supported).toEqual(
        expect.arrayContaining(['sub', 'email', 'email_verified', 'name', 'given_name', 'family_name', 'updated_at']),
      )
    }
  })

  it('oidcc-discovery-endpoint-verification: names the issuer byte for byte as requested, and returns 404 for other spellings', async () => {
    for (const asked of issuerUrls()) {
      const { issuer } = await metadataOf(service, asked)
      expect(issuer).toBe(asked.issuer)
      expect(issuer).toMatch(/^https:\/\/[^?#]+[^/?#]$/)
      const spelled = asked.idp.replace(/[0-9a-f-]{36}$/, (id) => id.toUpperCase())
      const { status, body } = await service.api('GET', `${spelled}/.well-known/openid-configuration`)
      expect([status, body.error ?? body.code]).toEqual([404, 'issuer_not_found'])
    }
  })

  it('oidcc-discovery-endpoint-verification: names working https URLs without query or fragment', async () => {
    for (const asked of issuerUrls()) {
      const metadata = await metadataOf(service, asked)
      for (const name of ADDRESSES.filter((name) => name !== 'service_documentation')) {
        const url = new URL(metadata[name])
        expect({ name, origin: url.origin, search: url.search, hash: url.hash }).toEqual({
          name,
          origin: BASE_URL,
          search: '',
          hash: '',
        })
      }
      const own = ['authorization_endpoint', 'userinfo_endpoint', 'jwks_uri', 'end_session_endpoint']
      for (const name of own) expect(metadata[name].startsWith(`${asked.issuer}/`), name).toBe(true)
      const answers = {
        authorization_endpoint: await service.api('GET', pathOf(service, metadata.authorization_endpoint)),
        token_endpoint: await service.api('POST', pathOf(service, metadata.token_endpoint), {
          raw: 'grant_type=authorization_code',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
        userinfo_endpoint: await service.api('GET', pathOf(service, metadata.userinfo_endpoint)),
        end_session_endpoint: await service.api('GET', pathOf(service, metadata.end_session_endpoint)),
        introspection_endpoint: await service.api('POST', pathOf(service, metadata.introspection_endpoint), {
          body: { token: 'nothing' },
        }),
        revocation_endpoint: await service.api('POST', pathOf(service, metadata.revocation_endpoint), {
          body: { token: 'nothing' },
        }),
      }
      expect(Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]))).toEqual({
        authorization_endpoint: 400,
        token_endpoint: 401,
        userinfo_endpoint: 401,
        end_session_endpoint: 302,
        introspection_endpoint: 200,
        revocation_endpoint: 200,
      })
    }
  })

  it('oidcc-discovery-endpoint-verification: publishes only public RSA keys of at least 2048 bits, each with a unique kid, for signatures', async () => {
    for (const asked of issuerUrls()) {
      const { keys } = await jwksOf(service, asked)
      expect(keys.length).toBeGreaterThan(0)
      expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
      for (const key of keys) {
        expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
        expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256', kid: expect.stringMatching(/./) })
        expect(Buffer.from(key.n ?? '', 'base64url').length).toBeGreaterThanOrEqual(256)
      }
    }
  })

  it('publishes identical metadata under the second URL of a team and the name of RFC 8414', async () => {
    const [ofTeam] = issuerUrls() as [TestApp]
    const metadata = await metadataOf(service, ofTeam)
    for (const path of [
      `/api/v1/.well-known/openid-configuration/${app.teamId}`,
      `${ofTeam.idp}/.well-known/oauth-authorization-server`,
    ]) {
      const { status, body } = await service.api('GET', path)
      expect(status).toBe(200)
      expect(body).toEqual(metadata)
    }
    expect(metadata.token_endpoint).toBe(`${BASE_URL}/api/v1/oauth/token`)
    expect((await metadataOf(service, app)).token_endpoint).toBe(`${app.issuer}/token`)
  })
})
