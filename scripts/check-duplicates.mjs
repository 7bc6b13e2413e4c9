// Reports twenty lines or more that two places of the server share, without blank lines, comments and imports.
//
// A program for this exists (jscpd), but its lock file names binaries of each platform, and its older versions bring 121 packages.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const LINES = 20

const files = execFileSync('git', ['ls-files', 'server/src', 'server/test'], { encoding: 'utf8', maxBuffer: 1 << 28 })
  .split('\n')
  .filter((file) => file.endsWith('.ts'))

/** The lines of code of a file, each with its number. */
function codeOf(file) {
  const source = readFileSync(file, 'utf8').replace(/^(import|export) [^;]*? from '[^']*'$/gm, (text) =>
    text.replace(/[^\n]/g, ''),
  )
  return source
    .split('\n')
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter(({ text }) => text !== '' && !/^(\/\/|\/?\*)/.test(text))
}

const known = new Map()
const found = []
for (const file of files) {
  const lines = codeOf(file)
  /** The end of the last pair, so that a longer one is reported once. */
  let reportedTo = 0
  for (let start = 0; start + LINES <= lines.length; start++) {
    const block = lines.slice(start, start + LINES)
    const hash = createHash('sha256')
      .update(block.map(({ text }) => text).join('\n'))
      .digest('base64')
    const place = `${file}:${block[0].number}`
    const other = known.get(hash)
    if (!other) known.set(hash, place)
    else if (start >= reportedTo) {
      found.push(`${place} and ${other}`)
      reportedTo = start + LINES
    }
  }
}
for (const pair of found) console.log(pair)
console.log(`${found.length} pairs of ${LINES} lines`)
process.exit(found.length > 0 ? 1 : 0)
