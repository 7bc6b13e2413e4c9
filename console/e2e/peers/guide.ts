import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const guides = join(import.meta.dirname, '../../../docs/guides')

/**
 * What a guide tells its readers to write: the tests run with it, so that it cannot be wrong.
 * @param language of the block of text; `nth` of them, from nought
 * @param values what a reader puts in instead of the guide's examples
 */
export function fromGuide(guide: string, language: string, nth: number, values: Record<string, string>) {
  const text = readFileSync(join(guides, guide), 'utf8')
  const block = [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))][nth]?.[1]
  if (block === undefined) throw new Error(`${guide} has no block ${nth} of ${language}`)
  let filled = block
  for (const [example, value] of Object.entries(values)) {
    if (!filled.includes(example)) throw new Error(`${guide} does not say ${example}`)
    filled = filled.replaceAll(example, value)
  }
  return filled
}
