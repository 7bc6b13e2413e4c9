// Starts worker.ts where the server runs from TypeScript (`npm run dev`): tsx given to the main thread does not reach workers. The built
// server does not contain this file.
import { register } from 'tsx/esm/api'

register()
await import('./worker.ts')
