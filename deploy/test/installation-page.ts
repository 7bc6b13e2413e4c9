import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { readExamples } from '../../server/test/documentation/examples.js'

export const CLONE = resolve(import.meta.dirname, '../..')
const PAGE = join(CLONE, 'docs/guides/install.md')

/** Returns the blocks of commands of a section of docs/guides/install.md, in order. */
export function blocksOf(heading: string): string[] {
  const lines = readFileSync(PAGE, 'utf8').split('\n')
  const start = lines.indexOf(`## ${heading}`) + 1
  const length = lines.slice(start).findIndex((line) => line.startsWith('## '))
  return readExamples(PAGE)
    .filter(({ line }) => line > start && line <= start + length)
    .map(({ commands }) => commands)
}

/** Creates a folder like a clone in which the package was built. @returns the folder */
export function cloneWith(packageFile: string, folder: string): string {
  mkdirSync(join(folder, 'dist'), { recursive: true })
  copyFileSync(packageFile, join(folder, 'dist', basename(packageFile)))
  symlinkSync(join(CLONE, 'deploy'), join(folder, 'deploy'))
  return folder
}
