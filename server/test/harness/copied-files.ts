import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryFS, type PGlite } from '@electric-sql/pglite'
import { DATA_FOLDER } from '../../src/platform/db/embedded/engine.js'

/**
 * In-memory database files, copied from a folder. On disk, PostgreSQL requests the size of a table from the operating system for every
 * plan, which takes a sixth of the processor time of a test.
 */
export class CopiedFiles extends MemoryFS {
  constructor(private readonly template: string) {
    super()
  }

  override async init(...[db, options]: Parameters<MemoryFS['init']>): ReturnType<MemoryFS['init']> {
    const { emscriptenOpts } = await super.init(db, options)
    const copy = ({ FS }: PGlite['Module']) => readFolder(FS, this.template, DATA_FOLDER)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), copy] } }
  }
}

/** Copies a folder recursively into a new folder of the engine's file system. */
function readFolder(files: PGlite['Module']['FS'], source: string, target: string): void {
  files.mkdirTree(target)
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), `${target}/${entry.name}`]
    if (entry.isDirectory()) readFolder(files, from, to)
    else files.writeFile(to, readFileSync(from))
  }
}
