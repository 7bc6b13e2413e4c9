import { LRUCache } from 'lru-cache'
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
  const cache = new LRUCache<string, { version: number; engine: Engine }>({ max: MAX_CACHED_ENGINES })
  return {
    async of({ path, url, keyVersion, keys }) {
      const { createEngine } = await loadEngine()
      const known = cache.get(path)
      const entry =
        known?.version === keyVersion ? known : { version: keyVersion, engine: createEngine(url, keys, setup) }
      cache.set(path, entry)
      return entry.engine
    },
  }
}
