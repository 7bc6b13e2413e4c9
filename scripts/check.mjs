// `npm run check`: everything that can be said about the sources without running the service. All checks run, those
// of one list beside those of the other; the exit says whether all passed.
import { spawn } from 'node:child_process'

const TYPES = [
  ['types of the server', 'tsc', ['-p', 'server/tsconfig.json']],
  ['types of the console', 'npm', ['run', '-s', 'typecheck', '-w', 'console']],
  ['types of the scripts and benchmarks', 'tsc', ['-p', 'tsconfig.json']],
]
const OTHERS = [
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['import rules', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'server/src', 'console/src']],
  ['dead code', 'knip', []],
  ['openapi.json and the reference pages', 'node', ['--import', 'tsx', 'scripts/write-reference.ts', '--check']],
  ["the console's types of the interface", 'npm', ['run', '-s', 'generate', '-w', 'console', '--', '--check']],
  ['migrations match the tables', 'node', ['scripts/check-migrations.mjs']],
]

const env = { ...process.env, PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}` }
let passed = 0
const failed = []

async function runAll(checks) {
  for (const [name, command, args] of checks) {
    const { status, output } = await run(command, args)
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
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

await Promise.all([runAll(TYPES), runAll(OTHERS)])
console.log(`checks: ${passed} passed, ${failed.length} failed`)
process.exit(failed.length > 0 ? 1 : 0)
