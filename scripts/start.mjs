// `npm start`: build what is stale, then serve in this same process, so that a signal reaches the service itself.
import { buildStale } from './build-stale.mjs'

const onlyAsks = process.argv.slice(2).some((argument) => ['--help', '-h', '--version', '-v'].includes(argument))
try {
  // The other parts are built by processes of their own, while this one loads the modules.
  await buildStale(onlyAsks ? {} : { meanwhile: { server: () => import('../server/dist/app.js') } })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (!onlyAsks) console.log('Starting …')
await import('../server/dist/main.js')
