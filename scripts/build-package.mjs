// `npm run package`: builds the npm package `keyward` in dist/package and packs it.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStale, SWAGGER_UI } from './build-stale.mjs'
import { bundleRelease, NOT_BUNDLED } from './server-program.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'dist/package')

/** Packages with data are part of the package, without the files that the service does not read. */
const KEPT = {
  '@electric-sql/pglite':
    /^(package\.json|LICENSE.*|dist\/(index\.cjs|(index|chunk-.*|initdb)\.js|fs\/nodefs\.js|.*\.wasm|pglite\.data))$/,
  '@ip-location-db/geo-whois-asn-country-mmdb': /^(package\.json|NRO_LICENSE|geo-whois-asn-country\.mmdb)$/,
}

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** @returns the path of the packed file */
async function buildPackage() {
  await buildStale({ only: ['database template', 'console', 'compressed files of the console'] })
  rmSync(target, { recursive: true, force: true })
  mkdirSync(join(target, 'server'), { recursive: true })
  const inputs = await bundleRelease(root, join(target, 'server/bundle'))
  // The same places as in the repository, so that the paths in the sources are valid.
  copy('server/bin', 'server/bin')
  copy('server/migrations', 'server/migrations', (path) => !path.endsWith('_snapshot.json'))
  copy('server/dist/database-template', 'server/dist/database-template')
  copy('console/dist', 'console/dist', (path) => !/\.(map|built|compressed)$/.test(path))
  copy(SWAGGER_UI, 'server/bundle/swagger-ui/static')
  for (const [name, kept] of Object.entries(KEPT)) {
    const from = join('node_modules', name)
    copy(from, from, (path, isFolder) => isFolder || kept.test(path))
  }
  copy('deploy/systemd', 'deploy/systemd')
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) copy(name, name)
  writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), licensesOf(inputs))
  const { version, description, license, engines } = readJson('package.json')
  const server = readJson('server/package.json')
  writeJson('server/package.json', { name: '@keyward/server', version, private: true, type: 'module' })
  writeJson('package.json', {
    name: 'keyward',
    version,
    description,
    license,
    type: 'module',
    engines,
    ...repositoryOf(process.env),
    bin: { keyward: 'server/bin/keyward.mjs' },
    dependencies: Object.fromEntries(NOT_BUNDLED.map((name) => [name, server.dependencies[name]])),
    bundleDependencies: Object.keys(KEPT),
  })
  chmodSync(join(target, 'server/bin/keyward.mjs'), 0o755)
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', dirname(target)], {
      cwd: target,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  return join(dirname(target), packed.filename)
}

/** Returns the field that npm compares with the signed provenance of a package. @param env of a workflow on GitHub; nothing elsewhere */
const repositoryOf = ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }) =>
  server && name ? { repository: { type: 'git', url: `git+${server}/${name}.git` } } : {}

/** @param isKept receives the path below `from`, with `/`, and whether it is a folder */
function copy(from, to, isKept = () => true) {
  const source = join(root, from)
  cpSync(source, join(target, to), {
    recursive: true,
    filter: (path) => path === source || isKept(path.slice(source.length + 1).replaceAll('\\', '/'), isFolder(path)),
  })
}

const isFolder = (path) => statSync(path).isDirectory()

const writeJson = (path, value) => writeFileSync(join(target, path), `${JSON.stringify(value, null, 2)}\n`)

/** Returns the licenses of the packages in the bundle and in the console. @param inputs paths of the files in the bundle */
function licensesOf(inputs) {
  const folders = new Set(inputs.map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]))
  addConsolePackages(folders)
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license, author } = readJson(join(folder, 'package.json'))
      const file = readdirSync(join(root, folder)).find((one) => /^(licen[cs]e|copying)/i.test(one))
      const text = file
        ? readFileSync(join(root, folder, file), 'utf8').trim()
        : textOf(license, author?.name ?? author ?? name)
      return `${name} ${version} (${license})\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Adds the packages that the console imports, and their dependencies. */
function addConsolePackages(folders) {
  const sources = readdirSync(join(root, 'console/src'), { recursive: true, withFileTypes: true })
  const imported = sources
    .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name) && !entry.name.includes('.test.'))
    .flatMap((entry) => [
      ...readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(
        /(?:from |import |import\(|url\()['"]((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g,
      ),
    ])
  // The icons are imported as virtual modules.
  const left = [...imported.map(([, name]) => name), '@iconify-json/tabler', '@iconify-json/simple-icons']
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const folder = ['console/node_modules', 'node_modules'].map((one) => join(one, name)).find(isPackage)
    if (!folder || folders.has(folder)) continue
    folders.add(folder)
    left.push(...Object.keys(readJson(join(folder, 'package.json')).dependencies ?? {}))
  }
}

const isPackage = (folder) => existsSync(join(root, folder, 'package.json'))

/** Returns the wording of a license for a package that does not contain it. */
function textOf(license, author) {
  if (license === 'Apache-2.0') return 'The Apache License 2.0 is in the file LICENSE.'
  if (license === 'CC0-1.0') return 'Dedicated to the public domain.'
  if (license !== 'MIT') throw new Error(`No wording for the license ${license} of a package by ${author}`)
  return `Copyright (c) ${author}\n\n${MIT}`
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

console.log(await buildPackage())
