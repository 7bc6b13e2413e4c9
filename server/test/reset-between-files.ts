// Runs before each test file: files share their process, and with it the clock, the pools of keys and what the SAML peer writes.
import fc from 'fast-check'
import { expect } from 'vitest'
import { uuidv7 } from '../src/platform/crypto/random.js'
import { resetRsaKeys } from './rsa-keys.mjs'
import { writeAsAtFirst } from './saml-written-for.js'
import { resetTestClock } from './test-clock.js'
import { prepareDatabase } from './test-database.js'

if (!/[/\\]protocols[/\\]/.test(expect.getState().testPath ?? '')) prepareDatabase()
if (process.env.KEYWARD_TEST_SEED) fc.configureGlobal({ seed: Number(process.env.KEYWARD_TEST_SEED) })
resetTestClock()
resetRsaKeys()
writeAsAtFirst()
// Ids keep their order through a small step back of the clock. Were the last file's moves taken for one, the ids of this process
// would be seconds ahead of those of a second node, and what the two wrote could not be listed in order.
uuidv7({ ms: () => 0, now: () => new Date(0) })
