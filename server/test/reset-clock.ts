// Runs before each test file: files share their process, and with it the clock that the last one moved.
import { resetTestClock } from './test-clock.js'

resetTestClock()
