import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import MessageFormat from '@messageformat/core'
import compileModule from '@messageformat/core/lib/compile-module.js'
import { parse, type Token } from '@messageformat/parser'
import type { Plugin } from 'vite'

/** Catalogues: one JSON object per language and area, `{name: message in ICU MessageFormat}`. */
export const CATALOGUES = join(import.meta.dirname, '../src/messages')

/** Compiles catalogues to functions at build time, so that no page loads a parser. Throws if a message is malformed. */
export const messages = (): Plugin => ({
  name: 'messages',
  enforce: 'pre',
  transform(source, id) {
    const [, locale] = /\/src\/messages\/([\w-]+)\/[\w-]+\.json$/.exec(id.split('?')[0] ?? '') ?? []
    if (!locale) return
    const format = new MessageFormat(locale, { strict: true })
    return { code: compileModule(format, JSON.parse(source)), map: null, moduleType: 'js' }
  },
})

/** The types of a catalogue's functions. A plural takes a number, a select a string, anything else both. */
export function typesOf(file: string): string {
  const catalogue: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
  const lines = Object.entries(catalogue).map(([name, message]) => {
    const types = new Map<string, string>()
    collect(parse(message), types)
    const fields = [...types].map(([arg, type]) => `${arg}: ${type}`).join('; ')
    return `  ${name}: (${fields && `values: { ${fields} }`}) => string`
  })
  return `// Written by \`npm run messages -w console\`.\ndeclare const messages: {\n${lines.join('\n')}\n}\nexport default messages\n`
}

function collect(tokens: Token[], types: Map<string, string>): void {
  for (const token of tokens) {
    if (token.type === 'argument') types.set(token.arg, types.get(token.arg) ?? 'string | number')
    if (token.type === 'function') types.set(token.arg, token.key === 'number' ? 'number' : 'number | Date')
    if (token.type !== 'select' && token.type !== 'plural' && token.type !== 'selectordinal') continue
    types.set(token.arg, token.type === 'select' ? 'string' : 'number')
    for (const { tokens: inside } of token.cases) collect(inside, types)
  }
}

/** The catalogues of the language in which messages are written first. */
export const sourceCatalogues = (): string[] =>
  readdirSync(join(CATALOGUES, 'en'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(CATALOGUES, 'en', name))
