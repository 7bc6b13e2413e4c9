import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { expect } from 'vitest'
import type { ApiResponse } from '../harness/api.js'
import { nextRsaKeyPair } from '../harness/rsa-keys.mjs'
import type { TestService } from '../harness/service.js'
import { registerApplication, type TestUser } from './factories.js'

export interface ConfiguredApp {
  id: string
  clientId: string
  /** Sends a request to a path below the configuration. */
  call(method: string, path: string, body?: unknown, token?: string): Promise<ApiResponse>
  /** Creates a resource below the configuration and returns the response body. */
  make(path: string, body: unknown): Promise<ApiResponse['body']>
  /** The version of the application. */
  version(): Promise<number>
}

/** Creates an application of the user with access to its configuration. */
export async function configuredApp(
  service: TestService,
  owner: Pick<TestUser, 'token'>,
  fields: Record<string, unknown> = {},
): Promise<ConfiguredApp> {
  const { id, clientId } = await registerApplication(service, owner, fields)
  const call: ConfiguredApp['call'] = (method, path, body, token = owner.token) =>
    service.api(method, `/api/v1/applications/${id}/oidc-config${path}`, { token, ...(body !== undefined && { body }) })
  return {
    id,
    clientId,
    call,
    async make(path, body) {
      const answer = await call('POST', path, body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body
    },
    async version() {
      const [row] = await service.sql<{ version: number }>('SELECT version FROM applications WHERE id = $1', [id])
      return row?.version ?? 0
    },
  }
}

/** Returns the paths and messages of the validation errors. */
export function validationErrorsOf({ status, body }: ApiResponse): [path: string, message: string][] {
  expect([status, body.code], JSON.stringify(body)).toEqual([400, 'invalid_request'])
  return body.errors.map(({ path, message }: { path: string; message: string }) => [path, message])
}

export interface PemPair {
  publicKey: string
  privateKey: string
}

/** Returns a key pair in PEM (SPKI and PKCS #8) that is used only once in the test file. */
export const pemPair = (kind: 'rsa' | 'P-256' | 'P-384' | 'P-521', bits = 2_048): PemPair =>
  pemOf(kind === 'rsa' ? nextRsaKeyPair('peer', bits) : generateKeyPairSync('ec', { namedCurve: kind }))

export const pemOf = ({ publicKey, privateKey }: KeyPairKeyObjectResult): PemPair => ({
  publicKey: publicKey.export({ format: 'pem', type: 'spki' }) as string,
  privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
})
