import { expect } from 'vitest'
import type { ApiRequest, ApiResponse } from '../harness/api.js'
import type { TestService } from '../harness/service.js'
import type { TestUser } from './factories.js'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

export interface Directory {
  token: string
  tokenId: string
  /** Paths are relative to `/scim/v2/{orgRef}`. */
  call(method: string, path: string, body?: unknown, request?: ApiRequest): Promise<ApiResponse>
  makeUser(user: Record<string, unknown>): Promise<ApiResponse['body']>
  makeGroup(group: Record<string, unknown>): Promise<ApiResponse['body']>
  patch(path: string, operations: unknown[]): Promise<ApiResponse>
  /** Returns the resources that match a filter. */
  find(kind: 'Users' | 'Groups', filter: string): Promise<ApiResponse['body'][]>
}

/** Creates a SCIM client of the owner's team with its own token. */
export async function makeDirectory(
  service: TestService,
  owner: Pick<TestUser, 'token' | 'teamId'>,
  orgRef: string = owner.teamId,
): Promise<Directory> {
  const { status, body } = await service.api('POST', '/api/v1/directory/scim/token', { token: owner.token })
  expect(status, JSON.stringify(body)).toBe(201)
  return directoryWith(service, body.token, body.id, orgRef)
}

export function directoryWith(service: TestService, token: string, tokenId: string, orgRef: string): Directory {
  const call: Directory['call'] = (method, path, body, request = {}) =>
    service.api(method, `/scim/v2/${orgRef}${path}`, {
      token,
      ...(body !== undefined && { body }),
      ...request,
      headers: { ...(body !== undefined && { 'content-type': 'application/scim+json' }), ...request.headers },
    })
  async function make(path: string, schema: string, resource: Record<string, unknown>): Promise<ApiResponse['body']> {
    const answer = await call('POST', path, { schemas: [schema], ...resource })
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  return {
    token,
    tokenId,
    call,
    makeUser: (user) => make('/Users', USER, user),
    makeGroup: (group) => make('/Groups', GROUP, group),
    patch: (path, operations) => call('PATCH', path, { schemas: [PATCH], Operations: operations }),
    async find(kind, filter) {
      const answer = await call('POST', `/${kind}/.search`, { schemas: [SEARCH], filter, count: 200 })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.Resources
    },
  }
}

/** Asserts that the response is this SCIM error (RFC 7644 section 3.12). */
export function expectScimError({ status, headers, body }: ApiResponse, expected: number, scimType?: string): void {
  expect(body, JSON.stringify(body)).toMatchObject({
    schemas: [ERROR],
    status: String(expected),
    detail: expect.stringMatching(/\S/),
  })
  expect({ status, scimType: body.scimType }, JSON.stringify(body)).toEqual({ status: expected, scimType })
  expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
  if (expected === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer /)
}
