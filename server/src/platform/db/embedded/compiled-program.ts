import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

let compiled: Promise<WebAssembly.Module> | undefined

/**
 * PostgreSQL as WebAssembly, compiled once a process: databases that a process opens one after another (an installation's creation
 * and its start; those of test files) share the machine code, and what the engine optimized of it. Compiling anew would take each
 * some two seconds of processor time.
 */
export function compileProgram(): Promise<WebAssembly.Module> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  compiled ??= readFile(join(folder, 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes))
  return compiled
}
