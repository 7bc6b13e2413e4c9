import { existsSync, rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { chromium, entry, freePort, type Service, startService } from '../service'
import { apache, type Certificate, makeCertificate, moduleFile, readableFolder, startApache } from './apache'
import { shibbolethFiles } from './shibboleth'
import { configOfDebian } from './simplesamlphp'

declare module 'vitest' {
  interface ProvidedContext {
    /** the key and certificate of the sites; null if these tests cannot run, after the reason was printed */
    certificate: Certificate | null
  }
}

const pysaml2 = '/usr/lib/python3/dist-packages/saml2'
const modules = ['auth_openidc', 'auth_mellon', 'shib', 'php'].map(moduleFile)
const needed = [
  chromium,
  entry,
  apache,
  ...modules,
  '/usr/sbin/mellon_create_metadata',
  configOfDebian,
  ...shibbolethFiles,
  pysaml2,
]

/** Starts one service behind an Apache that terminates TLS, at https://localhost; the sites of the tests are at https://127.0.0.1. */
export default async function globalSetup(project: TestProject) {
  const missing = needed.find((path) => !existsSync(path))
  if (missing) {
    process.stdout.write(`Tests with other programs skipped: ${missing} does not exist.\n`)
    project.provide('services', null)
    project.provide('certificate', null)
    return
  }
  const folder = readableFolder('peers')
  const certificate = makeCertificate(folder)
  // The service and the workers, which start after this, trust the certificate in it.
  process.env.NODE_EXTRA_CA_CERTS = certificate.certificate

  const [port, own] = [await freePort(), await freePort()]
  const started: Pick<Service, 'stop'>[] = []
  async function stop() {
    for (const one of started) await one.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    started.push(
      await startApache({
        port,
        tls: certificate,
        config: `ProxyPreserveHost On\nProxyPass / http://localhost:${own}/`,
      }),
    )
    const service = await startService({ PORT: String(own), BASE_URL: `https://localhost:${port}` })
    started.unshift(service)
    await setUp(`http://localhost:${own}`)
    project.provide('services', [{ url: service.url, outbox: service.outbox }])
    project.provide('certificate', certificate)
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

async function setUp(url: string) {
  const answer = await fetch(`${url}/api/v1/onboard`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ adminEmail: 'first-admin@example.com' }),
  })
  if (!answer.ok) throw new Error(`The service could not be set up: ${answer.status} ${await answer.text()}`)
}
