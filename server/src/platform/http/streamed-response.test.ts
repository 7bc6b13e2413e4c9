import Fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { StreamedResponse, sendStream } from './streamed-response.js'

const MEBIBYTE = 1_048_576
let made = 0
let ended: () => void = () => undefined
const gone = new Promise<void>((resolve) => {
  ended = resolve
})

async function* endless() {
  try {
    for (;;) {
      made++
      yield 'x'.repeat(MEBIBYTE)
    }
  } finally {
    ended()
  }
}

async function* broken() {
  yield 'half of it'
  throw new Error('the database went away')
}

const app = Fastify()
const file = { mediaType: 'text/plain', name: 'a.txt' }
app.get('/endless', async (_request, reply) => sendStream(reply, new StreamedResponse(file, endless())))
app.get('/broken', async (_request, reply) => sendStream(reply, new StreamedResponse(file, broken())))
const url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

describe('a streamed response', () => {
  it('generates chunks no faster than the client reads and stops when the client disconnects', async () => {
    const abort = new AbortController()
    const response = await fetch(`${url}/endless`, { signal: abort.signal })
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a.txt"')
    await response.body?.getReader().read()
    // The socket buffers contain megabytes; the response is infinite.
    expect(made).toBeLessThan(64)
    abort.abort()
    await gone
    expect(made).toBeLessThan(64)
  })

  it('closes the connection on an error in the middle, so that the client notices the truncation', async () => {
    const response = await fetch(`${url}/broken`)
    await expect(response.text()).rejects.toThrow()
  })
})
