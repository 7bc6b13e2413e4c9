import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { chromium, entry, freePorts, type Service, startSetUp } from './service'

declare module 'vitest' {
  interface ProvidedContext {
    /** one per worker; null if these tests can't run; the reason has been printed */
    services: Pick<Service, 'url' | 'outbox'>[] | null
  }
}

/**
 * A service for each worker, with its first administrator: files that run at the same time share no database, mails or failure counters.
 * The file about the first start has a service of its own.
 */
export default async function globalSetup(project: TestProject) {
  const missing = [chromium, entry].find((path) => !existsSync(path))
  if (missing) {
    process.stdout.write(`Browser tests skipped: ${missing} does not exist.\n`)
    project.provide('services', null)
    return
  }
  const started: Service[] = []
  const stop = async () => void (await Promise.all(started.map((service) => service.stop())))
  try {
    const ports = await freePorts(project.config.maxWorkers)
    const starts = await Promise.allSettled(ports.map((port) => startSetUp({ PORT: String(port) })))
    for (const start of starts) if (start.status === 'fulfilled') started.push(start.value)
    for (const start of starts) if (start.status === 'rejected') throw start.reason
  } catch (error) {
    await stop()
    throw error
  }
  project.provide(
    'services',
    started.map(({ url, outbox }) => ({ url, outbox })),
  )
  return stop
}
