// `node scripts/release-notes.mjs` verifies that every file names the same version, and `… v1.2.3` that a release with this tag can be built;
// prints the notes of the release, from the changelog.
import { existsSync, readFileSync } from 'node:fs'

const read = (path) => readFileSync(path, 'utf8')
const versionOf = (path) => JSON.parse(read(path)).version
const version = versionOf('package.json')
const [tag] = process.argv.slice(2)

const problems = []
const expect = (is, problem) => {
  if (!is) problems.push(problem)
}

for (const path of ['server/package.json', 'console/package.json', 'server/openapi.json'])
  expect((versionOf(path) ?? JSON.parse(read(path)).info?.version) === version, `${path} has another version`)
for (const overlay of ['embedded', 'postgresql']) {
  const path = `deploy/kubernetes/${overlay}/kustomization.yaml`
  expect(read(path).includes(`newTag: ${version}\n`), `newTag in ${path} is not ${version}`)
}
const [, named] = /keyward-(\d[\w.-]*)\.tgz/.exec(read('docs/guides/install.md')) ?? []
expect(named === version, `docs/guides/install.md names keyward-${named}.tgz`)

const changelog = read('CHANGELOG.md')
const sectionOf = (title) =>
  new RegExp(`^## \\[${title.replaceAll('.', '\\.')}\\].*\\n([\\s\\S]*?)(?=^## \\[|(?![\\s\\S]))`, 'm').exec(
    changelog,
  )?.[1]
const notes = sectionOf(version)
expect(notes !== undefined || sectionOf('Unreleased') !== undefined, `CHANGELOG.md has no section for ${version}`)
if (tag !== undefined) {
  expect(tag === `v${version}`, `the tag ${tag} is not v${version}`)
  expect(notes?.trim(), `CHANGELOG.md has no notes for ${version}`)
  expect(
    existsSync(`server/test/releases/${version}/database.sql`),
    `server/test/releases/${version} is missing: run npm run release:data`,
  )
}

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log(notes?.trim() ?? 'The version is the same in every file.')
