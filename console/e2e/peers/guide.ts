import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const guides = join(import.meta.dirname, '../../../docs/guides')

/**
 * Returns a code block of a guide, so that the tests run the configuration that the guide shows.
 * @param language of the code block
 * @param nth the position among the blocks of this language, from 0
 * @param values replacements of the examples in the guide
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
