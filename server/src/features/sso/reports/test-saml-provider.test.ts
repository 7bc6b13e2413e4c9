import { createServer } from 'node:https'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { certifiedKey, startMetadataServer } from '../../../../test/doubles/metadata-server.js'
import { registerUser } from '../../../../test/factories/factories.js'
import { addProvider, changeProvider } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const [first, second] = [certifiedKey('first'), certifiedKey('second')]
const service = await startService()
const server = await startMetadataServer(first.certificate)
const published = { ...server.published }
const unknownTls = createServer({
  key: first.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  cert: first.certificate,
})
unknownTls.listen(0, '127.0.0.1')
afterAll(async () => {
  await service.close()
  await server.close()
  unknownTls.close()
})
const owner = await registerUser(service)
beforeEach(() => {
  server.published = { ...published }
  server.answer = undefined
})

interface Found {
  id: string
  status: string
  detail: string
  fix?: string
}
const BY_URL = { name: 'Directory', type: 'GENERIC_SAML', protocol: 'SAML2', samlMetadataUrl: server.url }
async function runTest(id: string): Promise<{ success: boolean; checks: Map<string, Found>; text: string }> {
  const { status, body, text } = await service.api('POST', `/api/v1/sso/providers/${id}/test`, { token: owner.token })
  expect(status, text).toBe(200)
  return { success: body.success, checks: new Map(body.checks.map((check: Found) => [check.id, check])), text }
}

describe('POST /api/v1/sso/providers/{providerId}/test for SAML', () => {
  it('checks everything that can be checked without a sign-in', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    const { checks, success } = await runTest(id)
    expect(success).toBe(true)
    expect([...checks].map(([name, { status }]) => [name, status])).toEqual([
      ['endpoints', 'warning'],
      ['metadata', 'ok'],
      ['metadata_entity', 'ok'],
      ['metadata_certificates', 'ok'],
      ['sso_endpoint', 'ok'],
      ['tls', 'skipped'],
      ['certificate_1', 'ok'],
      ['clock', 'ok'],
      ['mapping', 'ok'],
      ['saved_by', 'ok'],
    ])
  })

  it('reports certificates that are not configured here', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.published.certificates = [first.certificate, second.certificate]
    expect((await runTest(id)).checks.get('metadata_certificates')).toMatchObject({ status: 'warning' })
    server.published.certificates = [second.certificate]
    const { checks, success } = await runTest(id)
    expect([success, checks.get('metadata_certificates')?.status]).toEqual([false, 'failed'])
    expect(checks.get('metadata_certificates')?.fix).toBeTruthy()
  })

  it('reports metadata of another provider, unreadable and invalid metadata', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.published.entityId = 'https://other.example'
    expect((await runTest(id)).checks.get('metadata_entity')).toMatchObject({
      status: 'failed',
      detail: 'The metadata describes another provider: https://other.example',
    })
    server.answer = (response) => void response.writeHead(200).end('secret-of-a-third-party')
    const none = await runTest(id)
    expect(none.checks.get('metadata')?.status).toBe('failed')
    server.answer = (response) => void response.writeHead(500).end('secret-of-a-third-party')
    const away = await runTest(id)
    expect(away.checks.get('metadata')).toMatchObject({
      status: 'failed',
      detail: 'The server responded with status 500',
    })
    expect(away.checks.get('metadata_certificates')?.status).toBe('skipped')
    for (const { text } of [none, away]) expect(text).not.toContain('secret-of-a-third-party')
  })

  it('reports clock differences', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.answer = (response) =>
      void response.writeHead(404, { date: new Date(Date.now() - 5 * MINUTE).toUTCString() }).end()
    await changeProvider(service, owner, id, { samlMetadataUrl: null })
    const { checks } = await runTest(id)
    expect(checks.get('clock')).toMatchObject({ status: 'failed' })
    expect(checks.get('sso_endpoint')).toMatchObject({ status: 'warning' })
    expect(checks.get('metadata')).toMatchObject({ status: 'skipped' })
  })

  it('reports an untrusted TLS certificate, and a URL that does not respond', async () => {
    const address = unknownTls.address() as { port: number }
    const { id } = await addProvider(service, owner, BY_URL)
    await changeProvider(service, owner, id, { samlSsoUrl: `https://127.0.0.1:${address.port}/sso` })
    const { checks, success } = await runTest(id)
    expect([success, checks.get('tls')?.status]).toEqual([false, 'failed'])
    await changeProvider(service, owner, id, { samlSsoUrl: 'http://127.0.0.1:1/sso' })
    const unreachable = await runTest(id)
    expect([unreachable.success, unreachable.checks.get('sso_endpoint')?.status]).toEqual([true, 'warning'])
  })

  it('reports an expired certificate only as a warning next to a valid one', async () => {
    const ended = certifiedKey('ended', { from: -20, until: -10 }).certificate
    const { id } = await addProvider(service, owner, { ...BY_URL, samlCertificates: [ended, first.certificate] })
    const both = await runTest(id)
    expect([both.success, both.checks.get('certificate_1')?.status]).toEqual([true, 'warning'])
    await changeProvider(service, owner, id, { samlCertificates: [ended] })
    const alone = await runTest(id)
    expect([alone.success, alone.checks.get('certificate_1')?.status]).toEqual([false, 'failed'])
  })
})
