// Checks that the tests detect bugs in security-relevant code: applies one small bug after another (`list.mjs`) to a copy of the
// repository and runs the tests of the server on the embedded database until one fails.
//
//   node scripts/mutations/run.mjs                     all; the exit status is 1 when a mutation survives
//   node scripts/mutations/run.mjs --only 'backup code'   those whose name or file contains the string (repeatable)
//   node scripts/mutations/run.mjs --shard 1/4         a quarter of them
//   node scripts/mutations/run.mjs --near              without the tests that are unrelated to the file
//   node scripts/mutations/run.mjs --workers 1         the number of test processes
//   node scripts/mutations/run.mjs --check             only checks that each applies to exactly one place and names an existing test
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { testTitles } from '../test-titles.mjs'
import { createCopy } from './copy.mjs'
import { MUTATIONS } from './list.mjs'
import { nearestTests } from './nearest-tests.mjs'

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)))
const OPTIONS = {
  check: { type: 'boolean' },
  near: { type: 'boolean' },
  only: { type: 'string', multiple: true },
  shard: { type: 'string' },
  workers: { type: 'string' },
}

/** Returns why a mutation does not apply; undefined if it does. */
function problemOf({ name, file, find, replace, test, title }) {
  if (MUTATIONS.filter((other) => other.name === name).length > 1) return 'its name is not unique'
  if (!existsSync(join(root, file))) return `${file} does not exist`
  const places = readFileSync(join(root, file), 'utf8').split(find).length - 1
  if (places !== 1) return `the code to find occurs ${places} times in ${file}`
  if (find === replace) return 'it changes nothing'
  if (test && !existsSync(join(root, test))) return `${test} does not exist`
  return title && !hasTitle(test, title) ? `no test in ${test} has a title with "${title}"` : undefined
}

const hasTitle = (test, part) =>
  testTitles(test, readFileSync(join(root, test), 'utf8')).some(({ title }) => title.includes(part))

/** Prints the mutations that do not apply. @returns whether all do */
function check(mutations) {
  const problems = mutations.map((mutation) => [mutation.name, problemOf(mutation)]).filter(([, problem]) => problem)
  for (const [name, problem] of problems) console.log(`does not apply: ${name}: ${problem}`)
  return problems.length === 0
}

function chosen({ only, shard }) {
  const named = MUTATIONS.filter(
    ({ name, file }) => !only || only.some((text) => name.includes(text) || file.includes(text)),
  )
  if (!shard) return named
  const [index, count] = shard.split('/').map(Number)
  return named.filter((_, position) => position % count === index - 1)
}

/** @returns the mutation with the test that failed, if one did */
async function tryOut(copy, mutation, options) {
  const begin = Date.now()
  const { test, title } = mutation
  const files = nearestTests(root, mutation, options)
  const killer = await copy.withMutation(
    mutation,
    async () => (title && (await copy.test([test], { ...options, title }))) || copy.test(files, options),
  )
  const result = { ...mutation, killer, seconds: Math.round((Date.now() - begin) / 1_000) }
  console.log(line(result))
  return result
}

const line = ({ name, killer, seconds }) =>
  `${killer ? 'killed  ' : 'SURVIVED'} ${String(seconds).padStart(5)} s  ${name}${killer ? `\n${' '.repeat(18)}${killer.file}: ${killer.title}` : ''}`

/** Runs the tests without a mutation: a test that always fails would kill every mutation. @returns whether they pass */
async function passUnchanged(copy, results, options) {
  const files = [...new Set(results.flatMap(({ killer }) => (killer ? [killer.file] : [])))]
  if (files.length === 0) return true
  const failure = await copy.test(files, options)
  if (failure) console.log(`FAILED without a mutation: ${failure.file}: ${failure.title}`)
  return !failure
}

function printTable(results) {
  console.log('\n| mutation | file | killed by | seconds |\n|---|---|---|---|')
  for (const { name, file, killer, seconds } of results)
    console.log(`| ${name} | ${file} | ${killer?.file ?? '**survived**'} | ${seconds} |`)
}

const { values: options } = parseArgs({ options: OPTIONS })
const mutations = chosen(options)
const apply = check(mutations)
if (options.check) {
  if (apply) console.log(`mutations: ${mutations.length} apply`)
  process.exit(apply ? 0 : 1)
}
if (mutations.length === 0) console.log('No mutation was selected.')
if (!apply || mutations.length === 0) process.exit(1)

const copy = await createCopy(root)
const results = []
for (const mutation of mutations) results.push(await tryOut(copy, mutation, options))
const arePassing = await passUnchanged(copy, results, options)
printTable(results)
const killed = results.filter(({ killer }) => killer).length
console.log(`\nmutations: ${killed} killed, ${results.length - killed} survived`)
process.exit(arePassing && killed === results.length ? 0 : 1)
