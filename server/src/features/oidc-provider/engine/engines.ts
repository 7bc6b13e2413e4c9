import type { Issuer } from '../model/issuer.js'
import type { Engine, EngineSetup } from './engine.js'

/** Engines that a node keeps in memory: about 65 KiB each. */
const MAX_CACHED_ENGINES = 500

export interface Engines {
  /** The engine of the issuer with its present keys; made when the one held was made of others. */
  of(issuer: Issuer): Promise<Engine>
}

/** The engine is loaded when it is first needed, and not before the service listens: it is a fifth of all that is loaded. */
const loadEngine = () => import('./engine.js')

export function createEngines(setup: EngineSetup): Engines {
  const held = new Map<string, { version: number; engine: Engine }>()
  return {
    async of({ path, url, keyVersion, keys }) {
      const { createEngine } = await loadEngine()
      const known = held.get(path)
      // The least recently used goes first.
      held.delete(path)
      const entry =
        known?.version === keyVersion ? known : { version: keyVersion, engine: createEngine(url, keys, setup) }
      held.set(path, entry)
      const [oldest] = held.keys()
      if (held.size > MAX_CACHED_ENGINES && oldest) held.delete(oldest)
      return entry.engine
    },
  }
}
