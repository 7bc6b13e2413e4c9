// The built service with a low cost of password hashing, as in the tests of the server, and with a clock that tests can move. No setting
// allows this.
import { createApp } from '../../server/dist/app.js'
import { readConfig } from '../../server/dist/platform/config/config.js'
import { createLogger } from '../../server/dist/platform/log.js'
import { openService } from '../../server/dist/service.js'
import { lowCostSecrets } from '../../server/test/harness/rsa-keys.mjs'

const { hashCost } = lowCostSecrets('browser')
const config = readConfig()
/** Milliseconds ahead of the real time. */
let offset = Number(process.env.E2E_CLOCK_OFFSET ?? 0)
process.on('message', (next) => {
  offset = Number(next)
})
const service = await openService({
  config,
  log: createLogger(config),
  clock: { ms: () => Date.now() + offset, now: () => new Date(Date.now() + offset) },
  createApp: (parts) => createApp({ ...parts, lowCost: { hashCost } }),
})
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)))
await service.listen()
