// `npm run test:long`: the tests that take too long for every run. The exit status is 1 if any part fails.
//
//   npm run test:long                         all parts: embedded, postgresql, browser, installation, mutations
//   npm run test:long -- mutations            only these parts
//   npm run test:long -- --shard 1/3          a third of the files and of the mutations
//   npm run test:long -- --seed 42            the file order of an earlier run
//
// embedded and postgresql run all tests with the full counts of crash, load and property tests, postgresql with two nodes. browser
// renders each page in all four combinations of width and color scheme. installation also builds the image. mutations checks that the tests detect the bugs in
// `scripts/mutations/list.mjs`.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findChromium } from './find-chromium.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { DATABASE_URL: database, ...onEmbedded } = process.env
const { values, positionals: chosen } = parseArgs({
  options: { shard: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const shard = values.shard ? ['--shard', values.shard] : []
const seed = values.seed ? ['--seed', values.seed] : []
const allTests = ['scripts/test.mjs', '--long', ...shard, ...seed]

const PARTS = {
  embedded: { args: allTests, env: onEmbedded },
  postgresql: {
    args: allTests,
    env: { ...process.env, KEYWARD_TEST_NODES: '2' },
    needs: database ? [] : ['DATABASE_URL'],
  },
  browser: {
    args: ['scripts/test.mjs', '--long', '--browser', ...shard, ...seed],
    env: onEmbedded,
    needs: findChromium() ? [] : ['Chromium'],
  },
  installation: {
    args: ['scripts/test.mjs', '--long', '--installation', ...shard, ...seed],
    env: onEmbedded,
    needs: [
      ...['buildah', 'debootstrap', 'systemd-analyze'].filter((command) => !isInstalled(command)),
      ...(process.getuid?.() === 0 ? [] : ['root']),
    ],
  },
  mutations: { args: ['scripts/mutations/run.mjs', ...shard], env: onEmbedded },
}

function isInstalled(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

const unknown = chosen.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Available: ${Object.keys(PARTS).join(', ')}.`)
  process.exit(1)
}
const outcomes = Object.entries(PARTS).map(([name, part]) => [name, outcomeOf(name, part)])
for (const [name, outcome] of outcomes) console.log(`${name}: ${outcome}`)
process.exit(outcomes.some(([, outcome]) => outcome === 'FAILED') ? 1 : 0)

function outcomeOf(name, { args, env, needs = [] }) {
  if (chosen.length > 0 && !chosen.includes(name)) return 'skipped (not chosen)'
  if (needs.length > 0) return `skipped (needs ${needs.join(', ')})`
  console.log(`== ${name}`)
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  return status === 0 ? 'ok' : 'FAILED'
}
