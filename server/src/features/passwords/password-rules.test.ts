import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, newEmail, registerUser, requestToken } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('the password validator', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { COMMON_PASSWORDS: 'on' } })
  })
  afterAll(() => service.close())

  const register = (password: string) =>
    service.api('POST', '/api/v1/auth/register', { body: { email: newEmail(), password } })
  const login = (email: string, password: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password } })

  it.each([
    ['8 letters', 'xkcdabcd'],
    ['8 blanks', ' '.repeat(8)],
    ['8 characters beyond the BMP', '🐎'.repeat(8)],
    ['8 full-width letters', 'ｘｋｃｄａｂｃｄ'],
    ['4 ligatures that are 2 letters each', 'ﬁ'.repeat(4)],
    ['256 letters', 'x'.repeat(256)],
    ['256 characters beyond the BMP', '🐎'.repeat(256)],
    ['512 code points that compose to 256', 'e\u0301'.repeat(256)],
    ['14 signs that are 18 letters each', 'ﷺ'.repeat(14)],
  ])('accepts %s, and the account signs in with it', async (_, password) => {
    const { status, body } = await register(password)
    expect(status).toBe(201)
    expect((await login(body.user.email, password)).status).toBe(200)
  })

  it.each([
    ['an empty password', '', ['min_length']],
    ['7 letters', 'xkcdabc', ['min_length']],
    ['7 characters that are 14 units of UTF-16', '🐎'.repeat(7), ['min_length']],
    ['7 letters with marks that are 14 code points', 'e\u0301'.repeat(7), ['min_length']],
    ['257 letters', 'x'.repeat(257), ['max_length']],
    ['129 ligatures that are 2 letters each', 'ﬁ'.repeat(129), ['max_length']],
    ['15 signs that are 18 letters each', 'ﷺ'.repeat(15), ['max_length']],
    ['a common password', 'password1', ['common']],
    ['a common password in capitals', 'PassWord1', ['common']],
    ['a common password in full-width letters', 'ｐａｓｓｗｏｒｄ１', ['common']],
  ])('rejects %s and names the rule', async (_, password, rules) => {
    const answer = await register(password)
    expectError(answer, 400, 'password_policy')
    expect(answer.body.errors).toEqual(rules.map((rule) => ({ path: '/password', rule, message: expect.any(String) })))
  })

  it('accepts a longer password that contains a common one', async () => {
    expect((await register('password1 and more')).status).toBe(201)
  })

  it('runs at every endpoint that sets a password', async () => {
    const user = await registerUser(service)
    const token = await requestToken(service, 'password_reset', user.email)
    const newPassword = 'password1'
    const reset = await service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword } })
    const body = { currentPassword: user.password, newPassword }
    const change = await service.api('POST', '/api/v1/auth/change-password', { token: user.token, body })
    for (const answer of [reset, change]) {
      expectError(answer, 400, 'password_policy')
      expect(answer.body.errors).toEqual([{ path: '/newPassword', rule: 'common', message: expect.any(String) }])
    }
  })
})

describe('a custom list of common passwords', () => {
  let service: TestService
  beforeAll(async () => {
    const list = join(tmpdir(), `keyward-passwords-${process.pid}.txt`)
    await writeFile(list, 'Hunter2\r\nour company\n\n')
    service = await startService({ env: { COMMON_PASSWORDS: list } })
  })
  afterAll(() => service.close())

  it('replaces the default list, and each violated rule is named', async () => {
    const rulesOf = async (password: string) => {
      const { status, body } = await service.api('POST', '/api/v1/auth/register', {
        body: { email: newEmail(), password },
      })
      return status === 201 ? [] : body.errors.map(({ rule }: { rule: string }) => rule)
    }
    expect(await rulesOf('hunter2')).toEqual(['min_length', 'common'])
    expect(await rulesOf('Our Company')).toEqual(['common'])
    expect(await rulesOf('password1')).toEqual([])
  })
})
