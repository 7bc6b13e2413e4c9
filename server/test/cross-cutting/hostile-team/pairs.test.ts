// One half of the pairs. `other-pairs.test.ts` has the other, so that two workers can run them.
import { testPairs, useWorld } from './test-halves.js'

testPairs(useWorld(), 'first')
