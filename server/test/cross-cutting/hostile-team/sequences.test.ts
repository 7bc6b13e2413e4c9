import { testSequences, useWorld } from './test-halves.js'

testSequences(useWorld(), 'first')
