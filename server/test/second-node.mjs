// A second node of the service, in a process of its own, from the built program; the test that forks it moves its clock.
import { createApp } from '../dist/app.js'
import { readConfig } from '../dist/platform/config/config.js'
import { createLogger } from '../dist/platform/log.js'
import { openService } from '../dist/service.js'

let offset = 0
const systemNow = Date.now
Date.now = () => systemNow() + offset
const clock = { ms: () => Date.now(), now: () => new Date(Date.now()) }
process.on('message', (message) => {
  offset = message.offset
  process.send?.({ offset })
})
process.on('disconnect', () => process.exit(0))

const config = readConfig()
const service = await openService({ config, log: createLogger(config), clock, createApp })
process.send?.({ port: await service.listen(0) })
