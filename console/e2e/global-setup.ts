import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { chromium, entry, type Service, startService } from './service'

declare module 'vitest' {
  interface ProvidedContext {
    /** null where these tests cannot run; the reason has been printed */
    service: Pick<Service, 'url' | 'outbox'> | null
  }
}

/** One service for all files, with its first administrator. The file about the first start has a service of its own. */
export default async function globalSetup(project: TestProject) {
  const missing = [chromium, entry].find((path) => !existsSync(path))
  if (missing) {
    process.stdout.write(`Browser tests skipped: ${missing} does not exist.\n`)
    project.provide('service', null)
    return
  }
  const { url, outbox, stop } = await startService()
  const answer = await fetch(`${url}/api/v1/onboard`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ adminEmail: 'first-admin@example.com' }),
  })
  if (!answer.ok) {
    await stop()
    throw new Error(`The service could not be set up: ${answer.status} ${await answer.text()}`)
  }
  project.provide('service', { url, outbox })
  return stop
}
