import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sharedRead } from './shared-read.js'

/** A read that the test resolves. */
function slowRead() {
  const begun: { asked: string; answer: (value: string) => void; fail: (error: Error) => void }[] = []
  const find = sharedRead(
    (asked: string) => new Promise<string>((answer, fail) => begun.push({ asked, answer, fail })),
    (asked) => asked,
  )
  return { begun, find }
}

it('shares one read between concurrent callers of the same key', async () => {
  const { begun, find } = slowRead()
  const answers = ['a', 'b', 'a', 'a'].map(find)
  await setImmediate()
  expect(begun.map(({ asked }) => asked)).toEqual(['a', 'b'])
  for (const { asked, answer } of begun) answer(`of ${asked}`)
  expect(await Promise.all(answers)).toEqual(['of a', 'of b', 'of a', 'of a'])
})

it('returns no result of a read that began before the call', async () => {
  const { begun, find } = slowRead()
  const early = find('a')
  await setImmediate()
  const late = find('a')
  await setImmediate()
  expect(begun).toHaveLength(2)
  begun[0]?.answer('before')
  begun[1]?.answer('after')
  expect([await early, await late]).toEqual(['before', 'after'])
})

it('rejects for all callers that share a failed read and for no later caller', async () => {
  const { begun, find } = slowRead()
  const both = [find('a'), find('a')]
  await setImmediate()
  begun[0]?.fail(new Error('away'))
  for (const one of await Promise.allSettled(both)) expect(one).toMatchObject({ status: 'rejected' })
  const next = find('a')
  await setImmediate()
  begun[1]?.answer('back')
  expect(await next).toBe('back')
})
