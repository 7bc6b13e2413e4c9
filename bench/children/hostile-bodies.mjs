// Clients that send invalid bodies. Each client sends the next body as soon as it has received the response to the last one.
import { Agent, request } from 'node:http'
import { serveParent } from './answer-parent.mjs'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const LOGIN = '/api/v1/auth/login'

const BODIES = [
  [LOGIN, JSON_TYPE, `[${'0,'.repeat(490_000)}0]`],
  ['/api/v1/nothing', JSON_TYPE, '['.repeat(800_000)],
  [LOGIN, JSON_TYPE, `${'['.repeat(32_000)}${']'.repeat(32_000)}`],
  [LOGIN, JSON_TYPE, `[${'0,'.repeat(32_000)}0]`],
  [LOGIN, JSON_TYPE, `{"email":"x@example.com","password":["${'\\u0000'.repeat(10_000)}"]}`],
  [LOGIN, JSON_TYPE, `{"email":${'['.repeat(20)}${'0,'.repeat(9_900)}0${']'.repeat(20)}}`],
  ['/api/v1/oauth/token', FORM_TYPE, '&a=b'.repeat(16_000)],
  ['/api/v1/sso/saml/00000000-0000-7000-8000-000000000000/acs', FORM_TYPE, `SAMLResponse=${'A'.repeat(1_000_000)}`],
].map(([path, type, body]) => ({ path, type, body: Buffer.from(body) }))

let isRunning = false
let clients = []
let statuses = {}

function send(port, agent, { path, type, body }) {
  return new Promise((resolve) => {
    const headers = { 'content-type': type, 'content-length': body.length }
    const sent = request({ port, agent, path, method: 'POST', headers }, (response) => {
      statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1
      response.resume().on('end', resolve).on('error', resolve)
    })
    // The service may close the connection of a client that continues to send.
    sent.on('error', resolve)
    sent.end(body)
  })
}

async function run(port, first) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let next = first; isRunning; next++) await send(port, agent, BODIES[next % BODIES.length])
  agent.destroy()
}

serveParent({
  start({ port, count }) {
    isRunning = true
    statuses = {}
    clients = Array.from({ length: count }, (_, index) => run(port, index * 3))
  },
  async finish() {
    isRunning = false
    await Promise.all(clients)
    return statuses
  },
})
process.send({ port: 0 })
