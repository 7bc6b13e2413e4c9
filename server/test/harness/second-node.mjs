// Additional nodes of the service in a separate process, started from the built program, one after another, each for one test file. The
// test moves the clock of its node.
import { createApp } from '../../dist/app.js'
import { readConfig } from '../../dist/platform/config/config.js'
import { uuidv7 } from '../../dist/platform/crypto/random.js'
import { createLogger } from '../../dist/platform/log.js'
import { openService } from '../../dist/service.js'
import { lowCostSecrets, resetRsaKeys } from './rsa-keys.mjs'

let offset = 0
const systemNow = Date.now
Date.now = () => systemNow() + offset
const clock = { ms: () => Date.now(), now: () => new Date(Date.now()) }

let service
const act = {
  async start({ env, realHashing }) {
    resetRsaKeys()
    // Like `reset-between-files.ts` in the process of the tests: an earlier file may have moved the clock, and the IDs of this node would
    // be ahead of those of the other node.
    offset = 0
    uuidv7({ ms: () => 0, now: () => new Date(0) })
    const { generateRsaKeyPair, hashCost } = lowCostSecrets(`node-${process.pid}`)
    const lowCost = realHashing ? { generateRsaKeyPair } : { generateRsaKeyPair, hashCost }
    const config = readConfig({ ...process.env, ...env })
    service = await openService({
      config,
      log: createLogger(config, { write: (line) => process.send?.({ line }) }),
      clock,
      createApp: (parts) => createApp({ ...parts, lowCost }),
    })
    return { port: await service.listen(0) }
  },
  async stop() {
    await service.close()
    return {}
  },
  async move(message) {
    offset = message.offset
    return {}
  },
  /** The reply follows all log lines. */
  async flush() {
    return {}
  },
}

process.on('message', (message) =>
  act[message.act](message).then(
    (answer) => process.send?.({ id: message.id, ...answer }),
    (error) => process.send?.({ id: message.id, failure: String(error?.stack ?? error) }),
  ),
)
process.on('disconnect', () => process.exit(0))
