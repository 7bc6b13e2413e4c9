import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

// Below that the headers of an answer weigh more than what is saved.
const smallest = 1024

// The best quality, 11, takes two and a half times as long and makes the files 1.7 % smaller.
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

/**
 * Puts `.br` and `.gz` beside each script and style, so that the server need not compress while it answers. Reads the
 * written files: Vite still changes scripts after the last hook that could add files to the bundle.
 */
export function precompress(): Plugin {
  return {
    name: 'keyward-precompress',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        if (!/\.(js|css)$/.test(fileName)) continue
        const path = join(dir, fileName)
        const bytes = readFileSync(path)
        if (bytes.length < smallest) continue
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, brotli))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
