// `npm run check`: everything that can be said about the sources without running the service. All checks run; the exit says whether all passed.
import { spawnSync } from 'node:child_process'

const CHECKS = [
  ['types of the server', 'tsc', ['-p', 'server/tsconfig.json']],
  ['types of the console', 'npm', ['run', '-s', 'typecheck', '-w', 'console']],
  ['types of the scripts and benchmarks', 'tsc', ['-p', 'tsconfig.json']],
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
for (const [name, command, args] of CHECKS) {
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  if (status === 0) passed++
  else {
    failed.push(name)
    console.log(`${stdout}${stderr}`)
  }
}
console.log(`checks: ${passed} passed, ${failed.length} failed`)
process.exit(failed.length > 0 ? 1 : 0)
