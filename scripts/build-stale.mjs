// Builds what is missing or older than its sources, and says so. Used by `npm start`, `npm run build`, the tests and the benchmarks.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const bin = (name) => join(root, 'node_modules', '.bin', name)

const PARTS = [
  {
    name: 'server',
    stamp: 'server/dist/.built',
    sources: [
      'server/src',
      'server/migrations',
      'server/tsconfig.build.json',
      'tsconfig.base.json',
      'package-lock.json',
    ],
    build() {
      rmSync(join(root, 'server/dist'), { recursive: true, force: true })
      run(bin('tsc'), ['-p', 'server/tsconfig.build.json'])
      run(process.execPath, ['server/dist/make-database-template.js'])
    },
  },
  {
    name: 'console',
    stamp: 'console/dist/.built',
    sources: [
      'console/src',
      'console/public',
      'console/vite-plugins',
      'console/index.html',
      'console/vite.config.ts',
      'package-lock.json',
    ],
    build: () => run(bin('vite'), ['build', '--logLevel', 'warn'], join(root, 'console')),
  },
]

function run(command, args, cwd = root) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command} failed${error ? `: ${error.message}` : ''}`)
}

/** The newest change below a path, in milliseconds; tests do not count. */
function newest(path) {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return /\.test\.tsx?$/.test(path) ? 0 : stat.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs)
}

/** @returns whether anything was built */
export function buildStale({ force = false } = {}) {
  let built = false
  for (const { name, stamp, sources, build } of PARTS) {
    const stampFile = join(root, stamp)
    const since = existsSync(stampFile) ? statSync(stampFile).mtimeMs : 0
    if (!force && since > 0 && sources.every((source) => newest(join(root, source)) <= since)) continue
    console.log(`Building the ${name} (${since === 0 ? 'not built yet' : 'its sources have changed'}) …`)
    const start = new Date()
    build()
    writeFileSync(stampFile, `${start.toISOString()}\n`)
    console.log(`Built the ${name} in ${((Date.now() - start.getTime()) / 1000).toFixed(1)} s.`)
    built = true
  }
  return built
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!buildStale({ force: process.argv.includes('--force') })) console.log('Everything is built.')
}
