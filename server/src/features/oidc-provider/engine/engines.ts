import type { Issuer } from '../model/issuer.js'
import type { Engine, EngineSetup } from './engine.js'

/** Engines that a node caches: about 65 KiB each. */
const MAX_CACHED_ENGINES = 500

export interface Engines {
  /** Returns the engine of an issuer with its current keys. Replaces a cached engine with other keys. */
  of(issuer: Issuer): Promise<Engine>
}

/** Loads the engine on first use, because it is a fifth of the loaded code and would delay the start of the service. */
const loadEngine = () => import('./engine.js')

export function createEngines(setup: EngineSetup): Engines {
  const cache = new Map<string, { version: number; engine: Engine }>()
  return {
    async of({ path, url, keyVersion, keys }) {
      const { createEngine } = await loadEngine()
      const known = cache.get(path)
      // Re-insert, so that the first key is the least recently used.
      cache.delete(path)
      const entry =
        known?.version === keyVersion ? known : { version: keyVersion, engine: createEngine(url, keys, setup) }
      cache.set(path, entry)
      const [oldest] = cache.keys()
      if (cache.size > MAX_CACHED_ENGINES && oldest) cache.delete(oldest)
      return entry.engine
    },
  }
}
