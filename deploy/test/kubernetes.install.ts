import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { blocksOf } from './installation-page.js'

const FOLDER = join(import.meta.dirname, '../kubernetes')
const KINDS = { ConfigMap, Deployment, PodDisruptionBudget, Service, ServiceAccount, StatefulSet }

// biome-ignore lint/suspicious/noExplicitAny: resources of any kind.
type Resource = any

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))
const resourceFiles = files.filter((path) => !path.endsWith('kustomization.yaml'))
const podOf = (path: string): Resource => parse(read(path)).spec.template.spec

const { version: VERSION } = JSON.parse(readFileSync(join(FOLDER, '../../package.json'), 'utf8'))
const SETTINGS = readFileSync(join(import.meta.dirname, '../../docs/reference/settings.md'), 'utf8')

const resourcesOf = (yaml: string): Resource[] => parseAllDocuments(yaml).map((document) => document.toJS())

function expectValid(resource: Resource): void {
  const Kind = KINDS[resource.kind as keyof typeof KINDS] as new (
    of: Resource,
  ) => { validate(): void; apiVersion: string }
  expect(Kind, resource.kind).toBeDefined()
  const checked = new Kind(resource)
  expect(checked.apiVersion).toBe(resource.apiVersion)
  checked.validate()
}

/** Returns why `kubectl` cannot render the overlays; undefined if it can. */
function renderingProblem(): string | undefined {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' })
  if (status !== 0) return 'needs kubectl'
  const version: string = JSON.parse(stdout).kustomizeVersion ?? 'v0'
  return Number(/^v(\d+)/.exec(version)?.[1]) >= 5 ? undefined : `needs Kustomize 5, and kubectl has ${version}`
}
const cannotRender = renderingProblem()
if (cannotRender) process.stdout.write(`Skipped: rendering of the Kustomize overlays (${cannotRender}).\n`)

describe('the Kubernetes manifests', () => {
  it.each(resourceFiles)('satisfies the schema of its kind: %s', (path) => {
    for (const resource of resourcesOf(read(path))) expectValid(resource)
  })

  it.runIf(!cannotRender).each([
    ['embedded', ['ConfigMap', 'Service', 'ServiceAccount', 'StatefulSet']],
    ['postgresql', ['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service', 'ServiceAccount']],
  ])('renders valid resources that name each other: %s', (overlay, kinds) => {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(FOLDER, overlay)], { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    expect(stderr).toBe('')
    const resources = resourcesOf(stdout)
    for (const resource of resources) expectValid(resource)
    expect(resources.map(({ kind }) => kind).sort()).toEqual(kinds)
    const of = (kind: string): Resource => resources.find((resource) => resource.kind === kind)
    // A namespace in a manifest would override the one in which the operator applies it.
    for (const { metadata } of resources) expect(metadata.namespace).toBeUndefined()

    const configMap = of('ConfigMap')
    expect(configMap.metadata.name).toMatch(/^keyward-[a-z0-9]{10}$/)
    expect(Object.keys(configMap.data).length).toBeGreaterThan(0)
    const others = resources.filter((resource) => resource !== configMap)
    expect(new Set(others.map(({ metadata }) => metadata.name))).toEqual(new Set(['keyward']))

    const workload = of('Deployment') ?? of('StatefulSet')
    const pod = workload.spec.template
    const [container] = pod.spec.containers
    expect(container.image).toBe(`registry.example.com/keyward:${VERSION}`)
    expect(container.envFrom).toEqual([
      { configMapRef: { name: configMap.metadata.name } },
      { secretRef: { name: 'keyward' } },
    ])
    expect(pod.spec.serviceAccountName).toBe(of('ServiceAccount').metadata.name)
    const selectors = [workload.spec.selector.matchLabels, of('Service').spec.selector]
    if (of('PodDisruptionBudget')) selectors.push(of('PodDisruptionBudget').spec.selector.matchLabels)
    for (const selector of selectors) {
      expect(Object.keys(selector).length).toBeGreaterThan(0)
      expect(pod.metadata.labels).toMatchObject(selector)
    }
    const ports = container.ports.map(({ name }: { name: string }) => name)
    for (const { targetPort } of of('Service').spec.ports) expect(ports).toContain(targetPort)
    if (workload.kind === 'StatefulSet') expect(workload.spec.serviceName).toBe(of('Service').metadata.name)
  })

  it.each(files.filter((path) => path.endsWith('kustomization.yaml')))('names files that exist: %s', (path) => {
    const { resources } = parse(read(path)) as { resources: string[] }
    for (const name of resources) {
      const place = join(dirname(path), name)
      expect(
        files.some((file) => file === place || dirname(file) === place),
        name,
      ).toBe(true)
    }
    // Every file of the folder is applied.
    const own = resourceFiles.filter((file) => dirname(file) === dirname(path))
    expect(own.map((file) => file.slice(dirname(path).length + 1)).sort()).toEqual(
      resources.filter((name) => name.endsWith('.yaml')).sort(),
    )
  })

  it.runIf(!cannotRender)('runs a command in place of the service with the patch of docs/guides/install.md', () => {
    const [, patch = ''] = /^kubectl patch statefulset keyward -p '(.+)'$/m.exec(blocksOf('Kubernetes').join('')) ?? []
    const options = ['patch', '--local', '--filename', join(FOLDER, 'embedded/stateful-set.yaml'), '--output=yaml']
    const { stdout, stderr } = spawnSync('kubectl', [...options, '--patch', patch], { encoding: 'utf8' })
    const [patched] = resourcesOf(stdout)
    expect(patched, stderr).toBeDefined()
    expectValid(patched)
    const {
      startupProbe: _,
      readinessProbe: __,
      livenessProbe: ___,
      ...service
    } = podOf('embedded/stateful-set.yaml').containers[0]
    expect(patched.spec.template.spec.containers).toEqual([{ ...service, command: ['sleep', 'infinity'] }])
  })

  it('runs the same pod in both overlays, except for its volumes and its place', () => {
    const { volumes: _, ...embedded } = podOf('embedded/stateful-set.yaml')
    const { volumes: __, topologySpreadConstraints: ___, ...onPostgres } = podOf('postgresql/deployment.yaml')
    expect(onPostgres).toEqual(embedded)
  })

  it('selects its pods by their labels', () => {
    for (const path of ['embedded/stateful-set.yaml', 'postgresql/deployment.yaml']) {
      const { spec } = parse(read(path)) as Resource
      for (const selector of [
        spec.selector.matchLabels,
        parse(read('base/service.yaml')).spec.selector,
        parse(read('postgresql/disruption-budget.yaml')).spec.selector.matchLabels,
      ])
        expect(spec.template.metadata.labels).toMatchObject(selector)
    }
  })

  it('runs as the user of the image, who changes only the mounted folders', () => {
    const { securityContext, containers } = podOf('embedded/stateful-set.yaml')
    const dockerfile = readFileSync(join(FOLDER, '../../Dockerfile'), 'utf8')
    expect(dockerfile).toContain(`USER ${securityContext.runAsUser}:${securityContext.runAsGroup}`)
    expect(dockerfile).toContain(`EXPOSE ${containers[0].ports[0].containerPort}`)
    expect(dockerfile).toContain(`DATA_DIR=${containers[0].volumeMounts[0].mountPath}`)
    expect(containers[0].securityContext.readOnlyRootFilesystem).toBe(true)
  })

  it('sets settings that exist', () => {
    const named = [...read('base/settings.env').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name)
    const inComments = files.flatMap((path) => [...read(path).matchAll(/echo "([A-Z_]+)=/g)].map(([, name]) => name))
    expect(named.length + inComments.length).toBe(9)
    for (const name of [...named, ...inComments]) expect(SETTINGS, name).toContain(`| \`${name}\` |`)
  })

  it('waits longer for the end of a pod than the service needs', () => {
    // DRAIN_SECONDS, then 20 seconds for requests and jobs in progress.
    expect(podOf('postgresql/deployment.yaml').terminationGracePeriodSeconds).toBeGreaterThan(25)
  })
})

describe('compose.yaml', () => {
  it('sets settings that exist, and has the user and the port of the image', () => {
    const { services } = parse(readFileSync(join(FOLDER, '../../compose.yaml'), 'utf8')) as Resource
    for (const name of Object.keys(services.keyward.environment)) expect(SETTINGS, name).toContain(`| \`${name}\` |`)
    expect(services.keyward.ports).toEqual(['127.0.0.1:3000:3000'])
    for (const name of Object.keys(services.keyward.depends_on)) expect(Object.keys(services)).toContain(name)
  })
})
