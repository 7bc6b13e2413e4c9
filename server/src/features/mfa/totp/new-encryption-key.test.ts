import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { registerUser } from '../../../../test/factories/factories.js'
import { beginLogIn, completeChallengeWithCode, enrollApp, startApp } from '../../../../test/factories/factors.js'
import { startService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

it('keeps apps, backup codes and pending enrollments valid with a new ENCRYPTION_KEY, with and without the old one', async () => {
  const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const own = await startService({ env: { ENCRYPTION_KEY: old }, nodes: 1 })
  try {
    const user = await registerUser(own)
    const app = await enrollApp(own, user)
    const begins = await registerUser(own)
    const begun = await startApp(own, begins)
    const answer = async (who: typeof user, code: string, isBackupCode: boolean) =>
      (await completeChallengeWithCode(own, (await beginLogIn(own, who)).mfaToken, code, { isBackupCode })).status
    for (const [turn, ENCRYPTION_KEY] of [`${next},${old}`, next].entries()) {
      await own.restart({ ENCRYPTION_KEY })
      await own.clock.advance(MINUTE)
      expect(await answer(user, app.code(), false)).toBe(200)
      expect(await answer(user, app.backupCodes[turn] ?? '', true)).toBe(200)
    }
    const verified = await own.api('POST', '/api/v1/auth/mfa/enroll/verify', {
      token: begins.token,
      body: { methodId: begun.methodId, code: begun.code() },
    })
    expect(verified.status, verified.text).toBe(200)
    expect(await answer(begins, begun.backupCodes[0] ?? '', true)).toBe(200)
  } finally {
    await own.close()
  }
})
