// Clients that sign in repeatedly and wait for the time in Retry-After.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { serveParent } from './answer-parent.mjs'

let isRunning = false
let clients = []
let statuses = {}

function signIn(port, agent, body) {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const sent = request({ port, agent, path: '/api/v1/auth/login', method: 'POST', headers }, (response) => {
      statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1
      const seconds = Number(response.headers['retry-after'] ?? 0)
      response
        .resume()
        .on('end', () => resolve(seconds))
        .on('error', () => resolve(0))
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
}

async function run(port, agent, body) {
  while (isRunning) await delay(1_000 * (await signIn(port, agent, body)))
}

serveParent({
  start({ port, count, emails, password }) {
    isRunning = true
    statuses = {}
    const agent = new Agent({ keepAlive: true, maxSockets: count })
    clients = Array.from({ length: count }, (_, index) =>
      run(port, agent, Buffer.from(JSON.stringify({ email: emails[index % emails.length], password }))),
    )
  },
  async finish() {
    isRunning = false
    await Promise.all(clients)
    return statuses
  },
})
process.send({ port: 0 })
