import { testPairs, useWorld } from './test-halves.js'

testPairs(useWorld(), 'second')
