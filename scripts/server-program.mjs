// Builds the programs of the server from its sources. `npm run check` checks the types.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

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
  const { build } = await import('esbuild')
  const sources = join(root, 'server/src')
  const options = {
    ...SHARED,
    absWorkingDir: root,
    outbase: 'server/src',
    outdir: folder,
    bundle: true,
    packages: 'external',
    // The OAuth library and log lines use class names.
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
  }
  await Promise.all([
    build({
      ...options,
      entryPoints: entryPoints.map((path) => join(sources, path)),
      splitting: true,
      plugins: [asInSources(sources, './')],
    }),
    build({
      ...options,
      entryPoints: [join(sources, WORKER)],
      plugins: [asInSources(sources, `${relative(dirname(WORKER), '.')}/`)],
    }),
  ])
}

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
