// One half of the random sequences. `other-sequences.test.ts` has the other, so that two workers can run them.
import { testSequences, useWorld } from './test-halves.js'

testSequences(useWorld(), 'first')
