// Builds the programs of the server from its sources. `npm run check` checks the types.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

const WORKER = 'platform/db/embedded/worker.ts'
const SHARED = { format: 'esm', platform: 'node', target: 'node20.19', logLevel: 'warning' }

/**
 * Bundles entry points into a few files, which Node loads faster than a thousand. Packages are not bundled.
 *
 * @param root of the repository
 * @param entryPoints paths below `server/src`; the worker of the embedded database is added
 * @param folder a folder in `server`, at the same depth as `server/src`, so that relative paths in the sources stay valid
 */
export async function bundleServer(root, entryPoints, folder) {
  const options = { packages: 'external', sourcemap: true, sourcesContent: false }
  await bundle(root, entryPoints, folder, options, { splitting: true })
}

/**
 * Bundles entry points, and the worker of the embedded database into a file of its own.
 *
 * @param options for esbuild
 * @param ofPrograms further options, not for the worker
 * @returns the results of esbuild
 */
async function bundle(root, entryPoints, folder, options, { plugins = [], ...ofPrograms } = {}) {
  const { build } = await import('esbuild')
  const sources = join(root, 'server/src')
  const shared = {
    ...SHARED,
    absWorkingDir: root,
    outbase: 'server/src',
    outdir: folder,
    bundle: true,
    // The OAuth library and log lines use class names.
    keepNames: true,
    ...options,
  }
  return Promise.all([
    build({
      ...shared,
      ...ofPrograms,
      entryPoints: entryPoints.map((path) => join(sources, path)),
      plugins: [asInSources(sources, './'), ...plugins],
    }),
    build({
      ...shared,
      entryPoints: [join(sources, WORKER)],
      plugins: [asInSources(sources, `${relative(dirname(WORKER), '.')}/`)],
    }),
  ])
}

/** Packages that the program of a release loads from `node_modules`: native code, and data files beside their code. */
export const NOT_BUNDLED = [
  '@electric-sql/pglite',
  '@ip-location-db/geo-whois-asn-country-mmdb',
  '@node-rs/argon2',
  'fs-native-extensions',
]

/**
 * Bundles the server with its packages, except `NOT_BUNDLED`, into one file, and the embedded database into another.
 *
 * @param root of the repository
 * @param folder of the bundle, with an absolute path, in the folder `server` of a release
 * @returns the paths of the bundled files of packages, relative to `root`
 */
export async function bundleRelease(root, folder) {
  const options = {
    // `pg` works without its native variant.
    external: [...NOT_BUNDLED, 'pg-native'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const BUNDLE_URL = import.meta.url, require = requireFor(BUNDLE_URL);",
    },
  }
  const results = await bundle(root, ['main.ts'], folder, options, { plugins: [swaggerUi()] })
  return results
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .filter((path) => path.includes('node_modules/'))
}

/** Lets the package read its files from the folder `swagger-ui` beside the bundle. */
const swaggerUi = () => ({
  name: 'swagger-ui',
  setup({ onLoad }) {
    onLoad({ filter: /@fastify[\\/]swagger-ui[\\/](index|lib[\\/].*)\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const below = basename(dirname(path)) === 'lib' ? '/swagger-ui/lib' : '/swagger-ui'
      const own = `(require('node:path').dirname(require('node:url').fileURLToPath(BUNDLE_URL)) + '${below}')`
      return text.includes('__dirname') ? { contents: text.replaceAll('__dirname', own) } : undefined
    })
  },
})

/** Replaces `import.meta.url` in each source by the URL that the unbundled file would have. */
const asInSources = (sources, toBundle) => ({
  name: 'as-in-sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!path.startsWith(sources)) return undefined
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const own = `${toBundle}${relative(sources, path).replaceAll('\\', '/').replace(/\.ts$/, '.js')}`
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', `new URL('${own}', import.meta.url).href`) }
    })
  },
})

/**
 * Compiles each source file to a file with a source map below `server/dist`. Unchanged files are not written, so that running programs
 * are not disturbed.
 *
 * @param root the repository, or a copy of it
 * @returns the paths of the compiled files and of their source maps
 */
export async function translateServer(root, files) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    ...SHARED,
    absWorkingDir: root,
    entryPoints: files,
    outbase: 'server/src',
    outdir: 'server/dist',
    sourcemap: true,
    write: false,
  })
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents)
  return outputFiles.map(({ path }) => path)
}

function writeIfChanged(path, contents) {
  try {
    if (readFileSync(path).equals(contents)) return
  } catch {
    mkdirSync(dirname(path), { recursive: true })
  }
  writeFileSync(`${path}.new`, contents)
  renameSync(`${path}.new`, path)
}

/** Removes the files below a folder that are not listed. @param keeps whether a direct entry of the folder stays, with all below it */
export function removeOthers(folder, listed, keeps = () => false) {
  const wanted = new Set(listed)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (keeps(entry.name)) continue
    if (entry.isDirectory()) removeOthers(path, wanted)
    else if (!wanted.has(path)) rmSync(path)
  }
}
