import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest'
import { freePort } from '../../server/test/harness/built-server.js'
import { blocksOf, cloneWith } from './installation-page.js'
import { type InstalledService, startInstalled } from './installed-service.js'

const packageFile = inject('packageFile')
const temporary = mkdtempSync(join(tmpdir(), 'keyward-installed-'))
const folder = join(temporary, 'service')
mkdirSync(folder)
const running: InstalledService[] = []

async function start(command: string[], env: Record<string, string> = {}) {
  const service = await startInstalled(folder, command, { PORT: `${await freePort()}`, ...env })
  running.push(service)
  return service
}

afterEach(async () => {
  for (const service of running.splice(0)) await service.end('SIGTERM').catch(() => {})
})
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const MEBIBYTE = 1 << 20
const megabytesOf = (path: string): number => {
  const sizes = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
  return sizes.reduce((total, size) => total + size, 0) / MEBIBYTE
}

const statusOf = async (url: string) => (await fetch(url, { redirect: 'manual' })).status

async function register({ url }: InstalledService, email: string) {
  const response = await fetch(`${url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery', firstName: 'Ann', lastName: 'Ames' }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as { accessToken: string }
}

const meStatus = async ({ url }: InstalledService, { accessToken }: { accessToken: string }) =>
  (await fetch(`${url}/api/v1/auth/me`, { headers: { Authorization: `Bearer ${accessToken}` } })).status

/** Packs the same program as a later version with one more migration. */
function nextVersion(): string {
  const unpacked = join(temporary, 'next')
  mkdirSync(unpacked)
  execFileSync('tar', ['-xzf', packageFile, '-C', unpacked])
  const files = join(unpacked, 'package')
  const change = (name: string, edit: (content: Record<string, unknown>) => void) => {
    const content = JSON.parse(readFileSync(join(files, name), 'utf8'))
    edit(content)
    writeFileSync(join(files, name), JSON.stringify(content))
  }
  for (const name of ['package.json', 'server/package.json'])
    change(name, (content) => {
      content.version = '999.0.0'
    })
  change('server/migrations/meta/_journal.json', ({ entries }) => {
    const all = entries as { idx: number; when: number }[]
    const last = Math.max(...all.map(({ when }) => when))
    all.push({ ...all.at(-1), idx: all.length, when: last + 1, tag: '0999_next' } as (typeof all)[number])
  })
  writeFileSync(join(files, 'server/migrations/0999_next.sql'), 'CREATE TABLE "next" ("id" integer);\n')
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', temporary], {
      cwd: files,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  return join(temporary, packed.filename)
}

describe('the npm package', () => {
  it('starts in an empty folder with one command, and keeps its data when it is killed', async () => {
    // As `npx keyward` from a registry. The cache would have the package of an earlier run.
    const npx = ['npx', '--yes', '--cache', join(temporary, 'npm'), '--package', packageFile, 'keyward']
    // Tokens are valid for one URL of the service.
    const env = { PORT: `${await freePort()}` }
    const first = await start(npx, env)
    expect(first.output()).toMatch(/Setup: {2}http:\/\/localhost:\d+\/setup#token=/)
    expect(readdirSync(folder)).toEqual(['data'])
    const account = await register(first, 'ann@example.com')
    await first.end('SIGKILL')
    const second = await start(npx, env)
    expect(await meStatus(second, account)).toBe(200)
  })

  it('is upgraded with one more command, keeps its data, and can be replaced by the earlier version again', async () => {
    const at = join(temporary, 'upgraded')
    const install = (file: string) =>
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', at, file], { stdio: 'pipe' })
    const keyward = join(at, 'node_modules/.bin/keyward')
    const env = { DATA_DIR: join(at, 'data'), PORT: `${await freePort()}` }
    const run = (...command: string[]) =>
      spawnSync(keyward, command, { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' })
    install(packageFile)
    const version = run('--version').stdout.trim()
    const first = await start([keyward], env)
    const account = await register(first, 'ann@example.com')
    await first.end('SIGTERM')

    install(nextVersion())
    expect(run('--version').stdout.trim()).not.toBe(version)
    const pending = run('migrate', 'status')
    expect([pending.status, pending.stdout], pending.stderr).toEqual([1, expect.stringContaining('0999_next')])
    expect(run('migrate', 'plan').stdout).toContain('CREATE TABLE "next"')
    const second = await start([keyward], env)
    expect(second.output()).toContain('"msg":"the database schema was migrated"')
    expect(await meStatus(second, account)).toBe(200)
    await register(second, 'bob@example.com')
    await second.end('SIGTERM')
    expect(run('migrate', 'status').status).toBe(0)

    install(packageFile)
    const third = await start([keyward], env)
    expect(await meStatus(third, account)).toBe(200)
    await third.end('SIGTERM')
    expect(run('audit', 'verify')).toMatchObject({ status: 0 })
  })

  it('is installed and started by the commands of docs/guides/install.md, with everything that the service reads and no more', async () => {
    const home = join(temporary, 'home')
    mkdirSync(home)
    const [, install = ''] = blocksOf('npm package')
    const PORT = `${await freePort()}`
    // The configuration and the cache of npm are those of the machine.
    const npm = { npm_config_userconfig: join(homedir(), '.npmrc'), npm_config_cache: join(homedir(), '.npm') }
    const clone = cloneWith(packageFile, join(temporary, 'clone'))
    const service = await startInstalled(clone, ['bash', '-ec', install], { HOME: home, PORT, ...npm })
    running.push(service)
    expect(readdirSync(join(home, 'keyward/data'))).toContain('db')
    // With its dependencies; a clone has 155 MB without development dependencies.
    const modules = join(home, 'keyward/node_modules')
    expect(megabytesOf(modules)).toBeLessThan(60)
    const keyward = join(modules, '.bin/keyward')
    expect(execFileSync(keyward, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/)
    const licenses = readFileSync(join(modules, 'keyward/THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['fastify', 'react', '@mantine/core', '@fontsource-variable/inter'])
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'))
    const signIn = await (await fetch(`${service.url}/login`)).text()
    expect(signIn, 'rendered by the server').toContain('name="email"')
    const [script = ''] = /\/assets\/[^"]+\.js/.exec(signIn) ?? []
    const compressed = await fetch(service.url + script, { headers: { 'Accept-Encoding': 'br' } })
    expect(compressed.headers.get('content-encoding')).toBe('br')
    for (const path of ['/', '/readyz', '/openapi.json', '/docs/', '/docs/static/swagger-ui.css'])
      expect(await statusOf(service.url + path), path).toBe(200)
    await register(service, 'bob@example.com')
    // No module and no file is missing.
    expect(service.output()).not.toMatch(/"level":(40|50|60)|Error/)
  })
})
