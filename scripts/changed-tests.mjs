// Selects the tests of `npm run test:changed`.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** It imports every module, and every test that starts a service imports it. Following it would select all tests. */
const ASSEMBLY = 'server/src/app.ts'
/** A change here can change the result of any test. */
const EVERYTHING =
  /^(package-lock\.json|server\/migrations\/|server\/src\/(app|ports|service|main|platform\/platform)\.ts$|server\/vitest\.config\.ts$|server\/test\/harness\/(global-setup|reset-between-files)\.ts$)/

/** Pages and the tests that read them. */
const PAGES = /^(README\.md|CONTRIBUTING\.md|docs\/.*)$/
const TESTS_OF_PAGES = 'server/test/documentation/'

/**
 * Returns the test files that changed, that import a changed file (directly or through others, but not through the assembly of the
 * whole service), or that are in the folder of a changed module and so use it over HTTP. A changed protocol is used by the tests of the
 * features that import it.
 *
 * @param root of the repository
 * @param since a commit; without it, the changes since the branch left main, uncommitted ones included
 * @returns paths relative to the root
 */
export async function changedTests(root, since) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const base = since ?? mergeBase(git)
  const changed = new Set([
    ...git('diff', '--name-only', '--no-renames', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ])
  const tests = git('ls-files', '--cached', '--others', '--exclude-standard', 'server', 'console/src').filter(
    (path) => path.endsWith('.test.ts') && existsSync(join(root, path)),
  )
  if ([...changed].some((path) => EVERYTHING.test(path))) return tests
  if (changed.size === 0) return []
  const imports = await importsOf(root, tests)
  const sources = [...changed].filter((path) => !path.endsWith('.test.ts'))
  const modules = new Set(
    sources
      .flatMap((path) => [path, ...importersOf(imports, path)])
      .map(moduleOf)
      .filter(Boolean),
  )
  const havePagesChanged = sources.some((path) => PAGES.test(path))
  return tests.filter(
    (test) =>
      modules.has(moduleOf(test)) ||
      reaches(imports, test, changed) ||
      (havePagesChanged && test.startsWith(TESTS_OF_PAGES)),
  )
}

function mergeBase(git) {
  try {
    return git('merge-base', 'HEAD', 'origin/main')[0]
  } catch {
    return 'HEAD'
  }
}

const moduleOf = (path) => /^(server\/src\/(?:features|protocols|platform)\/[^/]+)\//.exec(path)?.[1]

/** Returns the files that import a file of a protocol, directly or through other protocol files. */
function importersOf(imports, path) {
  const found = new Set([path])
  for (const file of found) {
    if (!file.startsWith('server/src/protocols/')) continue
    for (const [importer, imported] of imports) if (imported.includes(file)) found.add(importer)
  }
  return found
}

/** Returns for each file the files of this repository that it imports. */
async function importsOf(root, tests) {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    absWorkingDir: root,
    // One entry point that imports all files, because a separate one for each would link the same modules repeatedly.
    stdin: { contents: tests.map((path) => `import './${path}'`).join('\n'), resolveDir: root },
    bundle: true,
    write: false,
    outdir: 'unused',
    metafile: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    logLevel: 'silent',
    loader: { '.css': 'empty', '.svg': 'empty', '.html': 'empty', '.node': 'empty' },
  })
  return new Map(
    Object.entries(metafile.inputs).map(([path, input]) => [path, input.imports.map((entry) => entry.path)]),
  )
}

function reaches(imports, start, changed) {
  const seen = new Set([start])
  for (const path of seen) {
    if (changed.has(path)) return true
    if (path === ASSEMBLY) continue
    for (const next of imports.get(path) ?? []) seen.add(next)
  }
  return false
}
