import { afterAll, describe, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../factories/factories.js'
import { type RawResponse, sendRaw } from '../harness/raw-http.js'
import { startService } from '../harness/service.js'

const BASE_URL = 'https://id.example.com'
const service = await startService({ env: { BASE_URL, MAIL_FROM: 'no-reply@example.com' } })
afterAll(() => service.close())

const FORGED: Record<string, string>[] = [
  { Host: 'evil.test' },
  { Host: 'id.example.com', 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'http' },
  { Host: 'evil.test:80', Forwarded: 'for=1.2.3.4;host=evil.test;proto=http' },
  { Host: 'evil.test', Origin: 'http://evil.test', 'X-Original-URL': 'http://evil.test/', 'X-Host': 'evil.test' },
]
const send = (line: string, headers: Record<string, string>, body?: unknown): Promise<RawResponse> =>
  sendRaw(
    service.urls[0] as string,
    line,
    { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    body === undefined ? '' : JSON.stringify(body),
  )

describe.each(FORGED)('a request with the forged headers %o', (headers) => {
  it('causes mails whose URLs all begin with BASE_URL', async () => {
    const email = newEmail()
    expect((await send('POST /api/v1/auth/register', headers, { email, password: PASSWORD })).status).toBe(201)
    for (const path of ['magic-link', 'forgot-password']) await send(`POST /api/v1/auth/${path}`, headers, { email })
    const mails = await service.mails(email)
    expect(mails.map(({ kind }) => kind).sort()).toEqual(['magic_link', 'password_reset', 'verify_email'])
    for (const { text, html, messageId } of mails) {
      const addresses = `${text} ${html}`.match(/https?:\/\/[^\s"<]+/g) ?? []
      expect(addresses.length).toBeGreaterThan(2)
      for (const address of addresses) expect(address).toMatch(/^https:\/\/id\.example\.com\//)
      expect(`${text}${html}${messageId}`).not.toContain('evil')
    }
  })

  it('gets responses whose URLs all begin with BASE_URL', async () => {
    const answers = await Promise.all(
      [
        '/api/v1/auth/me',
        '/api/v1/none',
        '/.well-known/change-password',
        '/.well-known/passkey-endpoints',
        '/openapi.json',
        '/api/v1/public/bootstrap',
        '/login',
        '/docs/errors',
      ].map((path) => send(`GET ${path}`, headers)),
    )
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain('evil')
    const [problem, unknown, redirect] = answers as [RawResponse, RawResponse, RawResponse]
    expect(JSON.parse(problem.text).type).toBe(`${BASE_URL}/docs/errors#unauthorized`)
    expect(JSON.parse(unknown.text).type).toBe(`${BASE_URL}/docs/errors#not_found`)
    expect(redirect.headers.location).toBe(`${BASE_URL}/account/security`)
  })
})
