// `npm run check`: all static checks of the sources. As many run in parallel as there are cores; the exit status is 0 if all pass.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** One thread per program: other checks use the other cores, and two threads would check some files twice. */
const TSC = ['--checkers', '1', '-p']

/** The longest first, so that none runs alone at the end. */
const CHECKS = [
  ['types of the server and the benchmarks', 'tsc', [...TSC, 'tsconfig.json']],
  ['types of the console', 'tsc', [...TSC, 'console/tsconfig.json']],
  ['openapi.json and the reference pages', 'node', ['scripts/write-reference.mjs', '--check']],
  ['import rules', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'server/src', 'console/src']],
  ['dead code', 'knip', []],
  ['migrations match the tables', 'node', ['scripts/check-migrations.mjs']],
  ["the types of the console's messages", 'npm', ['run', '-s', 'messages', '-w', 'console', '--', '--check']],
  ["the console's types of the interface", 'npm', ['run', '-s', 'generate', '-w', 'console', '--', '--check']],
  ['language', 'node', ['scripts/check-language.mjs']],
  ['duplicated code', 'node', ['scripts/check-duplicates.mjs']],
  ['each table is written by its owner', 'node', ['scripts/check-tables.mjs']],
  ['version', 'node', ['scripts/release-notes.mjs']],
  ['mutations apply', 'node', ['scripts/mutations/run.mjs', '--check']],
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
]
/** A check may need more than a gigabyte of memory. */
const MAX_CONCURRENT = 4

const env = { ...process.env, PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}` }
let passed = 0
const failed = []

/** Runs the remaining checks one after another. */
async function work(left) {
  for (let check = left.shift(); check; check = left.shift()) {
    const [name, command, args] = check
    const start = Date.now()
    const { status, output } = await run(command, args)
    const seconds = ((Date.now() - start) / 1_000).toFixed(0)
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
    if (status === 0) passed++
    else {
      failed.push(name)
      console.log(output)
    }
  }
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    child.once('error', (error) => resolve({ status: 1, output: error.message }))
    child.once('close', (status) => resolve({ status, output }))
  })
}

const left = [...CHECKS]
const workers = Math.min(availableParallelism(), MAX_CONCURRENT)
await Promise.all(Array.from({ length: workers }, () => work(left)))
console.log(`checks: ${passed} passed, ${failed.length} failed`)
process.exit(failed.length > 0 ? 1 : 0)
