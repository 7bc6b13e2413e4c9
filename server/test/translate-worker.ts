import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'

const SOURCES = fileURLToPath(new URL('../src/platform/db/embedded', import.meta.url))
/** Where what the thread imports is found. */
const TARGET = fileURLToPath(new URL(`../node_modules/.keyward-test-worker-${process.pid}`, import.meta.url))

/**
 * Translates the thread of the embedded database once a run, and tells `worker-from-source.mjs` where it is: a thread is out of the
 * runner's reach, and a translator of its own would take each more time than the start of PostgreSQL.
 */
export function translateWorker(): void {
  mkdirSync(TARGET, { recursive: true })
  for (const name of readdirSync(SOURCES)) {
    if (!name.endsWith('.ts') || /\.(test|d)\.ts$/.test(name)) continue
    const { outputText } = ts.transpileModule(readFileSync(join(SOURCES, name), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true },
    })
    writeFileSync(join(TARGET, name.replace(/\.ts$/, '.js')), outputText)
  }
  writeFileSync(join(TARGET, 'package.json'), '{ "type": "module" }')
  process.env.KEYWARD_TEST_WORKER = pathToFileURL(join(TARGET, 'worker.js')).href
}

export const removeTranslation = (): void => rmSync(TARGET, { recursive: true, force: true })
