// Builds parts that are missing or older than their sources. Used by `npm start`, `npm run build`, the tests and the benchmarks.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withBuildLock } from './build-lock.mjs'
import { compressConsole } from './compress-console.mjs'
import { bundleRelease, bundleServer, removeOthers, translateServer } from './server-program.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
/** The static files of the API documentation. */
export const SWAGGER_UI = 'node_modules/@fastify/swagger-ui/static'
const OUR_BUILD = ['scripts/build-stale.mjs', 'scripts/server-program.mjs', 'package-lock.json']

/**
 * A part is rebuilt when one of its sources is newer than its stamp, which is written when the part is complete. Rebuilding the part in
 * `after` removes the stamp.
 */
const PARTS = {
  // First, because it takes the longest.
  'database template': {
    stamp: 'server/dist/database-template.built',
    sources: [
      'server/migrations',
      'server/src/platform/db',
      'server/src/make-database-template.ts',
      'package-lock.json',
    ],
    build: makeDatabaseTemplate,
  },
  server: {
    stamp: 'server/bundle/.built',
    sources: ['server/src', ...OUR_BUILD],
    build: () => replaceFolder('server/bundle', (folder) => bundleServer(root, ['main.ts', 'app.ts'], folder)),
  },
  /** As in a release: it loads in half of the processor time, but takes longer to build. Complete test runs start it dozens of times. */
  'server with its packages': {
    isOnRequest: true,
    stamp: 'server/packaged/.built',
    sources: ['server/src', ...OUR_BUILD],
    build: () =>
      replaceFolder('server/packaged', async (folder) => {
        await bundleRelease(root, join(root, folder))
        cpSync(join(root, SWAGGER_UI), join(root, folder, 'swagger-ui/static'), { recursive: true })
      }),
  },
  console: {
    stamp: 'console/dist/.built',
    sources: [
      'console/src',
      'console/public',
      'console/vite-plugins',
      'console/index.html',
      'console/sign-in.html',
      'console/vite.config.ts',
      'scripts/build-stale.mjs',
      'package-lock.json',
    ],
    build: () =>
      replaceFolder('console/dist', async (folder) => {
        await viteBuild(['--outDir', join(root, folder)])
        // The bundle with which the server renders the sign-in pages.
        await viteBuild(['--ssr', 'src/sign-in/render.tsx', '--outDir', join(root, folder, 'render')])
      }),
  },
  /** Not needed to start the service. */
  'compressed files of the console': {
    stamp: 'console/dist/.compressed',
    sources: ['scripts/compress-console.mjs'],
    after: 'console',
    build: () => compressConsole(join(root, 'console/dist')),
  },
  /** The server with one file per source, for programs that import single sources: tests, checks, benchmarks. */
  'modules of the server': {
    stamp: 'server/dist/.built',
    sources: ['server/src', ...OUR_BUILD],
    build: translateModules,
  },
}

/** All parts except those that are built only on request. */
export const ALWAYS = Object.keys(PARTS).filter((name) => !PARTS[name].isOnRequest)

/** The parts that a service needs to start. */
export const SERVICE = ['database template', 'server', 'console']

/** Fills a new folder and replaces the old one with it, so that no process sees a partial build and a killed build changes nothing. */
async function replaceFolder(target, fill) {
  const [fresh, old] = [`${target}.new`, `${target}.old`]
  for (const name of [fresh, old]) rmSync(join(root, name), { recursive: true, force: true })
  await fill(fresh)
  if (existsSync(join(root, target))) renameSync(join(root, target), join(root, old))
  renameSync(join(root, fresh), join(root, target))
  rmSync(join(root, old), { recursive: true, force: true })
}

async function translateModules() {
  const target = join(root, 'server/dist')
  const built = await translateServer(root, sourcesOf(join(root, 'server/src')))
  removeOthers(target, built, isOfTemplate)
}

const isOfTemplate = (name) => name.startsWith('database-template') || name.startsWith('.template-')

/** Uses a separate bundle, so that it does not wait for the server. */
async function makeDatabaseTemplate() {
  const folder = 'server/.template-program'
  const target = join(root, 'server/dist')
  const remove = () => rmSync(join(root, folder), { recursive: true, force: true })
  remove()
  mkdirSync(target, { recursive: true })
  // A killed build leaves its folder behind.
  for (const name of readdirSync(target))
    if (name.startsWith('.template-')) rmSync(join(target, name), { recursive: true, force: true })
  try {
    await bundleServer(root, ['make-database-template.ts'], folder)
    await run(process.execPath, [join(root, folder, 'make-database-template.js')])
  } finally {
    remove()
  }
}

const viteBuild = (options) =>
  run(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn', '--emptyOutDir', ...options],
    // A development build cannot be rendered by the server. Test runners set NODE_ENV.
    { cwd: join(root, 'console'), env: { ...process.env, NODE_ENV: 'production' } },
  )

const sourcesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(test|d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

function run(command, args, { cwd = root, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} failed (exit code ${status})`)),
    )
  })
}

/** Returns the time of the newest change below a path, in milliseconds, without tests. */
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return /\.test\.tsx?$/.test(path) ? 0 : stat.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs)
}

function isStale({ stamp, sources }) {
  const builtAt = statSync(join(root, stamp), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return builtAt === 0 || sources.some((source) => newest(join(root, source)) > builtAt)
}

/**
 * Builds the stale parts in parallel, unless another process builds them.
 * @param only names of the parts that the caller needs; `ALWAYS` if not given
 * @param meanwhile a function for a part, called as soon as the part is up to date, while other builds run
 * @returns whether anything was built
 */
export async function buildStale({ force = false, only = ALWAYS, meanwhile = {} } = {}) {
  const findStale = () => {
    const stale = only.filter((name) => isStale(PARTS[name]))
    return only.filter((name) => stale.includes(name) || stale.includes(PARTS[name].after))
  }
  const build = async (stale) => {
    const builds = {}
    for (const name of stale) builds[name] = buildPart(name, builds[PARTS[name].after])
    const others = Object.entries(meanwhile).map(async ([name, act]) => {
      await builds[name]
      await act()
    })
    await Promise.all([...Object.values(builds), ...others])
    return stale.length > 0
  }
  if (!force && findStale().length === 0) return build([])
  const onWait = () => console.error('Another process is building. Waiting for it …')
  return withBuildLock(root, () => build(force ? only : findStale()), onWait)
}

/** The tolerated lag of the file system clock, in milliseconds. */
const CLOCK_TOLERANCE = 10

/** @param before the build to wait for */
async function buildPart(name, before) {
  const { stamp, build } = PARTS[name]
  await before
  const path = join(root, stamp)
  const why = existsSync(path) ? 'its sources have changed' : 'not built yet'
  console.error(`Building the ${name} (${why}) …`)
  const start = Date.now()
  rmSync(path, { force: true })
  await build()
  writeFileSync(path, '')
  // A source that changes during the build is newer than the stamp.
  const since = new Date(start - CLOCK_TOLERANCE)
  utimesSync(path, since, since)
  console.error(`Built the ${name} in ${((Date.now() - start) / 1000).toFixed(1)} s.`)
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const only = process.argv.slice(2).filter((argument) => argument !== '--force')
  try {
    if (!(await buildStale({ force: process.argv.includes('--force'), ...(only.length > 0 && { only }) })))
      console.error('Everything is up to date.')
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
