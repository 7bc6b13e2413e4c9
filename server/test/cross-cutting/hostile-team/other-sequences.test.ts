// One half of the random sequences. `sequences.test.ts` has the other, so that two workers can run them.
import { testSequences, useWorld } from './test-halves.js'

testSequences(useWorld(), 'second')
