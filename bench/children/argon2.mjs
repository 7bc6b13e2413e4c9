// The floor of a sign-in: nothing but the verification of a password, under the parameters of the service's own hashes.
import { createRequire } from 'node:module'
import { answerParent } from './answer-parent.mjs'

const { verify } = createRequire(new URL('package.json', process.env.BENCH_BUILD))('@node-rs/argon2')

answerParent({
  /** Verifies for some seconds with so many in flight as the service lets be; answers how many. */
  async verify({ encoded, password, inFlight, seconds }) {
    const end = performance.now() + seconds * 1_000
    let count = 0
    const one = async () => {
      while (performance.now() < end) {
        if (!(await verify(encoded, password))) throw new Error('the password does not fit')
        count++
      }
    }
    await Promise.all(Array.from({ length: inFlight }, one))
    return count
  },
})
process.send({ port: 0 })
