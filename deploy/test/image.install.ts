import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../server/test/harness/built-server.js'
import { buildah, makeBase } from './debian-base.js'
import { startInstalled } from './installed-service.js'

const CLONE = resolve(import.meta.dirname, '../..')
const BASE = 'localhost/keyward-test-base'
const IMAGE = 'localhost/keyward-test'
const USER_ID = 10_001

interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Volumes: Record<string, unknown>
  WorkingDir: string
  StopSignal: string
  Healthcheck: { Test: string[] }
}

// Takes minutes, and needs buildah, debootstrap and root.
describe.runIf(process.env.KEYWARD_LONG)('the image', { timeout: 900_000 }, () => {
  const temporary = mkdtempSync(join(tmpdir(), 'keyward-image-'))
  let config: ImageConfig
  let root: string
  let container: string

  beforeAll(() => {
    makeBase(join(temporary, 'base'), BASE)
    buildah('build', '--quiet', '--pull-never', '--format=docker', `--build-arg=BASE=${BASE}`, `--tag=${IMAGE}`, CLONE)
    config = JSON.parse(buildah('inspect', '--type=image', IMAGE)).Docker.config
    container = buildah('from', '--pull-never', IMAGE)
    root = buildah('mount', container)
  }, 900_000)

  afterAll(() => {
    if (container) buildah('rm', container)
    spawnSync('buildah', ['rmi', IMAGE, BASE])
    rmSync(temporary, { recursive: true, force: true })
  })

  it('states how it is run', () => {
    expect(config.User).toBe(`${USER_ID}:${USER_ID}`)
    expect(config.Entrypoint[0]).toBe('node')
    expect(Object.keys(config.Volumes)).toEqual(['/data'])
    expect(config.StopSignal).toBe('SIGTERM')
    expect(config.Healthcheck.Test[0]).toBe('CMD')
  })

  it('contains the installed package, but neither sources nor development dependencies', () => {
    const installed = readdirSync(join(root, 'opt/keyward/node_modules'))
    expect(installed).toContain('keyward')
    // Native code, and the packages that load it.
    expect(installed.length, installed.join(', ')).toBeLessThan(12)
    expect(statSync(join(root, 'src'), { throwIfNoEntry: false })).toBeUndefined()
  })

  // No container runtime works in every sandbox of CI, so this is a chroot with the mounts of `docker run --read-only`.
  it('runs without root on a read-only file system, becomes healthy, and keeps its data in /data', async () => {
    const data = join(temporary, 'data')
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, USER_ID, USER_ID)
    const port = `${await freePort()}`
    const env = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2))) as Record<string, string>
    const inImage = (command: string[]) => [
      'unshare',
      '--mount',
      'sh',
      '-ec',
      `mount --bind "$0" "$0"
       mount -o remount,bind,ro "$0"
       mount --bind "$1" "$0/data"
       mount -t proc proc "$0/proc"
       mount --bind /dev "$0/dev"
       root=$0; shift
       exec chroot --userspec=${USER_ID}:${USER_ID} "$root" "$@"`,
      root,
      data,
      ...command,
    ]
    // The chroot has no name `localhost`, so the service listens on all addresses, as in a container.
    const settings = { ...env, PORT: port, BASE_URL: `http://localhost:${port}` }
    const service = await startInstalled(temporary, inImage(config.Entrypoint), settings)
    try {
      const [program = '', ...options] = inImage(config.Healthcheck.Test.slice(1))
      expect(spawnSync(program, options, { env: { ...settings } }).status).toBe(0)
      const other = { ...settings, PORT: `${await freePort()}` }
      expect(spawnSync(program, options, { env: other }).status, 'of a service that does not run').toBe(1)
      expect(statSync(join(data, 'db')).uid).toBe(USER_ID)
    } finally {
      await service.end('SIGTERM')
    }
    expect(service.output()).not.toMatch(/"level":(50|60)/)
  })
})
