import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, requestToken } from '../factories/factories.js'
import { codeOf, enrollPasskey } from '../factories/factors.js'
import { dumpDatabase } from '../harness/dump.js'
import { tokenIn } from '../harness/mailbox.js'
import { startService, type TestService } from '../harness/service.js'

const SETUP_SECRET = 'a-setup-secret-that-must-never-leak'
const API_TOKEN = 'an-api-token-that-must-never-leak'
const METRICS_TOKEN = 'a-metrics-token-that-must-never-leak'
const ENCRYPTION_KEY = randomBytes(32).toString('base64')
const EVIL = 'x\r\n{"level":60,"msg":"forged"}\u001b[2J\u2028\u2029'

/** Returns the encodings in which a secret could be stored: plain, base64, base64url, hex and percent-encoded. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')]
  const decoded = /^[\w-]{43}$/.test(secret)
    ? [Buffer.from(secret, 'base64url').toString('hex'), Buffer.from(secret, 'base64url').toString('base64')]
    : []
  return [secret, encodeURIComponent(secret), ...forms, ...decoded]
}

describe('the log and the database after every flow', () => {
  let service: TestService
  const secrets = new Map<string, string>()
  const track = <T extends string | undefined>(what: string, value: T): T => {
    expect(value, what).toBeTruthy()
    secrets.set(`${what} ${secrets.size}`, value as string)
    return value
  }

  beforeAll(async () => {
    const env = { SETUP_SECRET, API_TOKEN, METRICS_TOKEN, ENCRYPTION_KEY, LOG_LEVEL: 'trace' }
    // One node, because only the log of this process can be read.
    service = await startService({ env, nodes: 1 })
    for (const [what, value] of Object.entries({ ...env, LOG_LEVEL: '' })) if (value) secrets.set(what, value)
    secrets.set('encryption key', Buffer.from(ENCRYPTION_KEY, 'base64').toString('hex'))
    await runEveryFlow()
    await service.settle()
  })
  afterAll(() => service.close())

  async function runEveryFlow() {
    const { api } = service
    const post = async (path: string, body?: object, token?: string, rest: object = {}) => {
      const answer = await api('POST', `/api/v1/${path}`, { body, token, ...rest })
      for (const name of ['accessToken', 'refreshToken', 'mfaToken'])
        if (answer.body?.[name]) track(name, answer.body[name])
      if (answer.body?.cleaned) track('disown token', answer.body.cleaned.disownToken)
      for (const [name, { value }] of Object.entries(answer.cookies)) if (value) track(`cookie ${name}`, value)
      return answer
    }
    const mailed = async (kind: 'magic_link' | 'password_reset', email: string) =>
      track(`${kind} token`, await requestToken(service, kind, email))

    const adminEmail = newEmail('admin')
    await post('onboard', { adminEmail }, undefined, { headers: { 'x-setup-secret': 'wrong' } })
    await post('onboard', { adminEmail }, undefined, { headers: { 'x-setup-secret': SETUP_SECRET } })
    const welcome = (await service.mails(adminEmail))[0]
    const { body: admin } = await post('auth/verify', { token: track('welcome token', welcome && tokenIn(welcome)) })
    await api('PUT', '/api/v1/config', { token: admin.accessToken, body: { mfaGracePeriodDays: 5 } })

    const email = newEmail()
    const [password, second, third] = ['first pass word', 'second pass word', 'third pass word'].map((text) =>
      track('password', `${text} ${randomBytes(4).toString('hex')}`),
    )
    const { body: user } = await post('auth/register', { email, password })
    const proof = (await service.mails(email)).find(({ kind }) => kind === 'verify_email')
    await post('auth/verify-email', { token: track('verification token', proof && tokenIn(proof)) }, user.accessToken)
    await post('auth/verify-email', { token: proof && tokenIn(proof) }, user.accessToken)
    await post('auth/register', { email, password })
    await post('auth/login', { email, password: track('wrong password', `wrong ${randomBytes(8).toString('hex')}`) })
    await post('auth/login', { email: `${EVIL}@example.com`, password: second })
    await post('auth/login', { email, password: 7 })
    const { body: browser } = await post('auth/login', { email, password }, undefined, {
      console: true,
      headers: { 'user-agent': 'Mozilla' },
    })
    const inCookieMode = await post('auth/login', { email, password }, undefined, { console: true })
    const cookies = Object.fromEntries(Object.entries(inCookieMode.cookies).map(([name, { value }]) => [name, value]))
    await post('auth/refresh', {}, undefined, { console: true, cookies })
    await post('auth/refresh', {}, undefined, {
      console: true,
      cookies: { keyward_rt: track('forged cookie', randomBytes(32).toString('base64url')) },
    })
    await post('auth/refresh', { refreshToken: user.refreshToken })
    await post('auth/refresh', { refreshToken: user.refreshToken })
    await post('auth/verify', { token: await mailed('magic_link', email) })
    await post('auth/reauthenticate', { password }, browser.accessToken)
    await post('auth/reauthenticate', { password: third }, browser.accessToken)
    await post('auth/change-password', { currentPassword: password, newPassword: second }, browser.accessToken)
    await post('auth/reset-password', { token: await mailed('password_reset', email), newPassword: 'short' })
    await post('auth/reset-password', { token: await mailed('password_reset', email), newPassword: third })
    const { body: last } = await post('auth/login', { email, password: third })
    const { body: team } = await post('organizations', { name: 'Team' }, last.accessToken)
    await post('auth/switch-team', { teamId: team.id }, last.accessToken)
    await api('DELETE', '/api/v1/auth/sessions', { token: last.accessToken })
    const { body: apiToken } = await post(
      'api-tokens',
      { name: 'Script', scopes: ['org:read', 'applications:write'] },
      last.accessToken,
    )
    track('API token', apiToken.token)
    const byHeader = { headers: { 'x-api-token': apiToken.token } }
    await post('applications', { name: 'Created by a script', type: 'SAML' }, undefined, byHeader)
    await api('GET', '/api/v1/auth/me', { token: apiToken.token })
    await api('DELETE', `/api/v1/api-tokens/${apiToken.id}`, { token: last.accessToken })
    await api('GET', '/api/v1/settings', byHeader)
    const { body: directory } = await post('directory/scim/token', {}, last.accessToken)
    track('SCIM token', directory.token)
    for (const ref of [directory.id, 'unknown', EVIL])
      await api(
        'GET',
        `/scim/v2/${encodeURIComponent(ref)}/Users?filter=${encodeURIComponent(`userName eq "${EVIL}"`)}`,
        {
          token: directory.token,
        },
      )
    await api('DELETE', `/api/v1/directory/scim/tokens/${directory.id}`, { token: last.accessToken })
    await api('GET', '/scim/v2/unknown/Users', { token: directory.token })
    const { body: application } = await post('applications', { name: 'App', type: 'OIDC' }, last.accessToken)
    track('client secret', application.clientSecret)
    const { body: rotated } = await post(`applications/${application.id}/rotate-secret`, undefined, last.accessToken)
    track('rotated client secret', rotated.clientSecret)
    const overlap = { keepPreviousFor: 60 }
    const { body: overlapping } = await post(`applications/${application.id}/rotate-secret`, overlap, last.accessToken)
    track('additional client secret', overlapping.clientSecret)
    const metadata = { client_name: 'Client', team_id: application.teamId }
    const { body: client } = await post('oauth/register', metadata, undefined, {
      headers: { 'x-api-token': API_TOKEN },
    })
    track('client secret of dynamic registration', client.client_secret)
    const ownToken = track('registration access token', client.registration_access_token)
    const guess = track('guessed registration token', randomBytes(32).toString('base64url'))
    for (const token of [guess, ownToken]) await api('GET', `/api/v1/oauth/register/${client.client_id}`, { token })
    await post('oauth/register', metadata, undefined, { headers: { 'x-api-token': guess } })
    await api('PUT', `/api/v1/applications/${application.id}`, {
      token: last.accessToken,
      body: { isPublicClient: true },
    })
    await post('auth/logout', undefined, last.accessToken)
    await api('GET', '/api/v1/auth/me', { token: last.accessToken })
    await api(
      'GET',
      `/api/v1/auth/me?access_token=${user.accessToken}&code=${track('code', randomBytes(9).toString('hex'))}`,
    )
    await api('GET', '/metrics', { token: METRICS_TOKEN })

    const guarded = newEmail()
    const { body: guardian } = await post('auth/register', { email: guarded, password: second })
    const { body: phone } = await post('auth/mfa/enroll/totp', {}, guardian.accessToken)
    track('TOTP secret', phone.secret)
    for (const code of phone.backupCodes) track('backup code', code)
    await post('auth/mfa/enroll/verify', { methodId: phone.methodId, code: 'wrong' }, guardian.accessToken)
    const first = codeOf(phone.secret, service.clock.ms())
    await post('auth/mfa/enroll/verify', { methodId: phone.methodId, code: first }, guardian.accessToken)
    const { authenticator } = await enrollPasskey(service, { token: guardian.accessToken })
    const { body: again } = await post('auth/mfa/backup-codes/regenerate', undefined, guardian.accessToken)
    for (const code of again.backupCodes) track('new backup code', code)
    const { body: waiting } = await post('auth/mfa/enroll/totp', {}, guardian.accessToken)
    track('pending TOTP secret', waiting.secret)
    const challenged = async () => (await post('auth/login', { email: guarded, password: second })).body.mfaToken
    const wrong = { code: phone.backupCodes[0], isBackupCode: true }
    const right = { code: again.backupCodes[0], isBackupCode: true }
    const mfaToken = await challenged()
    await post('auth/mfa/verify-challenge', { mfaToken, ...wrong })
    await post('auth/mfa/verify-challenge', { mfaToken, ...right })
    await post('auth/mfa/verify-challenge', { mfaToken: await challenged(), code: first })
    await post('auth/reauthenticate', { code: again.backupCodes[1], isBackupCode: true }, guardian.accessToken)
    for (const userVerified of [false, true]) {
      const { body: options } = await post('auth/passkey/options')
      const credential = authenticator.get(options, { userVerified })
      await post('auth/passkey/verify', { credential }, undefined, { console: true })
    }
    await post('auth/mfa/disable', { password: second }, guardian.accessToken)

    const reclaimed = newEmail()
    await post('auth/register', { email: reclaimed, password: second })
    await post('auth/verify', { token: await mailed('magic_link', reclaimed) })
    const disowned = newEmail()
    await post('auth/register', { email: disowned, password: second })
    await post('auth/disown', { token: track('disown token', tokenIn((await service.mails(disowned))[0] as never)) })
    await fetch(`${service.urls[0]}/auth/verify?token=${await mailed('magic_link', adminEmail)}`)
    await api('GET', `/api/v1/${encodeURIComponent(EVIL)}`, {
      headers: { 'x-org-id': Buffer.from('x\u0085y\u009b').toString('latin1') },
    })
    // Causes an internal error with secrets in the failed statement.
    await service.sql("ALTER TABLE passwords ADD CONSTRAINT never CHECK (hash = '') NOT VALID")
    const body = JSON.stringify({ email: newEmail(), password: third })
    await fetch(`${service.urls[0]}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    await service.sql('ALTER TABLE passwords DROP CONSTRAINT never')
  }

  it('covers more than thirty secrets', () => {
    expect(secrets.size).toBeGreaterThan(30)
  })

  it('contains no secret in any line of the log', () => {
    const log = service.logLines.join('')
    expect(service.logLines.length).toBeGreaterThan(50)
    for (const [what, secret] of secrets)
      for (const form of formsOf(secret)) expect(log.includes(form), `the log contains a ${what}`).toBe(false)
  })

  it('contains no secret in any row of the database', async () => {
    const dump = JSON.stringify(await dumpDatabase(service))
    for (const [what, secret] of secrets)
      for (const form of formsOf(secret)) expect(dump.includes(form), `the database contains a ${what}`).toBe(false)
  })

  it('writes each line of the log as one JSON object with a level, a time and a message', () => {
    for (const line of service.logLines) {
      expect(line.endsWith('\n')).toBe(true)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for control characters
      expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f\u2028\u2029]/)
      expect(JSON.parse(line)).toMatchObject({
        level: expect.any(Number),
        time: expect.any(String),
        msg: expect.any(String),
      })
      expect(JSON.parse(line).msg).not.toBe('forged')
    }
  })

  it('logs each request with its ID and route, without the query string', () => {
    const requests = service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    expect(requests.length).toBeGreaterThan(20)
    for (const { requestId, route } of requests) {
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
      expect(route).not.toMatch(/\?|=/)
    }
  })

  it('logs the cause of an internal error', () => {
    const failure = service.logLines.map((line) => JSON.parse(line)).find(({ problem }) => problem === 'internal_error')
    expect(failure).toMatchObject({ level: 50, requestId: expect.any(String), msg: 'a request failed' })
    expect(JSON.stringify(failure.err)).toMatch(/"errorCode":"23514","constraint":"never","table":"passwords"/)
  })
})
