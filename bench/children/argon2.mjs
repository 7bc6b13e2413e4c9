// The lower bound of a sign-in: only the verification of a password, with the parameters of the service's own hashes.
import { createRequire } from 'node:module'
import { serveParent } from './answer-parent.mjs'

const { verify } = createRequire(new URL('package.json', process.env.BENCH_BUILD))('@node-rs/argon2')

serveParent({
  /** Verifies the password for the given time with as many calls in flight as the service allows. @returns the number of calls */
  async verify({ encoded, password, inFlight, seconds }) {
    const end = performance.now() + seconds * 1_000
    let count = 0
    const one = async () => {
      while (performance.now() < end) {
        if (!(await verify(encoded, password))) throw new Error('the password does not match')
        count++
      }
    }
    await Promise.all(Array.from({ length: inFlight }, one))
    return count
  },
})
process.send({ port: 0 })
