// Starts worker.ts if the server runs from TypeScript (`npm run dev`): the tsx loader of the main thread does not apply to workers. The
// build does not contain this file.
import { register } from 'tsx/esm/api'

register()
await import('./worker.ts')
