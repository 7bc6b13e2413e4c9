import { testSequences } from './test-sequences.js'

testSequences(1)
