import type { Plugin } from 'vite'

/**
 * Fails the build if chunks import each other in a loop: one of them would run before what it imports, and find it undefined. A chunk with
 * an entry is never imported, because this would start it.
 */
export const rejectChunkLoops = (): Plugin => ({
  name: 'chunk-loops',
  generateBundle(_, bundle) {
    const visited = new Set<string>()
    const visit = (file: string, path: string[]) => {
      if (path.includes(file)) throw new Error(`Chunks import each other: ${[...path, file].join(' → ')}`)
      const chunk = bundle[file]
      if (visited.has(file) || chunk?.type !== 'chunk') return
      visited.add(file)
      for (const imported of chunk.imports) {
        const target = bundle[imported]
        if (target?.type === 'chunk' && target.isEntry) throw new Error(`${file} imports the entry ${imported}`)
        visit(imported, [...path, file])
      }
    }
    for (const file of Object.keys(bundle)) visit(file, [])
  },
})
