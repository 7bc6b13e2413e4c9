// Builds what is missing or older than its sources. Used by `npm start`, `npm run build`, the tests and the benchmarks.
// Types are not checked here: `npm run check` does that.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Each part is rebuilt when one of its sources is newer than its stamp, or when a part that it needs was rebuilt and `reruns` says so. */
const PARTS = {
  server: {
    stamp: 'server/dist/.built',
    sources: ['server/src', 'scripts/build-stale.mjs', 'package-lock.json'],
    build: compileServer,
  },
  'database template': {
    stamp: 'server/dist/database-template.built',
    sources: [
      'server/migrations',
      'server/src/platform/db',
      'server/src/make-database-template.ts',
      'package-lock.json',
    ],
    after: 'server',
    build: () => run(process.execPath, ['server/dist/make-database-template.js']),
  },
  console: {
    stamp: 'console/dist/.built',
    sources: [
      'console/src',
      'console/public',
      'console/vite-plugins',
      'console/index.html',
      'console/vite.config.ts',
      'package-lock.json',
    ],
    build: () =>
      run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
        cwd: join(root, 'console'),
      }),
  },
}

async function compileServer() {
  const target = join(root, 'server/dist')
  for (const name of existsSync(target) ? readdirSync(target) : [])
    if (!name.startsWith('database-template')) rmSync(join(target, name), { recursive: true, force: true })
  await compileSources(sourcesOf(join(root, 'server/src')))
}

/**
 * Translates source files of the server to JavaScript with a source map, file by file: the layout stays.
 * @param folder the repository, or a copy of it
 */
export async function compileSources(files, folder = root) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: folder,
    entryPoints: files,
    outbase: 'server/src',
    outdir: 'server/dist',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    logLevel: 'warning',
  })
}

const sourcesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(test|d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

function run(command, args, { cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} failed (exit code ${status})`)),
    )
  })
}

/** The newest change below a path, in milliseconds; tests do not count. */
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
 * Builds the stale parts side by side.
 * @param only names of the parts that the caller needs; all of them if not given
 * @param meanwhile for a part, what to do as soon as it is up to date, beside the other builds
 * @returns whether anything was built
 */
export async function buildStale({ force = false, only = Object.keys(PARTS), meanwhile = {} } = {}) {
  const stale = only.filter((name) => force || isStale(PARTS[name]))
  const builds = {}
  for (const name of stale) builds[name] = buildPart(name, builds[PARTS[name].after])
  const others = Object.entries(meanwhile).map(async ([name, act]) => {
    await builds[name]
    await act()
  })
  await Promise.all([...Object.values(builds), ...others])
  return stale.length > 0
}

async function buildPart(name, needed) {
  const { stamp, build } = PARTS[name]
  const why = existsSync(join(root, stamp)) ? 'its sources have changed' : 'not built yet'
  console.log(`Building the ${name} (${why}) …`)
  await needed
  const start = new Date()
  await build()
  writeFileSync(join(root, stamp), `${start.toISOString()}\n`)
  console.log(`Built the ${name} in ${((Date.now() - start.getTime()) / 1000).toFixed(1)} s.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (!(await buildStale({ force: process.argv.includes('--force') }))) console.log('Everything is up to date.')
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
