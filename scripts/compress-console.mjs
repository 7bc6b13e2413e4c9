import { existsSync, readdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

// For smaller files the compression headers are larger than the savings.
const SMALLEST = 1024

// The best quality, 11, takes two and a half times as long and makes the files 1.7 % smaller.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
const GZIP = { level: 9 }

/**
 * Writes a `.br` and a `.gz` file for each script and style, so that the server does not compress responses. Each file is written
 * atomically, and the server looks for it on each request, because it may already be running.
 *
 * @param folder the built console
 */
export async function compressConsole(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    // The server runs the files in `render`, browsers do not load them.
    (name) => /\.(js|css)$/.test(name) && !name.startsWith('render'),
  )
  for (const path of names.map((name) => join(folder, name))) {
    const bytes = await readFile(path)
    if (bytes.length < SMALLEST) continue
    await writeUnlessThere(`${path}.br`, () => promisify(brotliCompress)(bytes, BROTLI))
    await writeUnlessThere(`${path}.gz`, () => promisify(gzip)(bytes, GZIP))
  }
}

async function writeUnlessThere(path, compress) {
  if (existsSync(path)) return
  await writeFile(`${path}.new`, await compress())
  await rename(`${path}.new`, path)
}
