import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '../../server/test/harness/built-server.js'
import { restartPolicyOf, type SupervisedService, superviseService } from './supervised-service.js'

const PROGRAM = join(import.meta.dirname, '../../dist/package/server/bin/keyward.mjs')
const UNIT = join(import.meta.dirname, '../systemd/keyward.service')

/** A file system of 100 MB. */
const disk = mkdtempSync(join(tmpdir(), 'keyward-disk-'))
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'keyward', disk]).status === 0
if (!isMounted) process.stdout.write('Skipped: a full disk (needs permission to mount a file system).\n')

let service: SupervisedService | undefined
afterAll(async () => {
  await service?.end()
  if (isMounted) spawnSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

function fillDisk(): void {
  try {
    for (;;) appendFileSync(join(disk, 'other-data'), Buffer.alloc(4_096, 1))
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  }
}

describe.runIf(isMounted)('a full disk', () => {
  it('makes writes fail with 503 and restarts fail, until the restart policy of the unit recovers the service', async () => {
    const port = await freePort()
    const url = `http://localhost:${port}`
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(disk, 'data'), PORT: `${port}` }
    const supervised = superviseService([PROGRAM], env, restartPolicyOf(UNIT))
    service = supervised
    const isReady = async () => {
      while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) await delay(100)
    }
    await isReady()

    const credentials = { email: 'ann@example.com', password: 'correct horse battery' }
    const registered = await fetch(`${url}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    })
    const { accessToken } = (await registered.json()) as { accessToken: string }
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const acknowledged: string[] = []
    const addGroup = async (name: string) => {
      const body = JSON.stringify({ name, description: 'x'.repeat(400) })
      const { status } = await fetch(`${url}/api/v1/groups`, { method: 'POST', headers, body })
      if (status === 201) acknowledged.push(name)
      return status
    }
    const statusOfMe = async () => (await fetch(`${url}/api/v1/auth/me`, { headers })).status
    for (let number = 0; number < 5; number++) expect(await addGroup(`before ${number}`)).toBe(201)

    fillDisk()
    const failed = new Set<number>()
    for (let number = 0; number < 200; number++) {
      if (number % 20 === 0) fillDisk()
      failed.add(await addGroup(`full ${number}`))
    }
    expect([...failed].filter((status) => status !== 201)).toEqual([503])
    expect(await statusOfMe()).toBe(200)
    expect(supervised.starts()).toBe(1)

    supervised.kill()
    while (supervised.starts() < 3) {
      fillDisk()
      await delay(100)
    }
    expect(supervised.output()).toContain('No space left on device')

    rmSync(join(disk, 'other-data'))
    await isReady()
    expect(await statusOfMe()).toBe(200)
    expect(await addGroup('after')).toBe(201)
    const { data } = (await (await fetch(`${url}/api/v1/groups?limit=100`, { headers })).json()) as {
      data: { name: string }[]
    }
    expect(data.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged.slice(-100)))
  })
})
