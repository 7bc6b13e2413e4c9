import type { Benchmark } from '../harness/benchmark.js'
import { login } from './login.js'
import { refresh } from './refresh.js'
import { register } from './register.js'
import { session } from './session.js'
import { start } from './start.js'
import { timing } from './timing.js'

/** In the order in which a whole run takes them. */
export const BENCHMARKS: Benchmark[] = [start, session, login, register, refresh, timing]
