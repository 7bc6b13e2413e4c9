import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { blocksOf, CLONE } from './installation-page.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** the packed npm package */
    packageFile: string
  }
}

/** Packs the package with the commands of docs/guides/install.md, except `npm ci`, which has installed this program. */
export default function globalSetup(project: TestProject) {
  const [build = ''] = blocksOf('npm package')
  if (!build.startsWith('npm ci && ')) throw new Error(`Unexpected commands in docs/guides/install.md: ${build}`)
  const output = execFileSync('bash', ['-ec', build.replace('npm ci && ', '')], {
    cwd: CLONE,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  project.provide('packageFile', output.trim().split('\n').at(-1) ?? '')
}
