// Runs before each test file, because files share their process with the clock, the key pools and the state of the SAML peer.
import fc from 'fast-check'
import { expect } from 'vitest'
import { uuidv7 } from '../../src/platform/crypto/random.js'
import { writeAsAtFirst } from '../doubles/saml-written-for.js'
import { resetRsaKeys } from './rsa-keys.mjs'
import { resetTestClock } from './test-clock.js'
import { prepareDatabase } from './test-database.js'

if (process.env.KEYWARD_TEST_SEED) fc.configureGlobal({ seed: Number(process.env.KEYWARD_TEST_SEED) })
// A database takes the time when it starts.
resetTestClock()
if (!/[/\\]protocols[/\\]/.test(expect.getState().testPath ?? '')) prepareDatabase()
resetRsaKeys()
writeAsAtFirst()
// The ID generator tolerates small backward steps of the clock. Without a reset it would treat the clock moves of the last file as such
// a step, and the IDs of this process would be seconds ahead of those of a second node.
uuidv7({ ms: () => 0, now: () => new Date(0) })
