import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import { newEmail, registerUser } from '../../../../test/factories/factories.js'
import {
  addProvider,
  beginSignIn,
  oidcProvider,
  resultOf,
  returnFromProvider,
  signInBy,
} from '../../../../test/factories/sso.js'
import { dumpDatabase } from '../../../../test/harness/dump.js'
import { startService } from '../../../../test/harness/service.js'

const provider = await startScriptedProvider()
afterAll(() => provider.close())

const newClaims = () => {
  const email = newEmail()
  return { sub: email, email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace' }
}

const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [secret, encodeURIComponent(secret), bytes.toString('base64url'), bytes.toString('hex')]
}

describe('the secrets of sign-ins with a provider', () => {
  it('keeps them out of the log, and only hashed or encrypted in the database', async () => {
    // One node: only the log of this process can be read.
    const service = await startService({ env: { LOG_LEVEL: 'trace' }, nodes: 1 })
    try {
      const owner = await registerUser(service)
      const { id } = await addProvider(service, owner, oidcProvider(provider, { autoProvision: true }))
      const secrets = [provider.clientSecret]
      const waiting = await beginSignIn(service, id)
      secrets.push(waiting.location.searchParams.get('state') ?? '', waiting.cookies.keyward_sso_browser ?? '')
      const { location, cookies } = await beginSignIn(service, id)
      const answer = await returnFromProvider(service, provider.authorize(location, newClaims()), cookies)
      secrets.push(location.searchParams.get('state') ?? '', resultOf(answer).token ?? '')
      secrets.push(...Object.values(answer.cookies).map(({ value }) => value))
      // A code that the provider does not know, and an invalid token.
      const rejected = provider.authorize((await beginSignIn(service, id)).location, newClaims())
      rejected.searchParams.set('code', randomBytes(16).toString('hex'))
      secrets.push(rejected.searchParams.get('code') ?? '')
      await returnFromProvider(service, rejected)
      provider.script = { claims: { aud: 'other' } }
      await signInBy(service, id, provider, newClaims())
      secrets.push(...provider.exchanged)
      expect(secrets.length).toBeGreaterThan(14)
      await service.settle()
      const [dump, log] = [JSON.stringify(await dumpDatabase(service)), service.logLines.join('')]
      expect(service.logLines.length).toBeGreaterThan(5)
      for (const secret of secrets) {
        expect(secret).toMatch(/^.{16}/)
        for (const form of formsOf(secret)) {
          expect(log.includes(form), `the log holds ${form}`).toBe(false)
          expect(dump.includes(form), `the database holds ${form}`).toBe(false)
        }
      }
    } finally {
      provider.script = {}
      await service.close()
    }
  })

  it('encrypts them again with a new ENCRYPTION_KEY while users sign in', async () => {
    const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const service = await startService({ env: { ENCRYPTION_KEY: first } })
    try {
      const owner = await registerUser(service)
      const { id } = await addProvider(service, owner, oidcProvider(provider, { autoProvision: true }))
      const begun = await beginSignIn(service, id)
      await service.restart({ ENCRYPTION_KEY: `${second},${first}` })
      expect(
        resultOf(await returnFromProvider(service, provider.authorize(begun.location, newClaims()))),
      ).toHaveProperty('token')
      await service.restart({ ENCRYPTION_KEY: second })
      expect(await signInBy(service, id, provider, newClaims())).toHaveProperty('token')
    } finally {
      await service.close()
    }
  })
})
