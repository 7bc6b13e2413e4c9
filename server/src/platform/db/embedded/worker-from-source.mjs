// Starts worker.ts where the server runs from TypeScript: tsx given to the main thread does not reach workers, and
// vitest's transform does not either. The built server does not contain this file.
import { register } from 'tsx/esm/api'

register()
await import('./worker.ts')
