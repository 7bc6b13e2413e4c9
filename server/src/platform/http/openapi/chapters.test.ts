import { afterAll, expect, it } from 'vitest'
import { startService } from '../../../../test/harness/service.js'

const service = await startService({ nodes: 1 })
afterAll(() => service.close())

it('assigns every route to a listed chapter and lists no empty chapter', async () => {
  const { body } = await service.api('GET', '/openapi.json')
  const operations = Object.values(body.paths as Record<string, Record<string, { tags?: string[] }>>).flatMap((path) =>
    Object.values(path),
  )
  const used = new Set(operations.flatMap(({ tags = ['none'] }) => tags))
  const listed: string[] = body.tags.map(({ name }: { name: string }) => name)
  expect([...used].sort()).toEqual(listed.sort())
})
