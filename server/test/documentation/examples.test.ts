import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../factories/factors.js'
import { type BuiltServer, freePort, startBuilt } from '../harness/built-server.js'
import { LONG } from '../harness/some-of.js'
import { type Example, readExamples } from './examples.js'
import { type Outcome, openShell } from './reader-shell.js'

// Executes the commands of the documentation as a reader does: the blocks of a page in order, in one shell, on a fresh instance. The page
// `call-the-api.md` is first, because the other pages use its variables. A request must return 2xx, or the status of a comment at its end
// (`curl … # 401`). A block of JSON after a block of commands contains members of its last response; the string `…` stands for any string.
//
// Only two values are replaced: the URL of the instance, and the code 123456 of an authenticator app.

const repository = resolve(import.meta.dirname, '../../..')
const FIRST = 'docs/guides/call-the-api.md'
const MAX_SKIPPED = 10
/** Pages that only the long tests execute: together they take as long as the ten shortest. */
const SLOW = ['docs/guides/scim.md', 'docs/guides/devices-services-and-agents.md']

const pages = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .concat('README.md', 'CONTRIBUTING.md')
  .filter((name) => name.endsWith('.md'))
const examplesOf = new Map(pages.map((page) => [page, readExamples(join(repository, page))]))
const executed = pages
  .filter((page) => page !== FIRST && examplesOf.get(page)?.some(({ skipped }) => skipped === undefined))
  .sort()

const isInstalled = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
const isExecutable = ['bash', 'curl', 'openssl'].every(isInstalled)

const root = mkdtempSync(join(tmpdir(), 'keyward-documentation-'))
const clone = join(root, 'clone')
const variables = join(root, 'variables')
let server: BuiltServer
let secret = ''

beforeAll(async () => {
  if (!isExecutable) return
  mkdirSync(clone)
  for (const name of readdirSync(repository))
    if (name !== 'data') symlinkSync(join(repository, name), join(clone, name))
  server = await startBuilt(await freePort(), { DATA_DIR: join(clone, 'data') })
})
afterAll(async () => {
  await server?.end('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

/** Replaces the values that a reader replaces. */
const filled = (commands: string): string =>
  commands
    .replaceAll('http://localhost:3000', server.url)
    .replace('CODE=123456', () => `CODE=${secret && codeOf(secret, Date.now())}`)

/** Executes the blocks of a page and returns what differs from the page. */
async function differences(page: string, before: string, after = ''): Promise<string[]> {
  const shell = openShell(root, clone)
  const found: string[] = []
  await shell.execute(before)
  for (const example of examplesOf.get(page) ?? []) {
    if (example.skipped !== undefined) continue
    const outcome = await shell.execute(filled(example.commands))
    ;[, secret = secret] = /secret=([A-Z2-7]+)/.exec(outcome.responses.at(-1)?.body ?? '') ?? []
    const difference = differenceOf(example, outcome)
    if (difference) found.push(`${page}:${example.line}: ${difference}\n${outcome.output}`)
    if (outcome.exitStatus !== 0) return found
  }
  await shell.execute(after)
  shell.close()
  return found
}

function differenceOf({ statuses, response }: Example, { exitStatus, responses }: Outcome): string | undefined {
  if (exitStatus !== 0) return `exit status ${exitStatus}`
  const received = responses.map(({ status }, index) =>
    statuses[index] === '2xx' ? status.replace(/^2../, '2xx') : status,
  )
  if (received.join() !== statuses.join()) return `responses ${received.join() || 'none'} instead of ${statuses.join()}`
  const { body = '' } = responses.at(-1) ?? {}
  return response === undefined || contains(JSON.parse(body), response) ? undefined : `another response: ${body}`
}

/** Returns whether a value has all the members of the expected one. */
function contains(value: unknown, expected: unknown): boolean {
  if (expected === '…') return typeof value === 'string'
  if (typeof expected !== 'object' || expected === null) return value === expected
  if (Array.isArray(expected) && (!Array.isArray(value) || value.length !== expected.length)) return false
  return Object.entries(expected).every(([name, member]) =>
    contains((value as Record<string, unknown>)?.[name], member),
  )
}

describe.runIf(isExecutable)('the documentation', () => {
  it(`has requests in ${FIRST} that return what it says`, async () => {
    const save = `{ export -p | grep -vE ' (PATH|RECORDED|ASSIGNED)='; declare -f; } > '${variables}'`
    expect(await differences(FIRST, '', save)).toEqual([])
    // The page names both; Node takes four times as long to start.
    if (isInstalled('jq')) appendFileSync(variables, 'field() { jq -r ".$1"; }')
  })

  it.each(executed.filter((page) => LONG || !SLOW.includes(page)))(
    'has requests in %s that return what the page says',
    async (page) => {
      expect(await differences(page, `. '${variables}'`)).toEqual([])
    },
  )

  it(`has at most ${MAX_SKIPPED} examples that no test executes`, () => {
    const isExecutedElsewhere = (reason: string) => reason.includes('npm run test:install executes it')
    const skipped = [...examplesOf.values()]
      .flat()
      .filter((example) => example.skipped !== undefined && !isExecutedElsewhere(example.skipped))
    expect(skipped.length).toBeLessThanOrEqual(MAX_SKIPPED)
  })
})
