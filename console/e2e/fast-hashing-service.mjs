// The built service with a low cost of password hashing, as in the tests of the server. No setting allows this.
import { createApp } from '../../server/dist/app.js'
import { readConfig } from '../../server/dist/platform/config/config.js'
import { createLogger } from '../../server/dist/platform/log.js'
import { openService } from '../../server/dist/service.js'
import { lowCostSecrets } from '../../server/test/harness/rsa-keys.mjs'

const { hashCost } = lowCostSecrets('browser')
const config = readConfig()
const service = await openService({
  config,
  log: createLogger(config),
  clock: { ms: () => Date.now(), now: () => new Date() },
  createApp: (parts) => createApp({ ...parts, lowCost: { hashCost } }),
})
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)))
await service.listen()
