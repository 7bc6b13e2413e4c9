// A copy of the repository in a temporary folder. One file at a time is changed there; the working tree never changes.
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildStale } from '../build-stale.mjs'
import { translateServer } from '../server-program.mjs'

/** The folders that the copy links to in the working tree. Tests that start the bundled program (`server/bundle`) see no mutation. */
const LINKED = ['node_modules', 'server/node_modules', 'console/node_modules', 'console/dist', 'server/bundle']

/** How long one run of the tests may take, in milliseconds: a mutation can make them hang. */
const MAX_RUN_TIME = 20 * 60_000

/** @param root of the repository */
export async function createCopy(root) {
  await buildStale({ only: ['modules of the server', 'server', 'database template', 'console'] })
  // A short name, because sockets are below it and their paths have a length limit.
  // The real path, because the temporary folder can be a link, as on macOS, and reports contain real paths.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'keyward-m-'))
  const temporary = join(folder, 't')
  let running
  const remove = () => {
    if (running?.exitCode === null && running.signalCode === null) process.kill(-running.pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  process.once('exit', remove)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
  copyFiles(root, folder)
  mkdirSync(temporary)

  /** Runs a Node program in the copy. */
  function run(args, { cwd = folder, env = {} } = {}) {
    const { DATABASE_URL: _embedded, ...inherited } = process.env
    return new Promise((resolve, reject) => {
      running = spawn(process.execPath, args, {
        cwd,
        env: { ...inherited, TMPDIR: temporary, FORCE_COLOR: '0', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A separate process group, so that its child processes end with it.
        detached: true,
      })
      let output = ''
      for (const stream of [running.stdout, running.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          output += text
        })
      const limit = setTimeout(() => process.kill(-running.pid, 'SIGKILL'), MAX_RUN_TIME)
      running.once('error', reject)
      running.once('close', (status) => {
        clearTimeout(limit)
        resolve({ status, output })
      })
    })
  }

  async function write(file, text) {
    writeFileSync(join(folder, file), text)
    await translateServer(folder, [join(folder, file)])
  }

  return {
    /** Calls `act` while the mutation is applied in the copy. */
    async withMutation({ file, find, replace }, work) {
      const text = readFileSync(join(folder, file), 'utf8')
      await write(file, text.split(find).join(replace))
      try {
        return await work()
      } finally {
        await write(file, text)
      }
    },

    /**
     * Runs test files in this order until one fails.
     * @param title only the tests whose title contains it
     * @returns the first failure; undefined if all pass
     */
    async test(files, { workers, title } = {}) {
      const [order, report] = ['order.json', 'report.json'].map((name) => join(folder, name))
      writeFileSync(order, JSON.stringify(files))
      rmSync(report, { force: true })
      const { status, output } = await run(
        [
          join(folder, 'node_modules/vitest/vitest.mjs'),
          ...['run', '--config', '../scripts/mutations/vitest.config.mjs', '--bail=1'],
          ...['--reporter=json', `--outputFile=${report}`],
          ...(workers ? [`--maxWorkers=${workers}`] : []),
          ...(title ? ['--testNamePattern', title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')] : []),
        ],
        { cwd: join(folder, 'server'), env: { KEYWARD_TEST_ORDER: order } },
      )
      if (status === 0) return undefined
      const failure = existsSync(report) ? firstFailure(JSON.parse(readFileSync(report, 'utf8')), folder) : undefined
      // A crashed or hanging process counts as a failure.
      return failure ?? { file: files[0], title: `the run ended without a failed test: ${output.slice(-300)}` }
    },
  }
}

function copyFiles(root, folder) {
  const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', git, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const name of names) {
    if (!existsSync(join(root, name))) continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(root, name), join(folder, name))
  }
  for (const name of LINKED) if (existsSync(join(root, name))) symlinkSync(join(root, name), join(folder, name))
  cpSync(join(root, 'server/dist'), join(folder, 'server/dist'), { recursive: true })
}

/** The first test that failed, or the file that could not be run. */
function firstFailure({ testResults }, folder) {
  for (const { name, status, assertionResults, message } of testResults) {
    const failed = assertionResults.find((result) => result.status === 'failed')
    const file = name.replace(`${folder}/`, '')
    if (failed) return { file, title: failed.fullName }
    if (status === 'failed') return { file, title: message.split('\n')[0] }
  }
  return undefined
}
