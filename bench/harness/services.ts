import type { Settings } from './benchmark.js'
import { type RunningService, type Store, startService } from './service.js'

export interface Named {
  name: string
  service: RunningService
}

/** Starts the service on each store, and also the other build if there is one. */
export async function startAll(
  { build, against }: Settings,
  stores: Store[],
  env: Record<string, string> = {},
): Promise<Named[]> {
  const started: Named[] = []
  try {
    for (const store of stores) {
      started.push({ name: store, service: await startService(build, store, env) })
      if (against) started.push({ name: `${store}, other build`, service: await startService(against, store, env) })
    }
    return started
  } catch (error) {
    await stopAll(started)
    throw error
  }
}

export async function stopAll(services: Named[]): Promise<void> {
  for (const { service } of services) await service.stop()
}

/** Runs `use`, then stops the services, also after an error. */
export async function withServices<T>(services: Named[], use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } finally {
    await stopAll(services)
  }
}
