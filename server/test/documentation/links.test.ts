import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const repository = resolve(import.meta.dirname, '../../..')
const pages = [
  ...readdirSync(repository).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** The anchors of the headings of a page, as code hosts generate them. */
const anchorsOf = (path: string): string[] =>
  [...withoutCode(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
const withoutCode = (path: string): string => readFileSync(path, 'utf8').replace(/^ *```.*?^ *```$/gms, '')

describe('the documentation', () => {
  it.each(pages)('has relative links in %s that name existing files and headings', (page) => {
    const path = join(repository, page)
    const broken = [...withoutCode(path).matchAll(/\]\(((?!\w+:)[^)\s]*)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? path : join(dirname(path), file)
        if (!existsSync(target)) return true
        return anchor !== undefined && !(statSync(target).isFile() && anchorsOf(target).includes(anchor))
      })
    expect(broken).toEqual([])
  })
})
