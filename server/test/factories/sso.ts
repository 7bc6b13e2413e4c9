import { expect } from 'vitest'
import { locationOf } from '../doubles/relying-party.js'
import type { ScriptedProvider } from '../doubles/scripted-provider.js'
import type { ApiResponse } from '../harness/api.js'
import type { TestService } from '../harness/service.js'
import { patiently, type TestUser } from './factories.js'

type Owner = Pick<TestUser, 'token'>
type Client = Pick<ScriptedProvider, 'issuer' | 'clientId' | 'clientSecret'>

/** Returns the settings of an OpenID provider. */
export const oidcProvider = ({ issuer, clientId, clientSecret }: Client, fields: Record<string, unknown> = {}) => ({
  name: 'Directory',
  type: 'GENERIC_OIDC',
  protocol: 'OIDC',
  oidcIssuer: issuer,
  oidcClientId: clientId,
  oidcClientSecret: clientSecret,
  ...fields,
})

/** Adds a provider to the owner's team and returns the response. */
export async function addProvider(
  { api }: TestService,
  { token }: Owner,
  body: Record<string, unknown>,
): Promise<ApiResponse['body']> {
  const answer = await api('POST', '/api/v1/sso/providers', { token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

export async function changeProvider(
  { api }: TestService,
  { token }: Owner,
  id: string,
  body: Record<string, unknown>,
): Promise<ApiResponse['body']> {
  const answer = await api('PUT', `/api/v1/sso/providers/${id}`, { token, body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** Starts a sign-in and returns the redirect and the cookies. */
export async function beginSignIn(
  { api }: TestService,
  id: string,
  query: Record<string, string> = {},
): Promise<{ location: URL; cookies: Record<string, string> }> {
  const answer = await patiently(() => api('GET', `/api/v1/sso/oidc/${id}/login?${new URLSearchParams(query)}`))
  expect(answer.status, answer.text).toBe(302)
  const cookies = Object.fromEntries(Object.entries(answer.cookies).map(([name, { value }]) => [name, value]))
  return { location: locationOf(answer), cookies }
}

/** Returns from the provider in the browser. */
export const returnFromProvider = (
  { api, baseUrl }: TestService,
  callback: URL,
  cookies: Record<string, string> = {},
): Promise<ApiResponse> => api('GET', callback.href.slice(baseUrl.length), { cookies })

/** Returns the parameters of Keyward's callback page. */
export function resultOf(answer: ApiResponse): Record<string, string> {
  expect(answer.status, answer.text).toBe(302)
  const page = locationOf(answer)
  expect(page.pathname).toBe('/auth/sso/callback')
  return Object.fromEntries(page.searchParams)
}

/** Signs in a user with these claims. */
export async function signInBy(
  service: TestService,
  id: string,
  provider: ScriptedProvider,
  claims: Record<string, unknown>,
): Promise<Record<string, string>> {
  const { location, cookies } = await beginSignIn(service, id)
  return resultOf(await returnFromProvider(service, provider.authorize(location, claims), cookies))
}

/** Returns the user of a token. */
export async function fetchMe({ api }: TestService, token: string | undefined): Promise<ApiResponse['body']> {
  const { status, body, text } = await api('GET', '/api/v1/auth/me', { token })
  expect(status, text).toBe(200)
  return body
}
