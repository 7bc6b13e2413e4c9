import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** the packed npm package */
    packageFile: string
  }
}

export default function globalSetup(project: TestProject) {
  const program = join(import.meta.dirname, '../../scripts/build-package.mjs')
  const output = execFileSync(process.execPath, [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  project.provide('packageFile', output.trim().split('\n').at(-1) ?? '')
}
