// A Vitest reporter that stores the duration of each test file, and a table of the slowest files of one or more runs.
import { appendFileSync, existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const SHOWN = 10
const linesIn = (folder) => join(folder, 'files.jsonl')

export default class SlowestFiles {
  onTestRunEnd(modules) {
    const folder = process.env.KEYWARD_TEST_TIMINGS
    if (!folder) return
    for (const module of modules) {
      const { collectDuration, setupDuration, duration } = module.diagnostic()
      const tests = [...module.children.allTests()].length
      const seconds = (collectDuration + setupDuration + duration) / 1_000
      const line = { file: relative(root, module.moduleId), run: process.env.KEYWARD_TEST_RUN ?? '', tests, seconds }
      appendFileSync(linesIn(folder), `${JSON.stringify(line)}\n`)
    }
  }
}

/** Prints the ten slowest files of all runs that stored their times in the folder. */
export function printSlowest(folder) {
  if (!existsSync(linesIn(folder))) return
  const files = readFileSync(linesIn(folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
  console.log(`\nThe slowest of ${files.length} test files:\n`)
  console.log('  seconds   tests  file')
  for (const { file, run, tests, seconds } of slowest)
    console.log(`${seconds.toFixed(1).padStart(9)}${String(tests).padStart(8)}  ${file}${run && ` (${run})`}`)
  console.log('')
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  printSlowest(process.argv[2] ?? '')
