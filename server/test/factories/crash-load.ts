import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { PASSWORD } from './factories.js'

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests compare responses field by field, which checks their shape
  body: any
}

/** The acknowledged state of one account. Only one request runs at a time, so that at most one is in doubt after a kill. */
export interface Account {
  email: string
  token: string
  refreshToken: string
  teams: string[]
  /** Access tokens of sessions that were ended. */
  ended: string[]
  /** Mailed tokens, and whether their redemption was acknowledged. */
  links: Map<string, 'requested' | 'redeemed'>
  /** The request in progress. */
  doubt: string | undefined
}

/** A mixed load on a service that will be killed, with the check that no acknowledged write is lost after the next start. */
export function createCrashLoad(url: () => string, outbox: string) {
  const config = { acknowledged: 7, doubt: undefined as number | undefined }

  async function send(method: string, path: string, body?: object, token?: string): Promise<Answer> {
    const response = await fetch(`${url()}/api/v1/${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = { status: response.status, body: await response.json() }
    expect(answer.status, `${method} ${path} answered ${JSON.stringify(answer.body)}`).not.toBe(500)
    return answer
  }

  async function register(): Promise<Account> {
    const email = `crash-${randomBytes(8).toString('hex')}@example.com`
    const { status, body } = await send('POST', 'auth/register', { email, password: PASSWORD })
    expect(status, JSON.stringify(body)).toBe(201)
    return {
      email,
      token: body.accessToken,
      refreshToken: body.refreshToken,
      teams: [body.team.id],
      ended: [],
      links: new Map(),
      doubt: undefined,
    }
  }

  const open = (account: Account, { status, body }: Answer) => {
    expect(status, JSON.stringify(body)).toBe(200)
    Object.assign(account, { token: body.accessToken, refreshToken: body.refreshToken })
  }
  const logIn = async (account: Account) =>
    open(account, await send('POST', 'auth/login', { email: account.email, password: PASSWORD }))

  /** Returns the token of the newest link that was mailed to the email address. */
  async function linkOf({ email }: Account): Promise<string | undefined> {
    const files = (await readdir(outbox).catch(() => []))
      .filter((name) => /-magic_link-.*\.eml$/.test(name))
      .sort()
      .reverse()
    for (const file of files.slice(0, 20)) {
      const mail = (await readFile(join(outbox, file), 'utf8')).replace(/=\r\n/g, '')
      if (mail.includes(`To: ${email}`)) return /token=3D([\w-]{43})/.exec(mail)?.[1]
    }
    return undefined
  }

  const acts: Record<string, (account: Account) => Promise<void>> = {
    refresh: async (account) =>
      open(account, await send('POST', 'auth/refresh', { refreshToken: account.refreshToken })),
    login: logIn,
    async team(account) {
      const { status, body } = await send('POST', 'organizations', { name: 'Crash' }, account.token)
      expect(status).toBe(201)
      account.teams.push(body.id)
    },
    async switch(account) {
      open(account, await send('POST', 'auth/switch-team', { teamId: account.teams.at(-1) }, account.token))
    },
    async link(account) {
      expect((await send('POST', 'auth/magic-link', { email: account.email })).status).toBe(200)
      const link = await linkOf(account)
      if (!link || account.links.has(link)) return
      account.links.set(link, 'requested')
      // With the account's own access token, so that the verification revokes no credentials.
      const answer = await send('POST', 'auth/verify', { token: link }, account.token)
      if (answer.status !== 200) return
      account.links.set(link, 'redeemed')
      open(account, answer)
    },
    async logout(account) {
      const { token } = account
      expect((await send('POST', 'auth/logout', undefined, token)).status).toBe(200)
      account.ended.push(token)
      await logIn(account)
    },
  }

  return {
    register,
    /** Sends random requests for one account until the service is gone. */
    async work(account: Account): Promise<void> {
      const kinds = Object.keys(acts)
      try {
        for (;;) {
          account.doubt = kinds[Math.floor(Math.random() * kinds.length)] as string
          await acts[account.doubt]?.(account)
          account.doubt = undefined
        }
      } catch (error) {
        if (!isGone(error)) throw error
      }
    },
    /** Registers accounts one after another and returns those that were acknowledged. */
    async keepRegistering(): Promise<Account[]> {
      const registered: Account[] = []
      try {
        for (;;) registered.push(await register())
      } catch (error) {
        if (!isGone(error)) throw error
      }
      return registered
    },
    async keepConfiguring(token: string): Promise<void> {
      try {
        for (;;) {
          config.doubt = (config.acknowledged + 1) % 300
          expect((await send('PUT', 'config', { mfaGracePeriodDays: config.doubt }, token)).status).toBe(200)
          config.acknowledged = config.doubt
          config.doubt = undefined
        }
      } catch (error) {
        if (!isGone(error)) throw error
      }
    },
    async expectConfig(token: string): Promise<void> {
      const { body } = await send('GET', 'config', undefined, token)
      expect([config.acknowledged, config.doubt]).toContain(body.mfaGracePeriodDays)
      config.acknowledged = body.mfaGracePeriodDays
    },
    /** Verifies after the next start that acknowledged writes exist, and that a request in doubt was executed at most once. */
    async expectStored(account: Account): Promise<void> {
      const { email, token, refreshToken, doubt, ended, links, teams } = account
      if (doubt !== 'logout')
        expect((await send('GET', 'auth/me', undefined, token)).status, `${email} after ${doubt}`).toBe(200)
      for (const old of ended)
        expect((await send('GET', 'auth/me', undefined, old)).status, `${email} signed out`).toBe(401)
      // A refresh whose response was lost is repeated within the grace period. A team switch may have replaced the token.
      if (doubt !== 'logout' && doubt !== 'switch') open(account, await send('POST', 'auth/refresh', { refreshToken }))
      for (const [link, state] of links) {
        const first = await send('POST', 'auth/verify', { token: link }, account.token)
        if (state === 'redeemed') expect(first.body.code, `${email} link`).toBe('invalid_token')
        expect((await send('POST', 'auth/verify', { token: link }, account.token)).body.code).toBe('invalid_token')
      }
      await logIn(account)
      const { body: list } = await send('GET', 'organizations', undefined, account.token)
      expect(list.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(teams))
      const { status, body } = await send('GET', 'audit/verify', undefined, account.token)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body).toMatchObject({ valid: true, firstBroken: null })
      Object.assign(account, { doubt: undefined, ended: [], links: new Map() })
    },
  }
}

const isGone = (error: unknown): boolean => error instanceof TypeError && /fetch failed|terminated/.test(error.message)
