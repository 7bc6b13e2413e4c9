// Decides the order in which tests run against a mutation.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Returns the test files of the server, the most likely to fail first: the expected one, those in the folder of the module, those that
 * name the file, those that call every route, and the rest.
 *
 * @param root of the repository
 * @param near leaves out the rest
 * @returns paths relative to the root
 */
export function nearestTests(root, { file, test }, { near = false } = {}) {
  const module = moduleOf(file)
  const stem = basename(file, '.ts')
  const groups = [
    (path) => path === test,
    (path) => path.startsWith(`${module}/`),
    (path) => new RegExp(`\\b${stem}\\b`).test(readFileSync(join(root, path), 'utf8')),
    (path) => dirname(path) === 'server/test/cross-cutting',
    () => !near,
  ]
  const rank = (path) => groups.findIndex((holds) => holds(path))
  return testFiles(root)
    .map((path) => ({ path, rank: rank(path), shared: sharedWords(path, file) }))
    .filter(({ rank }) => rank !== -1)
    .sort((a, b) => a.rank - b.rank || b.shared - a.shared || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path)
}

const moduleOf = (file) => /^server\/src\/(?:features|protocols|platform)\/[^/]+/.exec(file)?.[0] ?? dirname(file)

/** Returns how many words the names of test and mutated file share: `refresh-rotation.test.ts` and `refresh-session.ts` share one. */
function sharedWords(path, file) {
  const words = wordsOf(basename(path, '.test.ts'))
  return wordsOf(basename(file, '.ts')).filter((word) => words.includes(word)).length
}

const wordsOf = (name) => name.split('-').map((word) => word.replace(/s$/, ''))

const testFiles = (root) =>
  ['server/src', 'server/test'].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.test.ts'))
          .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      : [],
  )
